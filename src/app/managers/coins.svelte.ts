import { SvelteSet } from 'svelte/reactivity';
import type { OutputView } from '../../wallet/index.ts';
import { linkedAddresses } from '../services/coins.ts';
import { wallet } from './wallet.svelte.ts';

/** Coins that are to be sent whole: their key images, and what they are worth together. */
export interface ChosenCoins {
  /** Whose they are. */
  readonly account: number;
  readonly keyImages: readonly string[];
  readonly amount: bigint;
  /** Addresses of ours that spending them together shows to be one person's. */
  readonly addresses: number;
}

/** What the coin list handed to the next sending, which takes it away. */
let handedOver: ChosenCoins | undefined;

export function takeChosenCoins(): ChosenCoins | undefined {
  const chosen = handedOver;
  handedOver = undefined;
  return chosen;
}

/** The coin list of one account. Made anew each time the view opens. */
export class CoinList {
  all: readonly OutputView[] = $state.raw([]);
  loaded = $state(false);
  showSpent = $state(false);
  readonly #chosen = new SvelteSet<string>();

  /** Newest first. */
  shown = $derived(this.all.filter(({ hold }) => this.showSpent || hold !== 'spent').toReversed());
  /** A coin that was spent or set aside meanwhile is no longer chosen. */
  chosen = $derived(this.all.filter((coin) => coin.hold === undefined && this.#chosen.has(coin.key)));
  amount = $derived(this.chosen.reduce((sum, coin) => sum + coin.amount, 0n));
  addresses = $derived(linkedAddresses(this.chosen));

  async load(account: number): Promise<void> {
    const all = await wallet.api.outputs(account);
    if (wallet.account !== account) return;
    this.all = all;
    this.loaded = true;
  }

  has(coin: OutputView): boolean {
    return this.#chosen.has(coin.key);
  }

  toggle(coin: OutputView): void {
    if (!this.#chosen.delete(coin.key)) this.#chosen.add(coin.key);
  }

  async setFrozen(coin: OutputView, frozen: boolean): Promise<void> {
    await wallet.api.setFrozen([coin.key], frozen);
    await this.load(coin.subaddress.major);
  }

  handOver(): void {
    const { chosen, amount, addresses } = this;
    handedOver = { account: wallet.account, keyImages: chosen.flatMap(({ keyImage }) => keyImage ?? []), amount, addresses };
  }
}
