import type { BlockHash, Height, Network } from '../protocol/model.ts';
import type { ReplyLayout } from './layout.ts';

/**
 * Inputs and results of a scan. Workers get slices of the reply; the reply itself stays with the wallet, which decodes whole
 * transactions of interest from where they lie.
 */

/** Everything the scan needs to recognise outputs. Holds the view key: lives in scan workers only, wiped on release. */
export interface ScanAccount {
  /** Secret view key, 32 bytes. */
  readonly viewKey: Uint8Array;
  /** Public spend keys of the primary address and all subaddresses in the lookahead, 32 bytes each, concatenated. */
  readonly spendKeys: Uint8Array;
  readonly network: Network;
}

/** One block of the reply, checked as far as its own bytes go. */
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
  /** Where in the buffer the coinbase lies, and its bytes. */
  readonly coinbaseOffset: number;
  readonly coinbaseLength: number;
  /** Where in the buffer the ids of the other transactions lie, 32 bytes each, `txCount - 1` of them. */
  readonly txHashesOffset: number;
}

/** Where a transaction lies in the buffer. The coinbase lies inside the block blob. */
export interface ScannedTx {
  /** 32-byte id, hex. Computed for the coinbase; bound by its position in the block's list for the others. */
  readonly hash: string;
  readonly blockIndex: number;
  /** Position in the block; 0 is the coinbase. */
  readonly ordinal: number;
  readonly offset: number;
  readonly length: number;
  /** Global output indices of its outputs, from the reply's output_indices. */
  readonly outputIndices: readonly bigint[];
}

/** An output addressed to the account: the derived one-time key matched. Amounts are still to be opened (T8). */
export interface ScannedOutput {
  /** Index into `ScanFindings.txs`. */
  readonly tx: number;
  /** Index of the output inside its transaction. */
  readonly outputIndex: number;
  /** Which of `spendKeys` (index of the 32-byte entry) the output pays. */
  readonly spendKeyIndex: number;
  /** Derivation 8·a·R, 32 bytes. Secret-derived: do not log. */
  readonly derivation: Uint8Array;
  /** Which key of tx_extra made the match: -1 the transaction's main key(s), else the additional key's index. */
  readonly keySource: number;
}

/** Findings for the account in a reply, or a slice of one. Offsets and lengths are bytes in the scanned part. */
export interface ScanFindings {
  readonly startHeight: Height;
  readonly currentHeight: Height;
  readonly blocks: readonly ScannedBlock[];
  /** Only transactions that matter to somebody: owned outputs. Spends are found through `keyImageTx`. */
  readonly txs: readonly ScannedTx[];
  readonly outputs: readonly ScannedOutput[];
  /** All key images that appeared, 32 bytes each, concatenated, in chain order. */
  readonly keyImages: Uint8Array;
  /** For each key image: block index, offset and length of its transaction in the buffer, ordinal in the block: 4 u32 each. */
  readonly keyImageTx: Uint32Array;
}

/** Findings for the account in one reply, and the reply. */
export interface ScanResult extends ScanFindings {
  readonly buffer: ArrayBuffer;
}

/** The scan's port: one reply in, one result out. Independent calls may run side by side on several workers. */
export interface ScanPool {
  /** Replaces the account on every worker; scans started later see it, and those under way may. @internal */
  setAccount(account: ScanAccount): Promise<void>;
  /**
   * The reply comes back in the result, as it was.
   * @param layout of the reply, where it was walked before
   * @internal
   * @throws ScanError typed
   */
  scan(reply: ArrayBuffer, signal?: AbortSignal, layout?: ReplyLayout): Promise<ScanResult>;
  /** Starts all workers while the first reply is still on its way: much is to be scanned. */
  warmUp(): void;
  /** How many slices are scanned side by side. */
  readonly width: number;
  /** Wipes the view key and ends the workers. */
  close(): Promise<void>;
}
