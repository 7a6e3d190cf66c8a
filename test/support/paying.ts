import type { PaymentRequest, PaymentReview } from '../../src/wallet/api.ts';
import type { SentTransaction } from '../../src/wallet/model.ts';
import {
  checkSigned,
  type PaymentPlan,
  planPayment,
  readRequest,
  requireSigner,
  reviewPayment,
  type SpendContext,
  sign,
  signedTransactions,
} from '../../src/wallet/spend/index.ts';

/** A payment that was planned, reviewed, signed and verified, but not sent. */
export interface ReadyPayment {
  readonly plan: PaymentPlan;
  readonly review: PaymentReview;
  readonly transactions: readonly SentTransaction[];
}

/** The steps of a payment up to sending, for a wallet that signs by itself. */
export async function makeReady(ctx: SpendContext, request: PaymentRequest, signal?: AbortSignal): Promise<ReadyPayment> {
  requireSigner(ctx);
  const plan = await planPayment(ctx, readRequest(request, ctx), signal);
  const signing = await sign(ctx, plan, signal);
  const transactions = await checkSigned(ctx, plan, signedTransactions(signing), signal);
  return { plan, review: reviewPayment(plan), transactions };
}
