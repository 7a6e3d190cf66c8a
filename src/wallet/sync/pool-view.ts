import { pushTo, secondsOf } from '../../base/index.ts';
import {
  type AtomicAmount,
  eraOfOutputs,
  feeOf,
  type KeyImage,
  keyImagesIn,
  type Transaction,
  type TxHash,
  toAtomicAmount,
  totalOf,
} from '../../protocol/index.ts';
import { isWithin } from '../lookahead.ts';
import type { SubaddressIndex } from '../model.ts';
import type { PoolPayment, PoolSpend, PoolView } from '../pool.ts';
import { entryOfImage, indexKey, type WalletState } from '../state/state.ts';
import type { SyncContext } from './context.ts';
import { matchOutputs } from './match.ts';
import { paymentIdToUs } from './tx-extra.ts';

/** A decoded pool transaction, independent of the wallet's state. Most do not concern the wallet. */
export interface SeenTransaction {
  /** All key images that it spends: outputs of ours may be found later. */
  readonly images: readonly KeyImage[];
  readonly outputs: readonly SeenOutput[];
  readonly fee: AtomicAmount;
  /** Unix seconds, when it was first seen. */
  readonly timestamp: number;
  readonly unlockTime: bigint;
  readonly paymentId: string | undefined;
  readonly doubleSpendSeen: boolean;
}

/** An output addressed to us. */
interface SeenOutput {
  readonly subaddress: SubaddressIndex;
  readonly amount: AtomicAmount;
}

type Reader = Pick<SyncContext, 'keys' | 'table' | 'clock'>;

/**
 * Reads a pool transaction.
 * @throws ProtocolError `out-of-range` if its outputs to us exceed any possible amount: no proof of its amounts was checked
 */
export function seenTransaction({ keys, table, clock }: Reader, tx: Transaction, doubleSpendSeen: boolean): SeenTransaction {
  const era = eraOfOutputs(tx);
  const outputs: SeenOutput[] = [];
  for (const { outputIndex, derivation, subaddress } of matchOutputs(tx, keys.viewKey, (key) => table.find(key))) {
    const opened = era.outputs.open(tx, outputIndex, derivation);
    if (opened !== undefined) outputs.push({ subaddress, amount: opened.amount });
  }
  // Checked here, where an unreadable transaction does not hide others.
  sum(outputs);
  return {
    images: keyImagesIn(tx),
    outputs,
    fee: toAtomicAmount(feeOf(tx)),
    timestamp: secondsOf(clock),
    unlockTime: tx.unlockTime,
    paymentId: outputs.length === 0 ? undefined : paymentIdToUs(era, tx, keys.viewKey),
    doubleSpendSeen,
  };
}

/** The pool's effects on the wallet's current state. @param pool undefined for transactions that cannot be read */
export function poolView(state: WalletState, pool: Iterable<readonly [TxHash, SeenTransaction | undefined]>): PoolView {
  const payments: PoolPayment[] = [];
  const outgoing: PoolSpend[] = [];
  const ours = new Set<TxHash>();
  const spends = new Map<KeyImage, TxHash>();
  for (const [txHash, seen] of pool) {
    if (state.sent.has(txHash)) ours.add(txHash);
    if (seen === undefined || isDead(state, seen)) continue;
    for (const image of seen.images) if (state.byKeyImage.has(image)) spends.set(image, txHash);
    if (state.transactions.has(txHash)) continue;
    const spend = spendOf(state, txHash, seen);
    if (spend !== undefined) outgoing.push(spend);
    // Of one of ours the inputs may be unknown: a rescan has not come to them, or the chain took them back.
    payments.push(...paymentsOf(state, txHash, seen, spend?.account ?? state.sent.get(txHash)?.tx.account));
  }
  return { payments, ours, spends, outgoing };
}

/** Can never be mined: the chain spent one of its inputs elsewhere, or it is mined. */
function isDead(state: WalletState, { images }: SeenTransaction): boolean {
  return images.some((image) => entryOfImage(state, image)?.spend !== undefined);
}

/** Our inputs and change in a pool transaction; undefined if it has no input of ours. */
function spendOf(state: WalletState, txHash: TxHash, seen: SeenTransaction): PoolSpend | undefined {
  const taken = seen.images.flatMap((image) => entryOfImage(state, image)?.output ?? []);
  const account = taken.at(-1)?.subaddress.major;
  if (account === undefined) return undefined;
  const { fee, timestamp, unlockTime, doubleSpendSeen } = seen;
  const back = seen.outputs.filter(({ subaddress }) => subaddress.major === account && isWithin(state, subaddress));
  const minors = [...new Set(taken.map(({ subaddress }) => subaddress.minor))].sort((a, b) => a - b);
  const common = { txHash, account, minors, fee, timestamp, unlockTime, doubleSpendSeen };
  return { ...common, amountIn: sum(taken), received: sum(back) };
}

/** Payments to us by subaddress, without change to the account it spends from. */
function paymentsOf(state: WalletState, txHash: TxHash, seen: SeenTransaction, spentFrom: number | undefined): PoolPayment[] {
  const groups = new Map<string, SeenOutput[]>();
  for (const output of seen.outputs) {
    const { subaddress } = output;
    if (subaddress.major !== spentFrom && isWithin(state, subaddress)) pushTo(groups, indexKey(subaddress), output);
  }
  const { fee, timestamp, unlockTime, paymentId, doubleSpendSeen } = seen;
  const common = { txHash, fee, timestamp, unlockTime, paymentId, doubleSpendSeen };
  return [...groups.values()].map((group) => ({
    ...common,
    subaddress: group[0]!.subaddress,
    amount: sum(group),
    amounts: group.map(({ amount }) => amount),
  }));
}

const sum = (parts: readonly { readonly amount: AtomicAmount }[]): AtomicAmount => toAtomicAmount(totalOf(parts));

/** Whether two views are equal. What was seen of a transaction does not change; what the wallet knows of it does. */
export function sameView(a: PoolView, b: PoolView): boolean {
  return (
    sameList(a.payments, b.payments, samePayment) &&
    sameList(a.outgoing, b.outgoing, sameSpend) &&
    sameList([...a.ours], [...b.ours], Object.is) &&
    sameList([...a.spends], [...b.spends], (one, other) => one[0] === other[0] && one[1] === other[1])
  );
}

const sameList = <T>(a: readonly T[], b: readonly T[], same: (one: T, other: T) => boolean): boolean =>
  a.length === b.length && a.every((one, i) => same(one, b[i]!));

const samePayment = (a: PoolPayment, b: PoolPayment): boolean =>
  a.txHash === b.txHash && a.amount === b.amount && indexKey(a.subaddress) === indexKey(b.subaddress);

const sameSpend = (a: PoolSpend, b: PoolSpend): boolean =>
  a.txHash === b.txHash && a.amountIn === b.amountIn && a.received === b.received && a.account === b.account;
