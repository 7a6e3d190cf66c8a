import type { BlockHash, Height, TxHash } from '../protocol/index.ts';
import type { ReplyLayout } from '../scan/index.ts';

/** A call that is aborted by the signal. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Length of a daemon's chain, as it claims. */
export interface HeightAnswer {
  /** Number of blocks of the daemon's chain: the height of the next block. */
  readonly height: Height;
  /** Id of its top block. */
  readonly hash: BlockHash;
}

/** `get_info`, as far as a wallet needs it. */
export interface DaemonInfo {
  /** Number of blocks of the daemon's chain. */
  readonly height: Height;
  /** Height claimed by its peers; 0 if it knows none. */
  readonly targetHeight: Height;
  readonly topBlockHash: BlockHash;
  /** `mainnet`, `stagenet`, `testnet`, `fakechain` (regtest), or another word. */
  readonly nettype: string;
  readonly difficulty: bigint;
  readonly txPoolSize: number;
  /** Bytes of weight. */
  readonly blockWeightLimit: number;
  readonly blockWeightMedian: number;
  /** Unix seconds, the network's idea of now. */
  readonly adjustedTime: number;
  readonly offline: boolean;
  readonly synchronized: boolean;
  readonly busySyncing: boolean;
  readonly restricted: boolean;
  /** Version text, such as "0.18.0.0-unknown"; empty on restricted daemons. A stranger's text. */
  readonly version: string;
  /** Whether the daemon passes on answers of another one. */
  readonly untrusted: boolean;
}

/** `get_version`: the version of the RPC, and the chain's hard forks. */
export interface DaemonVersion {
  readonly major: number;
  readonly minor: number;
  readonly release: boolean;
  /** Number of blocks; undefined on daemons before RPC version 3.11. */
  readonly currentHeight: Height | undefined;
  readonly targetHeight: Height | undefined;
  /** Protocol versions and the heights they start at; empty on daemons before RPC version 3.11. */
  readonly hardForks: readonly { readonly version: number; readonly height: Height }[];
}

/** A history to find the last common block, or a height above 0 to start at. */
export type BlocksFrom = ShortHistory | { readonly startHeight: Height };

/** Ids of known blocks, newest first and genesis last: densely at first, then at doubling distances. */
export interface ShortHistory {
  readonly blockIds: readonly BlockHash[];
}

/** Which blocks `get_blocks.bin` should return, and in which form. */
export type GetBlocksRequest = BlocksFrom &
  CallOptions & {
    /** Without signatures and proofs. Such transactions cannot be hashed (T5). */
    readonly prune: boolean;
    /** Most blocks wanted; daemons before RPC version 3.15 ignore it and send up to 1,000. */
    readonly maxBlockCount?: number;
    /** Request the pool with the blocks; daemons before release 0.18.3 ignore it. */
    readonly pool?: PoolRequest;
    /** Called as bytes arrive. */
    readonly onProgress?: (received: number, total: number | undefined) => void;
  };

/** Findings of the walk over a blocks reply, before any block is parsed. */
export interface BlocksReplyOutline {
  /** Height of the first block of the reply. */
  readonly startHeight: Height;
  /** Number of blocks of the daemon's chain. */
  readonly currentHeight: Height;
  readonly blocks: number;
  /** Number without coinbases. */
  readonly transactions: number;
  /** Offsets of blocks and transactions in the reply's bytes. */
  readonly layout: ReplyLayout;
}

/** Time of the daemon's own clock since which changes of the pool are wanted. 0 requests the whole pool. */
export interface PoolRequest {
  readonly since: bigint;
}

/** A pool transaction without signatures and proofs. Its bytes do not prove that they belong to the id. */
export interface PooledTransaction {
  readonly hash: TxHash;
  readonly pruned: Uint8Array;
  readonly doubleSpendSeen: boolean;
}

/** Changes of a daemon's pool. Apply removals before additions: some transactions return. */
export interface PoolUpdate {
  /** Seconds of the daemon's clock, to be sent as the next `since`. */
  readonly time: bigint;
  /** Whether this is the whole pool or the changes since the requested time. */
  readonly extent: 'all' | 'changes';
  readonly removed: readonly TxHash[];
  readonly added: readonly PooledTransaction[];
  /** Added too, but must be requested: restricted daemons send 100 at once. */
  readonly named: readonly TxHash[];
}

/** A whole block and its transactions in wire format. */
export interface WholeBlock {
  readonly block: Uint8Array;
  readonly transactions: readonly Uint8Array[];
}

