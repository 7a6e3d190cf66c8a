import type { HistoryEntry } from '../api.ts';
import type { PoolPayment } from '../pool.ts';
import type { WalletState } from '../state/state.ts';
import type { Payments, ReceivedPayment, SpentTransfer } from './payments.ts';
import { poolPayments, type UnconfirmedTransfer, unconfirmedTransfers } from './pending.ts';
import { mayStillBeMined } from './refused-transactions.ts';
import {
  factsOfPool,
  factsOfReceived,
  factsOfSpent,
  factsOfUnconfirmed,
  type Instant,
  type TransferFacts,
} from './transfer-facts.ts';
import type { PerhapsChange } from './unseen-spends.ts';

/** Part of the history to return. */
export interface HistoryPage {
  /** All by default. */
  readonly account?: number | undefined;
  /** Number of the newest to skip; 0 by default. */
  readonly offset?: number | undefined;
  /** Most entries; unlimited by default. */
  readonly limit?: number | undefined;
}

/**
 * History entries, newest first. A transaction makes at most one outgoing entry, and one incoming entry for each
 * subaddress it pays outside the account it spends from (wallet2.cpp, process_new_transaction).
 * @param now unix seconds
 */
export function historyPage(
  state: WalletState,
  payments: Payments,
  mayBeChange: PerhapsChange,
  now: number,
  { account, offset = 0, limit = Number.POSITIVE_INFINITY }: HistoryPage,
): HistoryEntry[] {
  const at = { height: state.height, sent: state.sent, recorded: state.recorded, now };
  const isWanted = (own: number) => account === undefined || own === account;
  const waiting = unminedEntries(state, mayBeChange).filter((entry) => isWanted(entry.account));
  const entries = waiting.slice(offset, offset + limit);
  let left = offset - waiting.length;
  for (const one of payments.newestFirst()) {
    if (entries.length >= limit) break;
    if (!isWanted(one.kind === 'spent' ? one.account : one.subaddress.major)) continue;
    if (left-- > 0) continue;
    entries.push(one.kind === 'spent' ? outgoing(state, one, at) : incoming(state, one, mayBeChange, at));
  }
  return entries;
}

function unminedEntries(state: WalletState, mayBeChange: PerhapsChange): HistoryEntry[] {
  const entries = [
    ...unconfirmedTransfers(state).map((transfer) => unconfirmed(state, transfer)),
    ...poolPayments(state).map((payment) => pooled(state, payment, mayBeChange)),
  ];
  return entries.sort((a, b) => b.timestamp - a.timestamp || (a.txHash < b.txHash ? -1 : a.txHash > b.txHash ? 1 : 0));
}

function outgoing(state: WalletState, spent: SpentTransfer, at: Instant): HistoryEntry {
  const own = { direction: 'out', state: 'mined', fee: spent.fee, verified: true, perhapsChange: false } as const;
  return entryOf(state, factsOfSpent(spent, at), own);
}

function incoming(state: WalletState, payment: ReceivedPayment, mayBeChange: PerhapsChange, at: Instant): HistoryEntry {
  const { txHash, coinbase, height, subaddress } = payment;
  return entryOf(state, factsOfReceived(payment, at), {
    direction: coinbase ? 'mined' : 'in',
    state: 'received',
    // A received payment has no fee of ours.
    fee: state.transactions.get(txHash)?.spends[0]?.fee,
    verified: coinbase || state.verified.has(height),
    perhapsChange: !coinbase && mayBeChange(subaddress, height),
  });
}

function unconfirmed(state: WalletState, transfer: UnconfirmedTransfer): HistoryEntry {
  const { txHash, fee } = transfer;
  const own = { direction: 'out', state: transfer.state, fee, verified: false, perhapsChange: false } as const;
  const inDoubt = transfer.state === 'failed' && mayStillBeMined(state, state.sent.get(txHash)!.tx);
  return { ...entryOf(state, factsOfUnconfirmed(transfer), own), inDoubt };
}

function pooled(state: WalletState, payment: PoolPayment, mayBeChange: PerhapsChange): HistoryEntry {
  const perhapsChange = mayBeChange(payment.subaddress, state.height);
  const own = { direction: 'in', state: 'received', fee: payment.fee, verified: false, perhapsChange } as const;
  return entryOf(state, factsOfPool(payment), own);
}

/** Fields of an entry that a list of transfers lacks or has in another form. */
type OfHistory = Pick<HistoryEntry, 'direction' | 'state' | 'fee' | 'verified' | 'perhapsChange'>;

function entryOf(state: WalletState, facts: TransferFacts, own: OfHistory): HistoryEntry {
  return { ...facts, ...own, note: state.notes.get(facts.txHash) ?? '' };
}
