import { formatAmount, parseAmount } from '../services/amount.ts';
import { remembered } from '../services/remembered.ts';

const keyOf = (wallet: string): string => `nightjar.ask-above.${wallet}`;

/** Above which amount a payment asks once more who is there: set by the person, a wallet at a time. */
class Asking {
  #known: ReadonlyMap<string, bigint | undefined> = $state.raw(new Map());

  /** Atomic units; undefined where it never asks. */
  limit(wallet: string): bigint | undefined {
    if (this.#known.has(wallet)) return this.#known.get(wallet);
    const kept = remembered.get(keyOf(wallet));
    // Every payment is above nothing; what is no amount asks always, too.
    return kept === undefined ? undefined : (parseAmount(kept).value ?? 0n);
  }

  set(wallet: string, limit: bigint | undefined): void {
    this.#known = new Map(this.#known).set(wallet, limit);
    remembered.set(keyOf(wallet), limit === undefined ? undefined : formatAmount(limit));
  }

  /** @param amount of the payment with its fee, atomic units */
  asks(wallet: string, amount: bigint): boolean {
    const limit = this.limit(wallet);
    return limit !== undefined && amount > limit;
  }
}

export const asking = new Asking();
