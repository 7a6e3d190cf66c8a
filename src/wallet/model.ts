import type { SubaddressIndex } from '../crypto/index.ts';
import type { AtomicAmount, BlockHash, Height, KeyImage, Network, OutputKey, TxHash } from '../protocol/index.ts';

export type { SubaddressIndex } from '../crypto/index.ts';
export type { Lookahead } from '../wallet2/index.ts';

/**
 * `full` spends; `view` has the view key only and learns of spends from imported key images; `multisig` is one of several signers, and
 * composes key images from all of them; the spend key of `device` is on a device, which makes key images and signs.
 */
export type WalletKind = 'full' | 'view' | 'multisig' | 'device';

/** An output of the wallet as found on the chain. Rewound and rescanned when the chain changes. */
export interface OwnedOutput {
  readonly key: OutputKey;
  readonly txHash: TxHash;
  /** Index inside the transaction. */
  readonly outputIndex: number;
  /** Global index: among RingCT outputs, or among outputs of the same clear amount. */
  readonly globalIndex: bigint;
  readonly height: Height;
  /** Id of its block, which a whole block fetched later must hash to (T5). */
  readonly blockId: BlockHash;
  /** Unix seconds of its block. */
  readonly timestamp: number;
  readonly amount: AtomicAmount;
  /** Commitment mask, 64 hex digits (1 for coinbase and version 1 outputs). */
  readonly mask: string;
  readonly rct: boolean;
  readonly coinbase: boolean;
  /** Fee of its transaction, 0 for coinbase; absent in old journals. */
  readonly fee?: AtomicAmount;
  readonly unlockTime: bigint;
  readonly subaddress: SubaddressIndex;
  /** Transaction public key that matched, 64 hex digits: the main one or an additional one. */
  readonly txPublicKey: string;
  /** Unknown (undefined) in view-only wallets until imported. */
  readonly keyImage: KeyImage | undefined;
  /** 16 hex digits, decrypted; undefined when absent or the dummy. 64 digits for old clear ids. */
  readonly paymentId: string | undefined;
}

/** A transaction on the chain that spent outputs of ours. */
export interface ChainSpend {
  readonly keyImage: KeyImage;
  readonly txHash: TxHash;
  readonly height: Height;
  readonly timestamp: number;
  /** Fee of that transaction. */
  readonly fee: AtomicAmount;
  readonly unlockTime: bigint;
}

/** The key image of an output, by its one-time key. */
export interface KeyedImage {
  readonly key: OutputKey;
  readonly keyImage: KeyImage;
}

/** An output imported from the view-only half: a cold wallet does not scan the chain. */
export interface ImportedOutput
  extends Pick<OwnedOutput, 'key' | 'outputIndex' | 'globalIndex' | 'amount' | 'rct' | 'txPublicKey' | 'subaddress'> {
  readonly keyImage: KeyImage;
  /** Whether it is spent, according to the view-only half. */
  readonly spent: boolean;
  readonly frozen: boolean;
  /** Whether the view-only half requests its key image. */
  readonly requested: boolean;
}

/** Whom to pay, and how much in atomic units. */
export interface Destination {
  /** Address as the person entered it: standard, subaddress or integrated. */
  readonly address: string;
  readonly amount: AtomicAmount;
}

/**
 * The ring of a key image, chosen once and for all (T3). Absolute global indices. Empty if the person gave it up because its output has
 * moved.
 */
export interface Ring {
  readonly keyImage: KeyImage;
  /**
   * Everything that any daemon is ever asked for on behalf of this key image, the real output first, then decoys in a secret order of
   * preference: fixed before the first request. Absent in old journals, where only the members were requested.
   */
  readonly asked?: readonly bigint[];
  /** The ring, ascending, with the real output; empty until an answer has shown which of the requested outputs are usable. */
  readonly members: readonly bigint[];
}

/** A transaction of ours from the moment it was built. Never rebuilt from the chain, never dropped by a rescan. */
export interface SentTransaction {
  readonly txHash: TxHash;
  /** Whole transaction, hex; kept until mined or its inputs are spent elsewhere (T3). */
  readonly blob: string;
  /** Transaction secret key and additional ones, hex, main first. */
  readonly txKeys: readonly string[];
  readonly destinations: readonly Destination[];
  readonly change: AtomicAmount;
  readonly changeAddress: SubaddressIndex;
  readonly fee: AtomicAmount;
  readonly weight: number;
  readonly inputs: readonly KeyImage[];
  readonly account: number;
  readonly subaddresses: readonly number[];
  readonly paymentId: string | undefined;
  readonly unlockTime: bigint;
  /** Unix seconds. */
  readonly builtAt: number;
}

/** A transaction made by another program with the same keys, as that program recorded it. */
export interface RecordedTransaction {
  readonly txHash: TxHash;
  /** Transaction secret key and additional ones, hex, main first; empty if that program did not store them. */
  readonly txKeys: readonly string[];
  readonly destinations: readonly Destination[];
  /** Change in atomic units; undefined where the other program did not know it. */
  readonly change: AtomicAmount | undefined;
  readonly paymentId: string | undefined;
}

/** State of a transaction of ours. `failed`: rejected, missing from the pool for long, or its inputs were spent elsewhere. */
export type SentState = 'sent' | 'pool' | 'mined' | 'failed';

/** What is stored of a scanned block. Its timestamp is in unix seconds. */
export interface BlockStub {
  readonly height: Height;
  readonly id: BlockHash;
  readonly timestamp: number;
}

/** Facts about a wallet that need no secret. */
export interface WalletDescription {
  readonly kind: WalletKind;
  readonly network: Network;
  readonly primaryAddress: string;
  readonly restoreHeight: Height;
  /** Unix seconds. */
  readonly createdAt: number;
}
