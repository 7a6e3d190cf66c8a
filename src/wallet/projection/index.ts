/** The projection that every door reads: balances, payments, history and coins as one computation, see {@link projectionOf}. */
export type { Balances } from './balances.ts';
export { byChainOrder, holdOf, isSpendableAt, isSpent, isTaken, outputView, spendableOutputs, spendOf } from './coins.ts';
export { refusedInDoubt } from './doubt.ts';
export { balanceOf, type Funds } from './funds.ts';
export type { HistoryPage } from './history.ts';
export { amountSent, type ReceivedPayment, wholePaymentId } from './payments.ts';
export { projectionOf } from './projection.ts';
export type { TransferKind, TransferView } from './transfer-views.ts';
export { type OwnOutputView, type PaymentView, type TransferQuery, Transfers } from './transfers.ts';
export {
  foreignSpends,
  isOnChain,
  isUnderWay,
  unconfirmedTransfers,
} from './under-way.ts';
export { keyImagesTold, rememberUnscanned, scannedFrom, unscannedFrom } from './unseen.ts';
