import type { TxHash } from '../protocol/model.ts';
import { SPENDABLE_AGE } from '../protocol/rewards.ts';
import type { HistoryEntry } from './api.ts';
import { isInDoubt } from './doubt.ts';
import { knownSend } from './known-send.ts';
import type { ChainSpend, OwnedOutput, SentState, SubaddressIndex } from './model.ts';
import { isSpendableAt } from './outputs.ts';
import type { PoolPayment, PoolSpend } from './pool.ts';
import type { SentEntry, TxFacts, WalletState } from './state.ts';
import { foreignSpends, isOnChain } from './unmined.ts';
import { type PerhapsChange, unseenChange } from './unseen.ts';

/**
 * What happened to the wallet's money, newest first. A transaction makes at most one outgoing entry, and one incoming
 * entry for each subaddress it pays outside the account it spends from (wallet2.cpp, process_new_transaction).
 * @param now unix seconds
 */
export function history(state: WalletState, now: number, account?: number): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  const mayBeChange = unseenChange(state);
  for (const [txHash, facts] of state.transactions) entries.push(...chainEntries(state, txHash, facts, now, mayBeChange));
  const foreign = new Map(foreignSpends(state).map((spend) => [spend.txHash, spend]));
  for (const entry of state.sent.values()) {
    if (!isOnChain(state, entry) && !foreign.has(entry.tx.txHash)) entries.push(sentEntry(state, entry));
  }
  for (const spend of foreign.values()) entries.push(foreignEntry(state, spend));
  for (const payment of state.pool.payments) {
    if (!state.transactions.has(payment.txHash)) entries.push(poolEntry(state, payment, mayBeChange));
  }
  const wanted = account === undefined ? entries : entries.filter((entry) => entry.account === account);
  return wanted.sort(newestFirst);
}

/** Where a transaction of ours stands, by what chain and pool show. */
export function sentState(state: WalletState, entry: SentEntry): SentState {
  if (isOnChain(state, entry)) return 'mined';
  if (entry.phase === 'failed') return 'failed';
  if (state.pool.ours.has(entry.tx.txHash)) return 'pool';
  return entry.phase === 'built' ? 'built' : 'sent';
}

function newestFirst(a: HistoryEntry, b: HistoryEntry): number {
  const height = (b.height ?? Number.MAX_SAFE_INTEGER) - (a.height ?? Number.MAX_SAFE_INTEGER);
  return height || b.timestamp - a.timestamp || (a.txHash < b.txHash ? -1 : 1);
}

