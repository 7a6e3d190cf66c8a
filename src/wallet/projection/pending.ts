import { totalOf } from '../../protocol/index.ts';
import type { Destination, SentState } from '../model.ts';
import type { PoolPayment, PoolSpend } from '../pool.ts';
import { sentDetails } from '../sent-details.ts';
import type { SentEntry, WalletState } from '../state/state.ts';
import { amountSent } from './payments.ts';

/** The wallet's money under way: in its own unmined transactions, and in those that the pool shows. */

/** Whether the chain holds this transaction of ours. */
export const isOnChain = (state: WalletState, { tx }: SentEntry): boolean => state.transactions.has(tx.txHash);

/** Whether a transaction was sent and has neither failed nor been mined. */
export function isPending(state: WalletState, entry: SentEntry): boolean {
  return (entry.phase === 'sending' || entry.phase === 'accepted') && !isOnChain(state, entry);
}

/** Transactions of ours that no block holds, in the order in which they were made. */
const unmined = (state: WalletState): SentEntry[] => [...state.unmined].map((txHash) => state.sent.get(txHash)!);

/** Pending transactions whose change counts: no other transaction in the pool spends one of their inputs. */
export function pendingWithChange(state: WalletState): SentEntry[] {
  const { spends } = state.pool;
  const isOutrun = ({ tx }: SentEntry) => tx.inputs.some((image) => (spends.get(image) ?? tx.txHash) !== tx.txHash);
  return unmined(state).filter((entry) => isPending(state, entry) && !isOutrun(entry));
}

/**
 * Transactions in the pool that take outputs of ours and that this wallet does not follow as its own: of another wallet of the same seed, or
 * made here and sent by somebody else (wallet2.cpp, process_new_transaction with `pool`).
 */
export function foreignSpends(state: WalletState): PoolSpend[] {
  return state.pool.outgoing.filter(({ txHash }) => {
    const sent = state.sent.get(txHash);
    return !state.transactions.has(txHash) && (sent === undefined || !isPending(state, sent));
  });
}

/** Incoming payments that are in the pool and in no block yet. */
export function poolPayments(state: WalletState): PoolPayment[] {
  return state.pool.payments.filter(({ txHash }) => !state.transactions.has(txHash));
}

/** A transaction that takes outputs of ours and that the chain does not hold (wallet2::unconfirmed_transfer_details). */
export interface UnconfirmedTransfer
  extends Pick<PoolSpend, 'txHash' | 'fee' | 'timestamp' | 'unlockTime' | 'account' | 'minors' | 'doubleSpendSeen'> {
  readonly state: SentState;
  /** Whether it was sent: false for a transaction that the daemon refused at once. */
  readonly left: boolean;
  /** Amount sent to others. */
  readonly amount: bigint;
  /** Empty when another program sent it and its record was not imported: recipients cannot be seen. */
  readonly destinations: readonly Destination[];
  readonly paymentId: string | undefined;
}

/** Ours that no block holds, and those of others in the pool. */
export function unconfirmedTransfers(state: WalletState): UnconfirmedTransfer[] {
  const foreign = foreignSpends(state);
  const seen = new Set(foreign.map(({ txHash }) => txHash));
  const own = unmined(state).filter(({ tx }) => !seen.has(tx.txHash));
  return [...own.map((entry) => ownTransfer(state, entry)), ...foreign.map((spend) => foreignTransfer(state, spend))];
}

function ownTransfer(state: WalletState, entry: SentEntry): UnconfirmedTransfer {
  const { txHash, fee, destinations, paymentId, unlockTime, account, subaddresses } = entry.tx;
  return {
    txHash,
    state: sentState(state, entry),
    left: isPending(state, entry) || (entry.phase === 'failed' && entry.accepted),
    amount: totalOf(destinations),
    fee,
    destinations,
    paymentId,
    timestamp: entry.at,
    unlockTime,
    account,
    minors: subaddresses,
    doubleSpendSeen: false,
  };
}

function foreignTransfer(state: WalletState, spend: PoolSpend): UnconfirmedTransfer {
  const { txHash, fee, timestamp, unlockTime, account, minors, doubleSpendSeen } = spend;
  const { destinations = [], paymentId } = sentDetails(state, txHash) ?? {};
  const what = { txHash, state: 'pool', left: true, amount: amountSent(state, spend), fee, destinations, paymentId } as const;
  return { ...what, timestamp, unlockTime, account, minors, doubleSpendSeen };
}

/** State of one of our transactions that is in no block yet, from the daemon's answer and from the pool. */
function sentState(state: WalletState, { tx, phase }: SentEntry): SentState {
  if (phase === 'failed') return 'failed';
  if (state.pool.ours.has(tx.txHash)) return 'pool';
  return 'sent';
}
