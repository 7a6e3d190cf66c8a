import * as v from 'valibot';
import { MAX_BLOCK_NUMBER } from '../protocol/unlock.ts';
import type { Destination, SubaddressIndex } from '../wallet/model.ts';
import { amountSent, isLocked, type ReceivedPayment, type SpentTransfer } from '../wallet/payments.ts';
import type { PoolPayment } from '../wallet/pool.ts';
import type { WalletRoom } from '../wallet/room.ts';
import type { SentEntry } from '../wallet/state.ts';
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

/** Makes entries of one instant of a wallet. */
export class TransferEntries {
  readonly #room: WalletRoom;
  readonly #now: number;

  constructor(room: WalletRoom) {
    this.#room = room;
    this.#now = Math.floor(room.clock.now() / 1000);
  }

  received(payment: ReceivedPayment): TransferEntry {
    const { txHash, height, unlockTime, subaddress } = payment;
    return this.#complete({
      txid: txHash,
      payment_id: shownPaymentId(payment.paymentId),
      height,
      timestamp: payment.timestamp,
      amount: payment.amount,
      amounts: [...payment.amounts],
      fee: payment.fee,
      note: this.#note(txHash),
      destinations: [],
      type: payment.coinbase ? 'block' : 'in',
      unlock_time: unlockTime,
      locked: isLocked(this.#room.state, height, unlockTime, this.#now),
      ...this.#at(subaddress, [subaddress]),
      double_spend_seen: false,
    });
  }

  confirmed(spent: SpentTransfer): TransferEntry {
    const { state } = this.#room;
    const { txHash, height, unlockTime, account, minors } = spent;
    const sent = state.sent.get(txHash)?.tx;
    return this.#complete({
      txid: txHash,
      payment_id: shownPaymentId((sent?.paymentId ?? '').padEnd(64, '0')),
      height,
      timestamp: spent.timestamp,
      amount: amountSent(state, spent),
      amounts: [],
      fee: spent.fee,
      note: this.#note(txHash),
      destinations: shownDestinations(sent?.destinations ?? []),
      type: 'out',
      unlock_time: unlockTime,
      locked: isLocked(state, height, unlockTime, this.#now),
      ...this.#at(
        { major: account, minor: 0 },
        minors.map((minor) => ({ major: account, minor })),
      ),
      double_spend_seen: false,
    });
  }

  unconfirmed({ tx, at }: SentEntry, failed: boolean): TransferEntry {
    const subaddresses = tx.subaddresses.map((minor) => ({ major: tx.account, minor }));
    return this.#complete({
      txid: tx.txHash,
      payment_id: shownPaymentId((tx.paymentId ?? '').padEnd(64, '0')),
      height: 0,
      timestamp: at,
      amount: tx.destinations.reduce((sum, { amount }) => sum + amount, 0n),
      amounts: [],
      fee: tx.fee,
      note: this.#note(tx.txHash),
      destinations: shownDestinations(tx.destinations),
      type: failed ? 'failed' : 'pending',
      unlock_time: tx.unlockTime,
      locked: true,
      ...this.#at({ major: tx.account, minor: 0 }, ascending(subaddresses)),
      double_spend_seen: false,
    });
  }

  pool(payment: PoolPayment): TransferEntry {
    const { txHash, subaddress } = payment;
    return this.#complete({
      txid: txHash,
      payment_id: shownPaymentId((payment.paymentId ?? '').padEnd(64, '0')),
      height: 0,
      timestamp: payment.timestamp,
      amount: payment.amount,
      amounts: [...payment.amounts],
      fee: payment.fee,
      note: this.#note(txHash),
      destinations: [],
      type: 'pool',
      unlock_time: payment.unlockTime,
      locked: true,
      ...this.#at(subaddress, [subaddress]),
      double_spend_seen: payment.doubleSpendSeen,
    });
  }

  #note(txHash: string): string {
    return this.#room.state.notes.get(txHash as never) ?? '';
  }

  #at(index: SubaddressIndex, all: readonly SubaddressIndex[]) {
    return { subaddr_index: index, subaddr_indices: [...all], address: this.#room.addressOf(index) };
  }

  /** wallet_rpc_server.cpp, set_confirmations. Fields that are 0 are left out. */
  #complete(entry: TransferEntry): TransferEntry {
    const { height: chainHeight, lastReward } = this.#room.state;
    const unmined = entry.height === 0 && (entry.type === 'pending' || entry.type === 'pool');
    const confirmations = entry.height >= chainHeight || unmined ? 0 : chainHeight - entry.height;
    let threshold = lastReward === 0n ? 0n : (BigInt(entry.amount) + lastReward - 1n) / lastReward;
    const unlock = BigInt(entry.unlock_time);
    const left =
      unlock < MAX_BLOCK_NUMBER
        ? unlock - BigInt(chainHeight)
        : unlock > BigInt(this.#now)
          ? (unlock - BigInt(this.#now) + BLOCK_SECONDS - 1n) / BLOCK_SECONDS
          : 0n;
    if (left > threshold) threshold = left;
    return {
      ...entry,
      ...(confirmations === 0 ? {} : { confirmations }),
      ...(threshold === 0n ? {} : { suggested_confirmations_threshold: threshold }),
    };
  }
}

/** Sixteen digits when the rest is zeros. */
const shownPaymentId = (id: string): string => (/^0*$/.test(id.slice(16)) ? id.slice(0, 16) : id);

const shownDestinations = (destinations: readonly Destination[]) =>
  destinations.map(({ address, amount }) => ({ amount, address }));

const ascending = (indices: readonly SubaddressIndex[]): SubaddressIndex[] => [...indices].sort((a, b) => a.minor - b.minor);
