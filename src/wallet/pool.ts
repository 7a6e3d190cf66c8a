import type { AtomicAmount, KeyImage, TxHash } from '../protocol/index.ts';
import type { SubaddressIndex } from './model.ts';

/** Amount that an unmined transaction would bring to one subaddress. */
export interface PoolPayment {
  readonly txHash: TxHash;
  readonly amount: AtomicAmount;
  /** Its parts, output by output. */
  readonly amounts: readonly AtomicAmount[];
  readonly fee: AtomicAmount;
  readonly subaddress: SubaddressIndex;
  /** Unix seconds, when this wallet first saw it. */
  readonly timestamp: number;
  readonly unlockTime: bigint;
  readonly paymentId: string | undefined;
  readonly doubleSpendSeen: boolean;
}

/** An unmined transaction that spends outputs of ours, as its bytes show it; they do not show its recipients. */
export interface PoolSpend {
  readonly txHash: TxHash;
  /** Sum of our inputs, atomic units. */
  readonly amountIn: AtomicAmount;
  /** Change to the account it spends from. */
  readonly received: AtomicAmount;
  readonly fee: AtomicAmount;
  /** Account of our last input. */
  readonly account: number;
  /** Subaddresses that it spends from, ascending. */
  readonly minors: readonly number[];
  /** Unix seconds, when this wallet first saw it. */
  readonly timestamp: number;
  readonly unlockTime: bigint;
  readonly doubleSpendSeen: boolean;
}

/** The daemon's pool as far as it concerns this wallet. Not journalled: forgotten when the wallet closes. */
export interface PoolView {
  readonly payments: readonly PoolPayment[];
  /** Hashes of transactions in the pool that this wallet sent. */
  readonly ours: ReadonlySet<TxHash>;
  /** Our key images that pool transactions spend, and by which one. */
  readonly spends: ReadonlyMap<KeyImage, TxHash>;
  /** Pool transactions that spend our outputs, by whomever sent. */
  readonly outgoing: readonly PoolSpend[];
}

/** View of a pool that has nothing of ours or was not looked at. */
export const EMPTY_POOL: PoolView = { payments: [], ours: new Set(), spends: new Map(), outgoing: [] };
