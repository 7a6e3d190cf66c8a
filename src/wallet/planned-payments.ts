import { bytesToHex } from '../base/index.ts';
import type { OnSpendProgress, PaymentRequest, PreparedTransfer } from './api.ts';
import { WalletError } from './errors.ts';
import type { SentTransaction } from './model.ts';
import {
  checkSigned,
  type PaymentPlan,
  planPayment,
  readRequest,
  requireSigner,
  reviewPayment,
  type SpendContext,
  SpendError,
  sendChecked,
  sign,
  signedTransactions,
} from './spend/index.ts';

/** Payments that are being planned or signed, which can be stopped, and plans that wait for a person's yes or no. */
export class PlannedPayments {
  readonly #context: (progress?: OnSpendProgress) => SpendContext;
  readonly #plans = new Map<string, PaymentPlan>();
  readonly #underWay = new Set<AbortController>();

  /** @param context of the wallet as it is when asked; it may throw */
  constructor(context: (progress?: OnSpendProgress) => SpendContext) {
    this.#context = context;
  }

  /**
   * Plans what this wallet can sign, and keeps the plan if there is anything in it.
   * @throws SpendError, DaemonError; AbortError once {@link cancel} has stopped it
   */
  prepare(request: PaymentRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer> {
    return this.stoppable(async (signal) => {
      const context = this.#context(onProgress);
      requireSigner(context);
      const plan = await planPayment(context, readRequest(request, context.state.description.network), signal);
      signal.throwIfAborted();
      const id = bytesToHex(context.random.bytes(16));
      if (plan.transactions.length > 0) this.#plans.set(id, plan);
      return { id, ...reviewPayment(plan) };
    });
  }

  /**
   * Signs and checks a plan, which is let go of whatever comes of it: nothing is signed twice.
   * @throws WalletError `not-found`; SpendError; AbortError once {@link cancel} has stopped it
   */
  async signed(
    id: string,
    context = this.#context(),
  ): Promise<{ readonly plan: PaymentPlan; readonly transactions: readonly SentTransaction[] }> {
    const plan = this.#take(id);
    return this.stoppable(async (signal) => {
      const signing = await sign(context, plan, signal);
      return { plan, transactions: await checkSigned(context, plan, signedTransactions(signing), signal) };
    });
  }

  /**
   * Has a plan signed by a signer who does not come to the end, and lets go of it: what is to be passed on.
   * @throws WalletError `not-found`; SpendError `check-failed` where it came to the end; AbortError once {@link cancel} has stopped it
   */
  passedOn(id: string, onProgress?: OnSpendProgress): Promise<Uint8Array> {
    const plan = this.#take(id);
    return this.stoppable(async (signal) => {
      const signing = await sign(this.#context(onProgress), plan, signal);
      if (signing.kind === 'unfinished') return signing.bytes;
      throw new SpendError('check-failed', 'expected a signer that passes on');
    });
  }

  /** Signs, checks and sends. */
  async send(id: string, onProgress?: OnSpendProgress): Promise<readonly string[]> {
    const context = this.#context(onProgress);
    const { transactions } = await this.signed(id, context);
    return sendChecked(context, transactions);
  }

  /** Does work that {@link cancel} stops. @throws what the work throws; AbortError once stopped */
  async stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    this.#underWay.add(stop);
    try {
      const made = await work(stop.signal);
      stop.signal.throwIfAborted();
      return made;
    } finally {
      this.#underWay.delete(stop);
    }
  }

  /** Stops all that is being planned or signed. */
  cancel(): void {
    for (const stop of this.#underWay) stop.abort();
  }

  discard(id: string): void {
    this.#plans.delete(id);
  }

  clear(): void {
    this.cancel();
    this.#plans.clear();
  }

  /** A plan, which nobody has again. @throws WalletError `not-found` */
  #take(id: string): PaymentPlan {
    const plan = this.#plans.get(id);
    if (plan === undefined)
      throw new WalletError('not-found', 'expected a prepared transfer that was neither sent nor discarded');
    this.#plans.delete(id);
    return plan;
  }
}