function chainEntries(
  state: WalletState,
  txHash: TxHash,
  facts: TxFacts,
  now: number,
  mayBeChange: PerhapsChange,
): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  const spentBy = facts.spends.length > 0 ? spender(state, facts.spends) : undefined;
  if (spentBy !== undefined) entries.push(outgoing(state, txHash, facts, spentBy));
  for (const group of bySubaddress(facts.outputs, spentBy?.account)) {
    const entry = incoming(state, txHash, group, facts.spends[0], now, mayBeChange);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

interface Spender {
  readonly amount: bigint;
  readonly account: number;
  readonly subaddresses: readonly SubaddressIndex[];
}

/** What a transaction took from us. The account is that of the last input, as in the reference. */
function spender(state: WalletState, spends: readonly ChainSpend[]): Spender {
  const found = new Map<string, SubaddressIndex>();
  let amount = 0n;
  let account = 0;
  for (const { keyImage } of spends) {
    const { output } = state.outputs.get(state.byKeyImage.get(keyImage)!)!;
    amount += output.amount;
    account = output.subaddress.major;
    found.set(`${output.subaddress.major}/${output.subaddress.minor}`, output.subaddress);
  }
  return { amount, account, subaddresses: [...found.values()] };
}

function outgoing(state: WalletState, txHash: TxHash, facts: TxFacts, { amount, account, subaddresses }: Spender): HistoryEntry {
  const spend = facts.spends[0]!;
  let received = 0n;
  for (const output of facts.outputs) if (output.subaddress.major === account) received += output.amount;
  const sent = knownSend(state, txHash);
  // A transaction to ourselves shows 0; otherwise what we know we kept as change counts, not what we paid ourselves.
  const change = sent?.change === undefined || amount === received + spend.fee ? received : sent.change;
  return {
    txHash,
    direction: 'out',
    state: 'mined',
    amount: amount - change - spend.fee,
    fee: spend.fee,
    height: spend.height,
    confirmations: Math.max(0, state.height - spend.height),
    timestamp: spend.timestamp,
    account,
    subaddresses,
    destinations: sent?.destinations ?? [],
    paymentId: sent?.paymentId,
    note: state.notes.get(txHash) ?? '',
    unlockTime: spend.unlockTime,
    locked: state.height < spend.height + SPENDABLE_AGE,
    verified: true,
    doubleSpendSeen: false,
    perhapsChange: false,
  };
}

function bySubaddress(outputs: readonly OwnedOutput[], spentFrom: number | undefined): OwnedOutput[][] {
  const groups = new Map<string, OwnedOutput[]>();
  for (const output of outputs) {
    const { major, minor } = output.subaddress;
    if (major === spentFrom) continue;
    const key = `${major}/${minor}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [output]);
    else group.push(output);
  }
  return [...groups.values()];
}

function incoming(
  state: WalletState,
  txHash: TxHash,
  group: readonly OwnedOutput[],
  spend: ChainSpend | undefined,
  now: number,
  mayBeChange: PerhapsChange,
): HistoryEntry | undefined {
  const first = group[0]!;
  const amount = group.reduce((sum, output) => sum + worth(state, output), 0n);
  if (amount === 0n) return undefined;
  return {
    txHash,
    direction: first.coinbase ? 'mined' : 'in',
    state: 'received',
    amount,
    fee: spend?.fee,
    height: first.height,
    confirmations: Math.max(0, state.height - first.height),
    timestamp: first.timestamp,
    account: first.subaddress.major,
    subaddresses: [first.subaddress],
    destinations: [],
    paymentId: first.paymentId,
    note: state.notes.get(txHash) ?? '',
    unlockTime: first.unlockTime,
    locked: !isSpendableAt(first, state.height, now),
    verified: first.coinbase || state.verified.has(first.height),
    doubleSpendSeen: false,
    perhapsChange: !first.coinbase && mayBeChange(first.subaddress, first.height),
  };
}

/** What this appearance of an output key added: nothing for a burnt copy, the difference for a larger one (T7). */
export function worth(state: WalletState, output: OwnedOutput): bigint {
  const entry = state.outputs.get(output.key)!;
  if (entry.copies.length === 1) return output.amount;
  let best = 0n;
  for (const copy of entry.copies) {
    const counts = entry.spend === undefined || copy.height <= entry.spend.height;
    const gain = counts && copy.amount > best ? copy.amount - best : 0n;
    if (copy.txHash === output.txHash && copy.outputIndex === output.outputIndex) return gain;
    best += gain;
  }
  return 0n;
}

function sentEntry(state: WalletState, entry: SentEntry): HistoryEntry {
  const { tx } = entry;
  return {
    txHash: tx.txHash,
    direction: 'out',
    state: sentState(state, entry),
    amount: tx.destinations.reduce((sum, destination) => sum + destination.amount, 0n),
    fee: tx.fee,
    height: undefined,
    confirmations: 0,
    timestamp: entry.at,
    account: tx.account,
    subaddresses: tx.subaddresses.map((minor) => ({ major: tx.account, minor })),
    destinations: tx.destinations,
    paymentId: tx.paymentId,
    note: state.notes.get(tx.txHash) ?? '',
    unlockTime: tx.unlockTime,
    locked: true,
    verified: false,
    doubleSpendSeen: false,
    perhapsChange: false,
    inDoubt: isInDoubt(state, tx),
  };
}

/** Whom it pays is not to be seen. */
function foreignEntry(state: WalletState, spend: PoolSpend): HistoryEntry {
  const { txHash, account, fee } = spend;
  return {
    txHash,
    direction: 'out',
    state: 'pool',
    amount: spend.amountIn - spend.received - fee,
    fee,
    height: undefined,
    confirmations: 0,
    timestamp: spend.timestamp,
    account,
    subaddresses: spend.minors.map((minor) => ({ major: account, minor })),
    destinations: [],
    paymentId: undefined,
    note: state.notes.get(txHash) ?? '',
    unlockTime: spend.unlockTime,
    locked: true,
    verified: false,
    doubleSpendSeen: spend.doubleSpendSeen,
    perhapsChange: false,
  };
}

function poolEntry(state: WalletState, payment: PoolPayment, mayBeChange: PerhapsChange): HistoryEntry {
  return {
    txHash: payment.txHash,
    direction: 'in',
    state: 'received',
    amount: payment.amount,
    fee: payment.fee,
    height: undefined,
    confirmations: 0,
    timestamp: payment.timestamp,
    account: payment.subaddress.major,
    subaddresses: [payment.subaddress],
    destinations: [],
    paymentId: payment.paymentId,
    note: state.notes.get(payment.txHash) ?? '',
    unlockTime: payment.unlockTime,
    locked: true,
    verified: false,
    doubleSpendSeen: payment.doubleSpendSeen,
    perhapsChange: mayBeChange(payment.subaddress, state.height),
  };
}
