import { formatAmount, parseAmount } from '../services/amount.ts';
import { PerWalletText } from './per-wallet-text.svelte.ts';

/** Amount above which a payment requires the password, PIN or passkey again; each wallet has its own limit. */
class ReauthLimits {
  readonly #limits = new PerWalletText('ask-above');

  /** Atomic units; undefined for no limit. */
  get(wallet: string): bigint | undefined {
    const kept = this.#limits.get(wallet);
    // 0, as well as text that is no amount, means: for every payment.
    return kept === undefined ? undefined : (parseAmount(kept).value ?? 0n);
  }

  set(wallet: string, limit: bigint | undefined): void {
    this.#limits.set(wallet, limit === undefined ? undefined : formatAmount(limit));
  }

  /** Whether a payment requires it. @param amount with the fee, atomic units */
  applies(wallet: string, amount: bigint): boolean {
    const limit = this.get(wallet);
    return limit !== undefined && amount > limit;
  }
}

export const reauthLimit = new ReauthLimits();
