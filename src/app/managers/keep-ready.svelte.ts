import { PerWalletText } from './per-wallet-text.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** Numbers of coins that can be chosen; 0 is off. */
export const KEEP_READY_CHOICES = [0, 2, 3, 4, 6, 8] as const;

/** Number of coins (outputs) an account should have after each payment, so that change does not lock all of its money; each wallet has its own. */
class KeepReady {
  readonly #wanted = new PerWalletText('keep-ready');

  /** 0: all change goes into one coin. */
  get coins(): number {
    const kept = Number(this.#wanted.get(wallet.view?.name ?? '') ?? 0);
    return KEEP_READY_CHOICES.find((choice) => choice === kept) ?? 0;
  }

  choose(coins: number): void {
    this.#wanted.set(wallet.view?.name ?? '', coins === 0 ? undefined : String(coins));
  }

  // Derived, so that readers of the options are not updated with every view.
  readonly #kept = $derived(wallet.view?.kind === 'full' ? this.coins : 0);

  /** Options of a transfer request. */
  get requestOptions(): { readonly keepReady?: number } {
    return this.#kept > 0 ? { keepReady: this.#kept } : {};
  }
}

export const keepReady = new KeepReady();
