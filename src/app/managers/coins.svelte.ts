import { SvelteSet } from 'svelte/reactivity';
import type { BegunCoins, OutputView } from '../../wallet/index.ts';
import { linkedAddresses } from '../services/coins.ts';
import { type Sorting, sorted } from '../services/sorting.ts';
import { COIN_COMPARATORS, type CoinColumn } from '../services/table-sorting.ts';
import { wallet } from './wallet.svelte.ts';

/** Coins that are to be sent whole. */
export interface ChosenCoins extends BegunCoins {
  /** Whose they are. */
  readonly account: number;
}

/** Coins that the coin list hands to the next payment, which takes them. */
let handedOver: ChosenCoins | undefined;

/** The coins that the coin list hands over to Send; once. */
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
  /** The newest first. */
  sorting: Sorting<CoinColumn> = $state.raw({ by: 'height', down: true });
  readonly #chosen = new SvelteSet<string>();

  readonly #newest = $derived(this.all.filter(({ hold }) => this.showSpent || hold !== 'spent').toReversed());
  /** Those of one amount in the order in which they came. */
  shown = $derived(sorted(this.#newest, this.sorting, COIN_COMPARATORS));
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

  /** Those chosen are what is sent next. */
  handOver(): void {
    handedOver = this.#whole(this.chosen);
  }

  /** Those chosen, or all that can be spent, are made into several. @param address of the account itself */
  handOverSplit(coins: number, address: string): void {
    handedOver = { ...this.#whole(this.toSplit), split: { coins, address } };
  }

  /** Coins that a split would take. */
  get toSplit(): readonly OutputView[] {
    return this.chosen.length > 0 ? this.chosen : this.all.filter(({ hold }) => hold === undefined);
  }

  #whole(coins: readonly OutputView[]): ChosenCoins {
    return {
      account: wallet.account,
      keyImages: coins.flatMap(({ keyImage }) => keyImage ?? []),
      amount: coins.reduce((sum, coin) => sum + coin.amount, 0n),
      addresses: linkedAddresses(coins),
    };
  }
}
