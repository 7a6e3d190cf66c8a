import type { KeyImage, TxHash } from '../protocol/model.ts';
import { worth } from './history.ts';
import { knownSend } from './known-send.ts';
import type { Destination, OwnedOutput, SubaddressIndex } from './model.ts';
import { isSpendableAt } from './outputs.ts';
import type { PoolSpend } from './pool.ts';
import type { SentEntry, TxFacts, WalletState } from './state.ts';
import { foreignSpends, isUnderWay } from './unmined.ts';

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

/** A transaction that took outputs of ours, as the chain shows it (wallet2::confirmed_transfer_details). */
export interface SpentTransfer {
  readonly txHash: TxHash;
  /** What it took of ours. */
  readonly amountIn: bigint;
  /** What came back to the account it spends from. */
  readonly received: bigint;
  readonly fee: bigint;
  readonly height: number;
  readonly timestamp: number;
  readonly unlockTime: bigint;
  /** That of the last input of ours. */
  readonly account: number;
  /** Subaddresses it took from, ascending. */
  readonly minors: readonly number[];
}

interface Derived {
  readonly rewrites: number;
  /** Of `state.transactionLog.hashes`, how many are in the lists. */
  done: number;
  readonly received: ReceivedPayment[];
  readonly spent: SpentTransfer[];
}

const derived = new WeakMap<WalletState, Derived>();

/** Both lists, grown by what came since the last look. */
function lists(state: WalletState): Derived {
  const { rewrites, hashes } = state.transactionLog;
  let known = derived.get(state);
  if (known?.rewrites !== rewrites) {
    known = { rewrites, done: 0, received: [], spent: [] };
    derived.set(state, known);
  }
  for (; known.done < hashes.length; known.done++) {
    const txHash = hashes[known.done]!;
    const facts = state.transactions.get(txHash)!;
    const taken = facts.spends.flatMap(({ keyImage }) => outputOf(state, keyImage) ?? []);
    const spentFrom = taken.at(-1)?.subaddress.major;
    if (spentFrom !== undefined) insert(known.spent, spentTransfer(state, txHash, facts, taken, spentFrom));
    for (const group of bySubaddress(facts.outputs, spentFrom)) {
      for (const one of payment(state, txHash, group)) insert(known.received, one);
    }
  }
  return known;
}

/** Keeps a list in the order of height; what comes is almost always the highest. */
function insert<T extends { readonly height: number }>(list: T[], entry: T): void {
  if ((list.at(-1)?.height ?? 0) <= entry.height) list.push(entry);
  else list.splice(firstAbove(list, entry.height), 0, entry);
}

function outputOf(state: WalletState, keyImage: KeyImage): OwnedOutput | undefined {
  const key = state.byKeyImage.get(keyImage);
  return key === undefined ? undefined : state.outputs.get(key)?.output;
}

function spentTransfer(
  state: WalletState,
  txHash: TxHash,
  facts: TxFacts,
  taken: readonly OwnedOutput[],
  account: number,
): SpentTransfer {
  const back = facts.outputs.filter(({ subaddress }) => subaddress.major === account);
  const { fee, height, timestamp, unlockTime } = facts.spends[0]!;
  return {
    txHash,
    amountIn: taken.reduce((sum, { amount }) => sum + amount, 0n),
    received: back.reduce((sum, output) => sum + worth(state, output), 0n),
    fee,
    height,
    timestamp,
    unlockTime,
    account,
    minors: [...new Set(taken.map(({ subaddress }) => subaddress.minor))].sort((a, b) => a - b),
  };
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
  const within = between(lists(state).received, filter);
  return within.filter(({ subaddress }) => passes(filter, subaddress.major, [subaddress.minor]));
}

/** Entries whose heights are asked for. */
function between<T extends { readonly height: number }>(entries: readonly T[], { above, upTo }: TransferFilter): T[] {
  return entries.slice(firstAbove(entries, above), firstAbove(entries, upTo));
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

/** Transactions in the chain that took outputs of ours and pass the filter. */
export function paymentsOut(state: WalletState, filter: TransferFilter): SpentTransfer[] {
  return between(lists(state).spent, filter).filter(({ account, minors }) => passes(filter, account, minors));
}

/** What of a transaction went to others: what we know we kept as change counts, not what we paid ourselves; to ourselves alone it is 0. */
export function amountSent(
  state: Pick<WalletState, 'sent' | 'told'>,
  { txHash, amountIn, received, fee }: SpentTransfer,
): bigint {
  const change = knownSend(state, txHash)?.change;
  return amountIn - fee - (change === undefined || amountIn === received + fee ? received : change);
}

/** A transaction that takes outputs of ours and that the chain does not hold (wallet2::unconfirmed_transfer_details). */
export interface UnconfirmedTransfer {
  readonly txHash: TxHash;
  readonly failed: boolean;
  /** What goes to others. */
  readonly amount: bigint;
  readonly fee: bigint;
  /** None where somebody else sent it. */
  readonly destinations: readonly Destination[];
  readonly paymentId: string | undefined;
  readonly timestamp: number;
  readonly unlockTime: bigint;
  readonly account: number;
  readonly minors: readonly number[];
}

/** Under way, ours or another's in the pool; or failed after a daemon had taken them. What was refused was never sent. */
export function unconfirmedOut(state: WalletState, filter: TransferFilter): UnconfirmedTransfer[] {
  const foreign = foreignSpends(state);
  const seen = new Set(foreign.map(({ txHash }) => txHash));
  const own = [...state.sent.values()].filter(
    (entry) => !seen.has(entry.tx.txHash) && (isUnderWay(state, entry) || hasFailed(state, entry)),
  );
  return [...own.map(ownTransfer), ...foreign.map(foreignTransfer)].filter(({ account, minors }) =>
    passes(filter, account, minors),
  );
}

const hasFailed = (state: WalletState, { tx, phase, accepted }: SentEntry): boolean =>
  phase === 'failed' && accepted && !state.transactions.has(tx.txHash);

function ownTransfer({ tx, phase, at }: SentEntry): UnconfirmedTransfer {
  const { txHash, fee, destinations, paymentId, unlockTime, account, subaddresses } = tx;
  const amount = destinations.reduce((sum, destination) => sum + destination.amount, 0n);
  const what = { txHash, failed: phase === 'failed', amount, fee, destinations, paymentId };
  return { ...what, timestamp: at, unlockTime, account, minors: subaddresses };
}

function foreignTransfer({
  txHash,
  amountIn,
  received,
  fee,
  timestamp,
  unlockTime,
  account,
  minors,
}: PoolSpend): UnconfirmedTransfer {
  const what = { txHash, failed: false, amount: amountIn - received - fee, fee, destinations: [], paymentId: undefined };
  return { ...what, timestamp, unlockTime, account, minors };
}

/** Why a transaction failed that was built and never left. */
export const NOT_SENT = 'not sent';

/** Whether the chain lets what was received at a height be spent (wallet2.cpp, is_transfer_unlocked). @param now unix seconds */
export function isLocked(state: Pick<WalletState, 'height'>, height: number, unlockTime: bigint, now: number): boolean {
  return !isSpendableAt({ height, unlockTime }, state.height, now);
}
