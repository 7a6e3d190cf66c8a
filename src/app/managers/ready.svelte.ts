import { ForWallet } from './for-wallet.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** How many coins to keep, as it can be chosen; 0 is off. */
export const READY_CHOICES = [0, 2, 3, 4, 6, 8] as const;

/** How many coins an account is to have after a payment, so that change does not lock everything: set by the person, a wallet at a time. */
class Ready {
  readonly #wanted = new ForWallet('nightjar.keep-ready');

  /** 0: change is one coin. */
  get coins(): number {
    const kept = Number(this.#wanted.get(wallet.view?.name ?? '') ?? 0);
    return READY_CHOICES.find((choice) => choice === kept) ?? 0;
  }

  choose(coins: number): void {
    this.#wanted.set(wallet.view?.name ?? '', coins === 0 ? undefined : String(coins));
  }

  // A number, so that who reads the terms is not told of every new view.
  readonly #kept = $derived(wallet.view?.kind === 'full' ? this.coins : 0);

  /** Of a payment. */
  get terms(): { readonly keepReady?: number } {
    return this.#kept > 0 ? { keepReady: this.#kept } : {};
  }
}

export const ready = new Ready();
