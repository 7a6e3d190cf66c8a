/** The projection: balances, payments, history and coins as one computation, see {@link projectionOf}. */
export type { Balances } from './balances.ts';
export { byChainOrder, holdOf, isSpendableAt, isSpent, isTaken, outputView, spendableOutputs, spendOf } from './coins.ts';
export { balanceOf, type Funds } from './funds.ts';
export type { HistoryPage } from './history.ts';
export { amountSent, type ReceivedPayment, wholePaymentId } from './payments.ts';
export {
  foreignSpends,
  isOnChain,
  isPending,
  unconfirmedTransfers,
} from './pending.ts';
export { projectionOf } from './projection.ts';
export { refusedButPossible } from './refused-transactions.ts';
export type { TransferKind, TransferView } from './transfer-views.ts';
export { type OwnOutputView, type PaymentView, type TransferQuery, Transfers } from './transfers.ts';
export { keyImagesImported, rescannedFrom, unscannedFrom, unscannedNoted } from './unseen-spends.ts';
