import { remembered } from '../services/remembered.ts';
import { wallet } from './wallet.svelte.ts';

const keyOf = (name: string): string => `nightjar.keep-ready.${name}`;

/** How many coins to keep, as it can be chosen; 0 is off. */
export const READY_CHOICES = [0, 2, 3, 4, 6, 8] as const;

/** How many coins an account is to have after a payment, so that change does not lock everything: set by the person, a wallet at a time. */
class Ready {
  #known: ReadonlyMap<string, number> = $state.raw(new Map());

  /** 0: change is one coin. */
  get coins(): number {
    const name = wallet.view?.name ?? '';
    const kept = this.#known.get(name) ?? Number(remembered.get(keyOf(name)) ?? 0);
    return READY_CHOICES.find((choice) => choice === kept) ?? 0;
  }

  choose(coins: number): void {
    const name = wallet.view?.name ?? '';
    this.#known = new Map(this.#known).set(name, coins);
    remembered.set(keyOf(name), coins === 0 ? undefined : String(coins));
  }

  /** Of a payment. */
  get terms(): { readonly keepReady?: number } {
    return this.coins > 0 && wallet.view?.kind === 'full' ? { keepReady: this.coins } : {};
  }
}

export const ready = new Ready();
