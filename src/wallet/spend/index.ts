/** Paying, in five steps: request, plan, review, sign, check and send. Other rooms import this. */
export { checkSigned, sendAgain, sendChecked, unsentGivenUp } from './check-and-send.ts';
export type { SpendContext, SpendDaemon } from './context.ts';
export { spendContextOf, subaddressToSweep } from './context-of-wallet.ts';
export { SpendError, type SpendErrorCode } from './errors.ts';
export { estimateSizeAndWeight, type SizeEstimateRequest } from './estimate.ts';
export { feeLevels } from './fee-levels.ts';
export { askRates, defaultPriority, type NetworkRates } from './fee-rate.ts';
export { outputsOfMovedRings, ringsGivenUp } from './kept-rings.ts';
export { KeySigner } from './key-signer.ts';
export { type PaymentPlan, planPayment } from './plan.ts';
export { readRequest } from './request.ts';
export { reviewPayment, warningsOf } from './review.ts';
export { requireSigner, sign, signedTransactions } from './sign.ts';
export type { PassedOnFormat, Signer, Signing, UnsignedPayment, UnsignedPaymentPart } from './signer.ts';
export type { SignedTransaction, UnsignedInput, UnsignedTransaction } from './unsigned.ts';
