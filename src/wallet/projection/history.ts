import type { HistoryEntry } from '../api.ts';
import { knownSend } from '../known-send.ts';
import type { PoolPayment } from '../pool.ts';
import type { WalletState } from '../state/state.ts';
import { isSpendableAt } from './coins.ts';
import { isInDoubt } from './doubt.ts';
import { amountSent, type Payments, type ReceivedPayment, type SpentTransfer } from './payments.ts';
import { poolPayments, type UnconfirmedTransfer, unconfirmedTransfers } from './under-way.ts';
import type { PerhapsChange } from './unseen.ts';

/** Which part of the history is wanted. */
export interface HistoryPage {
  /** All when absent. */
  readonly account?: number | undefined;
  /** How many of the newest to leave out; none when absent. */
  readonly offset?: number | undefined;
  /** Most entries; no bound when absent. */
  readonly limit?: number | undefined;
}

/**
 * What happened to the wallet's money, newest first. A transaction makes at most one outgoing entry, and one incoming entry for each
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
  const isWanted = (own: number) => account === undefined || own === account;
  const waiting = unminedEntries(state, mayBeChange).filter((entry) => isWanted(entry.account));
  const entries = waiting.slice(offset, offset + limit);
  let left = offset - waiting.length;
  for (const one of payments.newestFirst()) {
    if (entries.length >= limit) break;
    if (!isWanted(one.kind === 'spent' ? one.account : one.subaddress.major)) continue;
    if (left-- > 0) continue;
    entries.push(one.kind === 'spent' ? outgoing(state, one, now) : incoming(state, one, mayBeChange, now));
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

const confirmationsOf = (state: WalletState, height: number): number => Math.max(0, state.height - height);

const noteOf = (state: WalletState, { txHash }: Pick<SpentTransfer, 'txHash'>): string => state.notes.get(txHash) ?? '';

/** What entries of transactions in no block have in common. */
const UNMINED = { height: undefined, confirmations: 0, locked: true, verified: false } as const;

function outgoing(state: WalletState, spent: SpentTransfer, now: number): HistoryEntry {
  const { txHash, fee, height, timestamp, account, minors, unlockTime } = spent;
  const known = knownSend(state, txHash);
  return {
    txHash,
    direction: 'out',
    state: 'mined',
    amount: amountSent(state, spent),
    fee,
    height,
    confirmations: confirmationsOf(state, height),
    timestamp,
    account,
    subaddresses: minors.map((minor) => ({ major: account, minor })),
    destinations: known?.destinations ?? [],
    paymentId: known?.paymentId,
    note: noteOf(state, spent),
    unlockTime,
    locked: !isSpendableAt(spent, state.height, now),
    verified: true,
    doubleSpendSeen: false,
    perhapsChange: false,
  };
}

function incoming(state: WalletState, payment: ReceivedPayment, mayBeChange: PerhapsChange, now: number): HistoryEntry {
  const { txHash, coinbase, amount, height, timestamp, subaddress, paymentId, unlockTime } = payment;
  return {
    txHash,
    direction: coinbase ? 'mined' : 'in',
    state: 'received',
    amount,
    // What its sender paid is no fee of ours, unless that was us.
    fee: state.transactions.get(txHash)?.spends[0]?.fee,
    height,
    confirmations: confirmationsOf(state, height),
    timestamp,
    account: subaddress.major,
    subaddresses: [subaddress],
    destinations: [],
    paymentId,
    note: noteOf(state, payment),
    unlockTime,
    locked: !isSpendableAt(payment, state.height, now),
    verified: coinbase || state.verified.has(height),
    doubleSpendSeen: false,
    perhapsChange: !coinbase && mayBeChange(subaddress, height),
  };
}

function unconfirmed(state: WalletState, transfer: UnconfirmedTransfer): HistoryEntry {
  const { txHash, amount, fee, timestamp, account, minors, destinations, paymentId, unlockTime, doubleSpendSeen } = transfer;
  return {
    ...UNMINED,
    txHash,
    direction: 'out',
    state: transfer.state,
    amount,
    fee,
    timestamp,
    account,
    subaddresses: minors.map((minor) => ({ major: account, minor })),
    destinations,
    paymentId,
    note: noteOf(state, transfer),
    unlockTime,
    doubleSpendSeen,
    perhapsChange: false,
    inDoubt: transfer.state === 'failed' && isInDoubt(state, state.sent.get(txHash)!.tx),
  };
}

function pooled(state: WalletState, payment: PoolPayment, mayBeChange: PerhapsChange): HistoryEntry {
  const { txHash, amount, fee, timestamp, subaddress, paymentId, unlockTime, doubleSpendSeen } = payment;
  return {
    ...UNMINED,
    txHash,
    direction: 'in',
    state: 'received',
    amount,
    fee,
    timestamp,
    account: subaddress.major,
    subaddresses: [subaddress],
    destinations: [],
    paymentId,
    note: noteOf(state, payment),
    unlockTime,
    doubleSpendSeen,
    perhapsChange: mayBeChange(subaddress, state.height),
  };
}
