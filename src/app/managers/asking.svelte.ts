import { formatAmount, parseAmount } from '../services/amount.ts';
import { ForWallet } from './for-wallet.svelte.ts';

/** Above which amount a payment asks once more who is there: set by the person, a wallet at a time. */
class Asking {
  readonly #limits = new ForWallet('nightjar.ask-above');

  /** Atomic units; undefined where it never asks. */
  limit(wallet: string): bigint | undefined {
    const kept = this.#limits.get(wallet);
    // Every payment is above nothing; what is no amount asks always, too.
    return kept === undefined ? undefined : (parseAmount(kept).value ?? 0n);
  }

  set(wallet: string, limit: bigint | undefined): void {
    this.#limits.set(wallet, limit === undefined ? undefined : formatAmount(limit));
  }

  /** @param amount of the payment with its fee, atomic units */
  asks(wallet: string, amount: bigint): boolean {
    const limit = this.limit(wallet);
    return limit !== undefined && amount > limit;
  }
}

export const asking = new Asking();
