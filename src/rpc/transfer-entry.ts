import * as v from 'valibot';
import { JsonList } from '../base/index.ts';
import type { TxHash } from '../protocol/model.ts';
import { isUnlockHeight } from '../protocol/unlock.ts';
import type { WalletContext } from '../wallet/context.ts';
import { knownSend } from '../wallet/known-send.ts';
import type { Destination, SubaddressIndex, ToldTransaction } from '../wallet/model.ts';
import type { PoolPayment } from '../wallet/pool.ts';
import {
  amountSent,
  isSpendableAt,
  type ReceivedPayment,
  type SpentTransfer,
  type UnconfirmedTransfer,
} from '../wallet/projection/index.ts';
import type { SentEntry, WalletState } from '../wallet/state.ts';
import { result, subaddressIndex } from './fields.ts';
import { HeldAddresses } from './held-addresses.ts';

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

/** What of a wallet entries are made of, beside what they are entries of. */
interface Moment {
  readonly height: number;
  readonly lastReward: bigint;
  readonly sent: ReadonlyMap<TxHash, SentEntry>;
  readonly told: ReadonlyMap<TxHash, ToldTransaction>;
}

/** Makes lists of entries of one instant of a wallet: they may be printed when it has moved on, or is closed. */
export class TransferEntries {
  readonly #state: WalletState;
  readonly #now: number;
  readonly #notes = new Map<TxHash, string>();
  readonly #sent = new Map<TxHash, SentEntry>();
  readonly #told = new Map<TxHash, ToldTransaction>();
  readonly #addresses: HeldAddresses;
  readonly #moment: Moment;

  constructor(room: WalletContext) {
    const { height, lastReward } = room.state;
    this.#state = room.state;
    this.#now = Math.floor(room.clock.now() / 1000);
    this.#addresses = new HeldAddresses(room);
    this.#moment = { height, lastReward, sent: this.#sent, told: this.#told };
  }

  received(payments: readonly ReceivedPayment[]): JsonList<TransferEntry> {
    for (const { txHash, subaddress } of payments) this.#hold(txHash, subaddress);
    return JsonList.of(payments, (payment) => this.#received(payment));
  }

  confirmed(spent: readonly SpentTransfer[]): JsonList<TransferEntry> {
    for (const { txHash, account } of spent) {
      this.#hold(txHash, { major: account, minor: 0 });
      const sent = this.#state.sent.get(txHash);
      if (sent !== undefined) this.#sent.set(txHash, sent);
      const told = this.#state.told.get(txHash);
      if (told !== undefined) this.#told.set(txHash, told);
    }
    return JsonList.of(spent, (one) => this.#confirmed(one));
  }

  /** Of transactions that are under way, or that failed. */
  unconfirmed(transfers: readonly UnconfirmedTransfer[]): JsonList<TransferEntry> {
    for (const { txHash, account } of transfers) this.#hold(txHash, { major: account, minor: 0 });
    return JsonList.of(transfers, (transfer) => this.#unconfirmed(transfer));
  }

  pool(payments: readonly PoolPayment[]): JsonList<TransferEntry> {
    for (const { txHash, subaddress } of payments) this.#hold(txHash, subaddress);
    return JsonList.of(payments, (payment) => this.#pool(payment));
  }

  /** Keeps what will be looked up. */
  #hold(txHash: TxHash, index: SubaddressIndex): void {
    this.#addresses.hold(index);
    const note = this.#state.notes.get(txHash);
    if (note !== undefined) this.#notes.set(txHash, note);
  }

  #received(payment: ReceivedPayment): TransferEntry {
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
      locked: !isSpendableAt(payment, this.#moment.height, this.#now),
      index: subaddress,
      indices: [subaddress],
      doubleSpendSeen: false,
    });
  }

  #confirmed(spent: SpentTransfer): TransferEntry {
    const { txHash, height, unlockTime, account, minors } = spent;
    const sent = knownSend(this.#moment, txHash);
    return this.#entry({
      txHash,
      paymentId: sent?.paymentId,
      height,
      timestamp: spent.timestamp,
      amount: amountSent(this.#moment, spent),
      amounts: [],
      fee: spent.fee,
      destinations: sent?.destinations ?? [],
      type: 'out',
      unlockTime,
      locked: !isSpendableAt(spent, this.#moment.height, this.#now),
      index: { major: account, minor: 0 },
      indices: minors.map((minor) => ({ major: account, minor })),
      doubleSpendSeen: false,
    });
  }

  #unconfirmed(transfer: UnconfirmedTransfer): TransferEntry {
    const { account } = transfer;
    return this.#entry({
      txHash: transfer.txHash,
      paymentId: transfer.paymentId,
      height: 0,
      timestamp: transfer.timestamp,
      amount: transfer.amount,
      amounts: [],
      fee: transfer.fee,
      destinations: transfer.destinations,
      type: transfer.state === 'failed' ? 'failed' : 'pending',
      unlockTime: transfer.unlockTime,
      locked: true,
      index: { major: account, minor: 0 },
      indices: ascending(transfer.minors.map((minor) => ({ major: account, minor }))),
      doubleSpendSeen: false,
    });
  }

  #pool(payment: PoolPayment): TransferEntry {
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
      note: this.#notes.get(facts.txHash) ?? '',
      destinations: facts.destinations.map(({ address, amount }) => ({ amount, address })),
      type: facts.type,
      unlock_time: facts.unlockTime,
      locked: facts.locked,
      subaddr_index: facts.index,
      subaddr_indices: facts.indices,
      address: this.#addresses.of(facts.index),
      double_spend_seen: facts.doubleSpendSeen,
      confirmations: this.#confirmations(facts),
      suggested_confirmations_threshold: this.#threshold(facts),
    };
  }

  /** wallet_rpc_server.cpp, set_confirmations; undefined, and so left out, when there are none. */
  #confirmations({ height, type }: Facts): number | undefined {
    const chainHeight = this.#moment.height;
    const unmined = height === 0 && (type === 'pending' || type === 'pool');
    return height >= chainHeight || unmined ? undefined : chainHeight - height;
  }

  /** The other half of set_confirmations; undefined for 0. */
  #threshold({ amount, unlockTime }: Facts): bigint | undefined {
    const { lastReward } = this.#moment;
    const byAmount = lastReward === 0n ? 0n : (amount + lastReward - 1n) / lastReward;
    const byTime = unlockTime === 0n ? 0n : this.#blocksUntil(unlockTime);
    return larger(byAmount, byTime) || undefined;
  }

  #blocksUntil(unlockTime: bigint): bigint {
    if (isUnlockHeight(unlockTime)) return unlockTime - BigInt(this.#moment.height);
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