/** `amount` 0n names RingCT outputs. */
export interface OutputRequest {
  readonly amount: bigint;
  /** Global index among outputs of this amount. */
  readonly index: bigint;
}

/** An output by its global index (`get_outs.bin`): what a ring member needs. */
export interface OutputByIndex {
  /** One-time public key, 32 bytes. */
  readonly key: Uint8Array;
  /** Commitment, 32 bytes. */
  readonly mask: Uint8Array;
  readonly unlocked: boolean;
  readonly height: Height;
  /** 64 hex digits, zeros when not asked for. */
  readonly txHash: TxHash;
}

/** Number of outputs of an amount in each block. Decoys are drawn from it (T4). */
export interface OutputDistribution {
  readonly amount: bigint;
  /** Height of the first entry. */
  readonly startHeight: Height;
  /** Outputs below `startHeight`. */
  readonly base: number;
  /** For each block: outputs in it, or outputs up to and including it when cumulative. */
  readonly distribution: Float64Array;
  readonly cumulative: boolean;
}

/** Counts of the outputs of one amount: all, unlocked, and recent ones. The last two are 0 when they were not requested. */
export interface HistogramEntry {
  readonly amount: bigint;
  readonly total: bigint;
  readonly unlocked: bigint;
  readonly recent: bigint;
}

/** The daemon's fee estimate. It is checked against bounds before it is used (T1). */
export interface FeeEstimate {
  /** Atomic units per byte of weight, for the default priority of old wallets. */
  readonly fee: bigint;
  /** Atomic units per byte of weight, slowest first: priorities 1 to 4. */
  readonly fees: readonly bigint[];
  /** Fees are rounded up to a multiple of this. */
  readonly quantizationMask: bigint;
}

/** A transaction in the pool. `weight` in bytes, `fee` in atomic units. */
export interface BacklogEntry {
  readonly weight: number;
  readonly fee: bigint;
  /** Seconds. */
  readonly timeInPool: number;
}

/** A transaction as the daemon sends it, unparsed. Only hashing proves that it is the requested one. */
export interface TransactionEntry {
  readonly hash: TxHash;
  /** Whole transaction; undefined when pruned ones were requested or the daemon has no more. */
  readonly whole: Uint8Array | undefined;
  /** Without signatures and proofs; present when `whole` is not. */
  readonly pruned: Uint8Array | undefined;
  /** Signatures and proofs, when sent separately. */
  readonly prunable: Uint8Array | undefined;
  /** 32 bytes; zeros for version 1. */
  readonly prunableHash: Uint8Array;
  readonly inPool: boolean;
  readonly doubleSpendSeen: boolean;
  /** undefined in the pool. */
  readonly height: Height | undefined;
  /** Unix seconds of its block, or of its arrival in the pool. */
  readonly timestamp: number;
  /** Global indices of its outputs; empty in the pool. */
  readonly outputIndices: readonly bigint[];
}

/** Transactions that a daemon has, and the ids of those it lacks. */
export interface TransactionsAnswer {
  readonly transactions: readonly TransactionEntry[];
  readonly missed: readonly TxHash[];
}

/** Whether a key image is unspent, spent in a block, or spent by a transaction of the pool. */
export type SpentStatus = 'unspent' | 'spent' | 'pool';

/** A daemon's reasons for refusing a transaction, each a field. */
export const REFUSAL_REASONS = [
  'double-spend',
  'fee-too-low',
  'invalid-input',
  'invalid-output',
  'low-mixin',
  'not-relayed',
  'overspend',
  'sanity-check-failed',
  'too-big',
  'too-few-outputs',
  'tx-extra-too-big',
  'nonzero-unlock-time',
] as const;

/** Reasons a daemon names for refusing a transaction. */
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Result of submitting a transaction. */
export interface SendAnswer {
  readonly accepted: boolean;
  readonly reasons: readonly RefusalReason[];
  /** The daemon's own words; a stranger's text. */
  readonly reason: string;
}

/** A block's header as the daemon reports it, with values that it computed. */
export interface HeaderEntry {
  readonly height: Height;
  readonly hash: BlockHash;
  readonly prevHash: BlockHash;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly majorVersion: number;
  readonly minorVersion: number;
  readonly reward: bigint;
  /** Bytes of weight. */
  readonly blockWeight: number;
  readonly longTermWeight: number;
  /** Number without coinbase. */
  readonly transactions: number;
}
