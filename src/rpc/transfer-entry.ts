import * as v from 'valibot';
import type { TxHash } from '../protocol/model.ts';
import { isUnlockHeight } from '../protocol/unlock.ts';
import type { Destination, SubaddressIndex } from '../wallet/model.ts';
import { amountSent, isLocked, type ReceivedPayment, type SpentTransfer } from '../wallet/payments.ts';
import type { PoolPayment } from '../wallet/pool.ts';
import type { WalletRoom } from '../wallet/room.ts';
import type { SentEntry, WalletState } from '../wallet/state.ts';
import { result, subaddressIndex } from './fields.ts';

/** Seconds between blocks (DIFFICULTY_TARGET_V2). */
const BLOCK_SECONDS = 120n;

export const transferEntry = v.object({
  txid: result.text,
  payment_id: result.text,
  height: result.u32,
  timestamp: result.u32,
  amount: result.u64,
  amounts: v.array(result.u64),
  fee: result.u64,
  note: result.text,
  destinations: v.array(v.object({ amount: result.u64, address: result.text })),
  type: v.picklist(['in', 'out', 'pending', 'failed', 'pool', 'block']),
  unlock_time: result.u64,
  locked: result.bool,
  subaddr_index: subaddressIndex,
  subaddr_indices: v.array(subaddressIndex),
  address: result.text,
  double_spend_seen: result.bool,
  confirmations: v.optional(result.u32),
  suggested_confirmations_threshold: v.optional(result.u64),
});
export type TransferEntry = v.InferInput<typeof transferEntry>;

/** What an entry is made of: the rest of it follows from this and from the wallet. */
interface Facts {
  readonly txHash: TxHash;
  /** As many digits as there are. */
  readonly paymentId: string | undefined;
  /** 0 when it is in no block. */
  readonly height: number;
  readonly timestamp: number;
  readonly amount: bigint;
  readonly amounts: readonly bigint[];
  readonly fee: bigint;
  readonly destinations: readonly Destination[];
  readonly type: TransferEntry['type'];
  readonly unlockTime: bigint;
  readonly locked: boolean;
  readonly index: SubaddressIndex;
  readonly indices: SubaddressIndex[];
  readonly doubleSpendSeen: boolean;
}

/** Makes entries of one instant of a wallet. */
export class TransferEntries {
  readonly #room: WalletRoom;
  readonly #state: WalletState;
  readonly #now: number;

  constructor(room: WalletRoom) {
    this.#room = room;
    this.#state = room.state;
    this.#now = Math.floor(room.clock.now() / 1000);
  }

  received(payment: ReceivedPayment): TransferEntry {
    const { height, unlockTime, subaddress } = payment;
    return this.#entry({
      txHash: payment.txHash,
      paymentId: payment.paymentId,
      height,
      timestamp: payment.timestamp,
      amount: payment.amount,
      amounts: payment.amounts,
      fee: payment.fee,
      destinations: [],
      type: payment.coinbase ? 'block' : 'in',
      unlockTime,
      locked: isLocked(this.#state, height, unlockTime, this.#now),
      index: subaddress,
      indices: [subaddress],
      doubleSpendSeen: false,
    });
  }

  confirmed(spent: SpentTransfer): TransferEntry {
    const { txHash, height, unlockTime, account, minors } = spent;
    const sent = this.#state.sent.get(txHash)?.tx;
    return this.#entry({
      txHash,
      paymentId: sent?.paymentId,
      height,
      timestamp: spent.timestamp,
      amount: amountSent(this.#state, spent),
      amounts: [],
      fee: spent.fee,
      destinations: sent?.destinations ?? [],
      type: 'out',
      unlockTime,
      locked: isLocked(this.#state, height, unlockTime, this.#now),
      index: { major: account, minor: 0 },
      indices: minors.map((minor) => ({ major: account, minor })),
      doubleSpendSeen: false,
    });
  }

  unconfirmed({ tx, at }: SentEntry, failed: boolean): TransferEntry {
    return this.#entry({
      txHash: tx.txHash,
      paymentId: tx.paymentId,
      height: 0,
      timestamp: at,
      amount: tx.destinations.reduce((sum, { amount }) => sum + amount, 0n),
      amounts: [],
      fee: tx.fee,
      destinations: tx.destinations,
      type: failed ? 'failed' : 'pending',
      unlockTime: tx.unlockTime,
      locked: true,
      index: { major: tx.account, minor: 0 },
      indices: ascending(tx.subaddresses.map((minor) => ({ major: tx.account, minor }))),
      doubleSpendSeen: false,
    });
  }

  pool(payment: PoolPayment): TransferEntry {
    const { subaddress } = payment;
    return this.#entry({
      txHash: payment.txHash,
      paymentId: payment.paymentId,
      height: 0,
      timestamp: payment.timestamp,
      amount: payment.amount,
      amounts: payment.amounts,
      fee: payment.fee,
      destinations: [],
      type: 'pool',
      unlockTime: payment.unlockTime,
      locked: true,
      index: subaddress,
      indices: [subaddress],
      doubleSpendSeen: payment.doubleSpendSeen,
    });
  }

  /** One literal for all of them: a reply may hold a hundred thousand. */
  #entry(facts: Facts): TransferEntry {
    return {
      txid: facts.txHash,
      payment_id: shownPaymentId(facts.paymentId),
      height: facts.height,
      timestamp: facts.timestamp,
      amount: facts.amount,
      amounts: [...facts.amounts],
      fee: facts.fee,
      note: this.#state.notes.get(facts.txHash) ?? '',
      destinations: facts.destinations.map(({ address, amount }) => ({ amount, address })),
      type: facts.type,
      unlock_time: facts.unlockTime,
      locked: facts.locked,
      subaddr_index: facts.index,
      subaddr_indices: facts.indices,
      address: this.#room.addressOf(facts.index),
      double_spend_seen: facts.doubleSpendSeen,
      confirmations: this.#confirmations(facts),
      suggested_confirmations_threshold: this.#threshold(facts),
    };
  }

  /** wallet_rpc_server.cpp, set_confirmations; undefined, and so left out, when there are none. */
  #confirmations({ height, type }: Facts): number | undefined {
    const chainHeight = this.#state.height;
    const unmined = height === 0 && (type === 'pending' || type === 'pool');
    return height >= chainHeight || unmined ? undefined : chainHeight - height;
  }

  /** The other half of set_confirmations; undefined for 0. */
  #threshold({ amount, unlockTime }: Facts): bigint | undefined {
    const { lastReward } = this.#state;
    const byAmount = lastReward === 0n ? 0n : (amount + lastReward - 1n) / lastReward;
    const byTime = unlockTime === 0n ? 0n : this.#blocksUntil(unlockTime);
    return larger(byAmount, byTime) || undefined;
  }

  #blocksUntil(unlockTime: bigint): bigint {
    if (isUnlockHeight(unlockTime)) return unlockTime - BigInt(this.#state.height);
    const seconds = unlockTime - BigInt(this.#now);
    return seconds > 0n ? (seconds + BLOCK_SECONDS - 1n) / BLOCK_SECONDS : 0n;
  }
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Digits of a long payment id after those of a short one. */
const REST = '0'.repeat(48);

/** Sixteen digits when the rest is zeros. */
const shownPaymentId = (id = ''): string => {
  const whole = id.padEnd(64, '0');
  return whole.endsWith(REST) ? whole.slice(0, 16) : whole;
};

const ascending = (indices: readonly SubaddressIndex[]): SubaddressIndex[] => [...indices].sort((a, b) => a.minor - b.minor);
