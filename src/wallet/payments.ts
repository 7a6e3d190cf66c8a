import type { TxHash } from '../protocol/model.ts';
import type { HistoryEntry } from './api.ts';
import { isUnderWay } from './balance.ts';
import { history, worth } from './history.ts';
import type { OwnedOutput, SubaddressIndex } from './model.ts';
import { isSpendableAt } from './outputs.ts';
import type { SentEntry, WalletState } from './state.ts';

/**
 * Transfers as wallet2 keeps them: payments received by subaddress, confirmed transactions that spent, unconfirmed ones of ours.
 * Lists are in the order of the chain.
 */

/** What one transaction brought to one subaddress outside the account it spends from (wallet2::payment_details). */
export interface ReceivedPayment {
  readonly txHash: TxHash;
  /** 64 hex digits; a short one is followed by zeros, none is all zeros. */
  readonly paymentId: string;
  readonly amount: bigint;
  /** Its parts, output by output. */
  readonly amounts: readonly bigint[];
  readonly fee: bigint;
  readonly height: number;
  readonly timestamp: number;
  readonly unlockTime: bigint;
  readonly coinbase: boolean;
  readonly subaddress: SubaddressIndex;
}

/** The part of a list that a request asks for. Absent is no limit. */
export interface TransferFilter {
  readonly account?: number | undefined;
  /** Empty: all. */
  readonly subaddresses: readonly number[];
  /** Heights above this one … */
  readonly above: number;
  /** … and up to this one. */
  readonly upTo: number;
}

interface Derived {
  readonly version: number;
  readonly received: readonly ReceivedPayment[];
}

const derived = new WeakMap<WalletState, Derived>();

/** Every payment received, worked out once a change of the state. */
export function receivedPayments(state: WalletState): readonly ReceivedPayment[] {
  const known = derived.get(state);
  if (known?.version === state.version) return known.received;
  const received: ReceivedPayment[] = [];
  for (const [txHash, facts] of state.transactions) {
    const spentFrom = facts.spends.length === 0 ? undefined : accountOf(state, facts.spends.at(-1)!.keyImage);
    for (const group of bySubaddress(facts.outputs, spentFrom)) received.push(...payment(state, txHash, group));
  }
  received.sort((a, b) => a.height - b.height);
  derived.set(state, { version: state.version, received });
  return received;
}

function accountOf(state: WalletState, keyImage: string): number | undefined {
  const key = state.byKeyImage.get(keyImage as never);
  return key === undefined ? undefined : state.outputs.get(key)?.output.subaddress.major;
}

function bySubaddress(outputs: readonly OwnedOutput[], spentFrom: number | undefined): OwnedOutput[][] {
  const groups = new Map<string, OwnedOutput[]>();
  for (const output of outputs) {
    const { major, minor } = output.subaddress;
    if (major === spentFrom) continue;
    const group = groups.get(`${major}/${minor}`);
    if (group === undefined) groups.set(`${major}/${minor}`, [output]);
    else group.push(output);
  }
  return [...groups.values()];
}

function payment(state: WalletState, txHash: TxHash, group: readonly OwnedOutput[]): ReceivedPayment[] {
  const first = group[0]!;
  const amounts = group.map((output) => worth(state, output)).filter((amount) => amount > 0n);
  const amount = amounts.reduce((sum, part) => sum + part, 0n);
  if (amount === 0n) return [];
  return [
    {
      txHash,
      paymentId: (first.paymentId ?? '').padEnd(64, '0'),
      amount,
      amounts,
      fee: first.fee ?? 0n,
      height: first.height,
      timestamp: first.timestamp,
      unlockTime: first.unlockTime,
      coinbase: first.coinbase,
      subaddress: first.subaddress,
    },
  ];
}

/** Payments received that pass the filter. */
export function paymentsIn(state: WalletState, filter: TransferFilter): ReceivedPayment[] {
  const all = receivedPayments(state);
  const found: ReceivedPayment[] = [];
  for (let i = firstAbove(all, filter.above); i < all.length; i++) {
    const entry = all[i]!;
    if (entry.height > filter.upTo) break;
    if (passes(filter, entry.subaddress.major, [entry.subaddress.minor])) found.push(entry);
  }
  return found;
}

/** Position of the first entry above a height; the list is in order of height. */
function firstAbove(entries: readonly { readonly height: number }[], above: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.height > above) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function passes(filter: TransferFilter, account: number, minors: readonly number[]): boolean {
  if (filter.account !== undefined && filter.account !== account) return false;
  return filter.subaddresses.length === 0 || minors.some((minor) => filter.subaddresses.includes(minor));
}

interface DerivedOut {
  readonly version: number;
  readonly out: readonly HistoryEntry[];
}
const derivedOut = new WeakMap<WalletState, DerivedOut>();

/** Transactions in the chain that took outputs of ours and pass the filter. */
export function paymentsOut(state: WalletState, filter: TransferFilter): HistoryEntry[] {
  let known = derivedOut.get(state);
  if (known?.version !== state.version) {
    const out = history(state, 0).filter((entry) => entry.direction === 'out' && entry.state === 'mined');
    known = { version: state.version, out: out.reverse() };
    derivedOut.set(state, known);
  }
  return known.out.filter((entry) => {
    const height = entry.height ?? 0;
    if (height <= filter.above || height > filter.upTo) return false;
    return passes(
      filter,
      entry.account,
      entry.subaddresses.map(({ minor }) => minor),
    );
  });
}

/** Transactions of ours that the chain does not hold: under way, or failed. Those never sent are not among them. */
export function unconfirmedOut(state: WalletState, filter: TransferFilter): { entry: SentEntry; failed: boolean }[] {
  const found: { entry: SentEntry; failed: boolean }[] = [];
  for (const entry of state.sent.values()) {
    const failed = entry.phase === 'failed' && entry.reason !== NOT_SENT && !state.transactions.has(entry.tx.txHash);
    if (!failed && !isUnderWay(state, entry)) continue;
    if (passes(filter, entry.tx.account, entry.tx.subaddresses)) found.push({ entry, failed });
  }
  return found;
}

/** Why a transaction failed that was built and never left. */
export const NOT_SENT = 'not sent';

/** Whether the chain lets what was received at a height be spent (wallet2.cpp, is_transfer_unlocked). @param now unix seconds */
export function isLocked(state: WalletState, height: number, unlockTime: bigint, now: number): boolean {
  return !isSpendableAt({ height, unlockTime }, state.height, now);
}
