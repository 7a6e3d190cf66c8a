import type { BlockHash, Height, Network } from '../protocol/index.ts';
import type { ReplyLayout } from './layout.ts';

/**
 * Inputs and results of a scan. Workers get slices of the reply; the reply itself stays with the wallet, which decodes whole transactions
 * of interest in place.
 */

/** Everything the scan needs to recognise outputs. Holds the view key: lives in scan workers only, wiped on release. */
export interface ScanAccount {
  /** Secret view key, 32 bytes. */
  readonly viewKey: Uint8Array;
  /** Public spend keys of the primary address and all subaddresses in the lookahead, 32 bytes each, concatenated. */
  readonly spendKeys: Uint8Array;
  readonly network: Network;
}

/** One block of the reply, checked as far as its own bytes allow. */
export interface ScannedBlock {
  /** From the coinbase input, and equal to the reply's start height plus position. */
  readonly height: Height;
  /** Recomputed from the blob: Keccak of header ‖ tree hash ‖ count (block 202612 has a hard-coded id). */
  readonly id: BlockHash;
  readonly prevId: BlockHash;
  readonly majorVersion: number;
  readonly minorVersion: number;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Coinbase included. */
  readonly txCount: number;
  /** Offset of the coinbase in the buffer, and its bytes. */
  readonly coinbaseOffset: number;
  readonly coinbaseLength: number;
  /** Offset of the ids of the other transactions in the buffer, 32 bytes each, `txCount - 1` of them. */
  readonly txHashesOffset: number;
}

/** An output addressed to the account: the derived one-time key matched. Amounts are still to be opened (T8). */
export interface ScannedOutput {
  readonly blockIndex: number;
  /** Its transaction's position in the block; 0 is the coinbase. */
  readonly ordinal: number;
  /** Offset of the transaction in the buffer, and its bytes. The coinbase is inside the block blob. */
  readonly offset: number;
  readonly length: number;
  /** The transaction's id, 32 bytes. Computed for the coinbase; bound by its position in the block's list for the others. */
  readonly txHash: Uint8Array;
  /** Index of the output inside its transaction. */
  readonly outputIndex: number;
  /** Its global index, from the reply's output_indices. */
  readonly globalIndex: bigint;
  /** Which of `spendKeys` (index of the 32-byte entry) the output pays. */
  readonly spendKeyIndex: number;
  /** Derivation 8·a·R, 32 bytes. Secret-derived: do not log. */
  readonly derivation: Uint8Array;
  /** Which key of tx_extra made the match: -1 the transaction's main key(s), else the additional key's index. */
  readonly keySource: number;
}

/** A list that is read by index or iterated, like an array. */
export interface Items<T> extends Iterable<T> {
  readonly length: number;
  at(position: number): T | undefined;
}

/** Blocks as columns: `columns.ts` writes and reads them. */
export interface BlockColumns {
  readonly numbers: Float64Array;
  /** 32 bytes per block. */
  readonly ids: Uint8Array;
  readonly prevIds: Uint8Array;
}

/** Outputs as columns. */
export interface OutputColumns {
  readonly numbers: Float64Array;
  readonly globalIndices: BigUint64Array;
  /** 32 bytes per output. */
  readonly txHashes: Uint8Array;
  readonly derivations: Uint8Array;
}

/** Findings for the account in a reply, or a slice of one, as they are passed between threads. Offsets are bytes in the scanned part. */
export interface ScanFindings {
  readonly startHeight: Height;
  readonly currentHeight: Height;
  readonly blocks: BlockColumns;
  /** In chain order. Spends are found through `keyImageTx`. */
  readonly outputs: OutputColumns;
  /** All key images that appeared, 32 bytes each, concatenated, in chain order. */
  readonly keyImages: Uint8Array;
  /** For each key image: block index, offset and length of its transaction in the buffer, ordinal in the block: 4 u32 each. */
  readonly keyImageTx: Uint32Array;
}

/** Findings for the account in one reply, and the reply. */
export interface ScanResult extends Omit<ScanFindings, 'blocks' | 'outputs'> {
  readonly blocks: Items<ScannedBlock>;
  readonly outputs: Items<ScannedOutput>;
  readonly buffer: ArrayBuffer;
  /** Memory of the findings, to be released with the reply's. */
  readonly columns: readonly ArrayBuffer[];
}

/** The scan's port: one reply in, one result out. Independent calls may run in parallel on several workers. */
export interface ScanPool {
  /** Replaces the account on every worker; scans started later see it, and running ones may. @internal */
  setAccount(account: ScanAccount): Promise<void>;
  /**
   * The result contains the reply, unchanged.
   * @param layout of the reply, if it was walked before
   * @internal
   * @throws ScanError typed
   */
  scan(reply: ArrayBuffer, signal?: AbortSignal, layout?: ReplyLayout): Promise<ScanResult>;
  /** Starts all workers while the first reply is still on its way, when there is much to scan. */
  warmUp(): void;
  /** Number of slices scanned in parallel. */
  readonly width: number;
  /** Wipes the view key and ends the workers. */
  close(): Promise<void>;
}
