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

/** An unmined transaction that takes outputs of ours, as its bytes show it: whom it pays they do not. */
export interface PoolSpend {
  readonly txHash: TxHash;
  /** Sum of our inputs, atomic units. */
  readonly amountIn: AtomicAmount;
  /** Change to the account it spends from. */
  readonly received: AtomicAmount;
  readonly fee: AtomicAmount;
  /** Account of the last input of ours. */
  readonly account: number;
  /** Subaddresses it takes from, ascending. */
  readonly minors: readonly number[];
  /** Unix seconds, when this wallet first saw it. */
  readonly timestamp: number;
  readonly unlockTime: bigint;
  readonly doubleSpendSeen: boolean;
}

/** The daemon's pool as far as it concerns this wallet. Seen, not recorded: gone when the wallet closes. */
export interface PoolView {
  readonly payments: readonly PoolPayment[];
  /** Every transaction hash in the pool that this wallet sent. */
  readonly ours: ReadonlySet<TxHash>;
  /** Key images of ours that a pool transaction takes, and which one does. */
  readonly spends: ReadonlyMap<KeyImage, TxHash>;
  /** Pool transactions that spend them, whoever sent them. */
  readonly outgoing: readonly PoolSpend[];
}

/** View of a pool that holds nothing of ours or has not been looked at. */
export const EMPTY_POOL: PoolView = { payments: [], ours: new Set(), spends: new Map(), outgoing: [] };
