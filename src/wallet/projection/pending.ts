import { totalOf } from '../../protocol/index.ts';
import type { Destination, SentState } from '../model.ts';
import type { PoolPayment, PoolSpend } from '../pool.ts';
import { sentDetails } from '../sent-details.ts';
import type { SentEntry, WalletState } from '../state/state.ts';
import { amountSent } from './payments.ts';

/** Money in unmined transactions: the wallet's own, and those in the pool. */

/** Whether this transaction of ours is mined. */
export const isOnChain = (state: WalletState, { tx }: SentEntry): boolean => state.transactions.has(tx.txHash);

/** Whether a transaction was sent and has neither failed nor been mined. */
export function isPending(state: WalletState, entry: SentEntry): boolean {
  return (entry.phase === 'sending' || entry.phase === 'accepted') && !isOnChain(state, entry);
}

/** Our unmined transactions, in the order in which they were made. */
const unmined = (state: WalletState): SentEntry[] => [...state.unmined].map((txHash) => state.sent.get(txHash)!);

/** Pending transactions whose change counts: no other transaction in the pool spends one of their inputs. */
export function pendingWithChange(state: WalletState): SentEntry[] {
  const { spends } = state.pool;
  const isOutrun = ({ tx }: SentEntry) => tx.inputs.some((image) => (spends.get(image) ?? tx.txHash) !== tx.txHash);
  return unmined(state).filter((entry) => isPending(state, entry) && !isOutrun(entry));
}

/**
 * Transactions in the pool that spend outputs of ours and are not followed as our own: of another wallet with the same seed, or made here
 * and sent by somebody else (wallet2.cpp, process_new_transaction with `pool`).
 */
export function foreignSpends(state: WalletState): PoolSpend[] {
  return state.pool.outgoing.filter(({ txHash }) => {
    const sent = state.sent.get(txHash);
    return !state.transactions.has(txHash) && (sent === undefined || !isPending(state, sent));
  });
}

/** Incoming payments that are in the pool and not mined yet. */
export function poolPayments(state: WalletState): PoolPayment[] {
  return state.pool.payments.filter(({ txHash }) => !state.transactions.has(txHash));
}

/** An unmined transaction that spends outputs of ours (wallet2::unconfirmed_transfer_details). */
export interface UnconfirmedTransfer
  extends Pick<PoolSpend, 'txHash' | 'fee' | 'timestamp' | 'unlockTime' | 'account' | 'minors' | 'doubleSpendSeen'> {
  readonly state: SentState;
  /** Whether it was sent: false if the daemon refused it at once. */
  readonly left: boolean;
  /** Amount sent to others. */
  readonly amount: bigint;
  /** Empty if another program sent it and its record was not imported: recipients are not visible. */
  readonly destinations: readonly Destination[];
  readonly paymentId: string | undefined;
}

/** Our unmined transactions, and those of others in the pool. */
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

/** State of one of our unmined transactions, from the daemon's answer and the pool. */
function sentState(state: WalletState, { tx, phase }: SentEntry): SentState {
  if (phase === 'failed') return 'failed';
  if (state.pool.ours.has(tx.txHash)) return 'pool';
  return 'sent';
}
