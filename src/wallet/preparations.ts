import { bytesToHex } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import type { PreparedTransfer } from './api.ts';
import { WalletError } from './errors.ts';
import { type PaymentPlan, reviewPayment } from './spend/index.ts';

/** Payments that are being planned or signed, which can be stopped, and plans that wait for a person's yes or no. */
export class Preparations {
  readonly #random: Random;
  readonly #plans = new Map<string, PaymentPlan>();
  readonly #underWay = new Set<AbortController>();

  /** @param random names the plans */
  constructor(random: Random) {
    this.#random = random;
  }

  /** Keeps the plan that the work makes, unless it was stopped meanwhile. @throws what the work throws; AbortError once stopped */
  async make(work: (signal: AbortSignal) => Promise<PaymentPlan>): Promise<PreparedTransfer> {
    const plan = await this.stoppable(work);
    const id = bytesToHex(this.#random.bytes(16));
    this.#plans.set(id, plan);
    return { id, ...reviewPayment(plan) };
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

  /** Gives a plan out once: what is sent cannot be sent a second time. @throws WalletError `not-found` */
  take(id: string): PaymentPlan {
    const plan = this.#plans.get(id);
    if (plan === undefined)
      throw new WalletError('not-found', 'expected a prepared transfer that was neither sent nor discarded');
    this.#plans.delete(id);
    return plan;
  }

  discard(id: string): void {
    this.#plans.delete(id);
  }

  clear(): void {
    this.cancel();
    this.#plans.clear();
  }
}
