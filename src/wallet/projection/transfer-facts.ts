import type { TxHash } from '../../protocol/index.ts';
import type { HistoryEntry } from '../api.ts';
import type { PoolPayment } from '../pool.ts';
import { sentDetails } from '../sent-details.ts';
import type { WalletState } from '../state/state.ts';
import { isSpendableAt } from './coins.ts';
import { amountSent, type ReceivedPayment, type SpentTransfer } from './payments.ts';
import type { UnconfirmedTransfer } from './pending.ts';

/** Facts of one transaction that history and lists of transfers share. */
export type TransferFacts = Omit<HistoryEntry, 'direction' | 'state' | 'note' | 'verified' | 'perhapsChange' | 'inDoubt'> & {
  readonly txHash: TxHash;
  readonly fee: bigint;
};

/** The wallet at one instant. `now` in unix seconds. */
export type Instant = Pick<WalletState, 'height' | 'sent' | 'recorded'> & { readonly now: number };

/** Facts of a payment that a block brought to one subaddress. */
export const factsOfReceived = (payment: ReceivedPayment, at: Instant): TransferFacts => incoming(payment, mined(payment, at));

/** Facts of an incoming payment in the pool: no height, no confirmations, locked. */
export const factsOfPool = (payment: PoolPayment): TransferFacts => incoming(payment, unmined(payment));

/** Facts of a mined transaction that spent our outputs. `destinations` is empty unless this wallet made it or imported its record. */
export function factsOfSpent(spent: SpentTransfer, at: Instant): TransferFacts {
  const sent = sentDetails(at, spent.txHash);
  const known = { amount: amountSent(at, spent), destinations: sent?.destinations ?? [], paymentId: sent?.paymentId };
  return outgoing(spent, known, mined(spent, at));
}

/** Facts of a pending outgoing transaction. */
export const factsOfUnconfirmed = (transfer: UnconfirmedTransfer): TransferFacts =>
  outgoing(transfer, transfer, unmined(transfer));

/** How far a transaction is confirmed. */
type Standing = Pick<TransferFacts, 'height' | 'confirmations' | 'locked' | 'doubleSpendSeen'>;

function mined(one: ReceivedPayment | SpentTransfer, at: Instant): Standing {
  const confirmations = Math.max(0, at.height - one.height);
  return { height: one.height, confirmations, locked: !isSpendableAt(one, at.height, at.now), doubleSpendSeen: false };
}

const unmined = ({ doubleSpendSeen }: PoolPayment | UnconfirmedTransfer): Standing => ({
  height: undefined,
  confirmations: 0,
  locked: true,
  doubleSpendSeen,
});

// Literals, not spreads: a list may hold a hundred thousand.

function incoming(payment: ReceivedPayment | PoolPayment, standing: Standing): TransferFacts {
  const { subaddress } = payment;
  return {
    txHash: payment.txHash,
    paymentId: payment.paymentId,
    height: standing.height,
    confirmations: standing.confirmations,
    timestamp: payment.timestamp,
    amount: payment.amount,
    fee: payment.fee,
    destinations: [],
    unlockTime: payment.unlockTime,
    locked: standing.locked,
    account: subaddress.major,
    subaddresses: [subaddress],
    doubleSpendSeen: standing.doubleSpendSeen,
  };
}

function outgoing(
  transfer: SpentTransfer | UnconfirmedTransfer,
  known: Pick<TransferFacts, 'amount' | 'destinations' | 'paymentId'>,
  standing: Standing,
): TransferFacts {
  const { account } = transfer;
  return {
    txHash: transfer.txHash,
    paymentId: known.paymentId,
    height: standing.height,
    confirmations: standing.confirmations,
    timestamp: transfer.timestamp,
    amount: known.amount,
    fee: transfer.fee,
    destinations: known.destinations,
    unlockTime: transfer.unlockTime,
    locked: standing.locked,
    account,
    subaddresses: transfer.minors.map((minor) => ({ major: account, minor })),
    doubleSpendSeen: standing.doubleSpendSeen,
  };
}
