import { SvelteSet } from 'svelte/reactivity';
import type { DraftCoins, OutputView } from '../../wallet/index.ts';
import { linkedAddresses } from '../services/coins.ts';
import { type Sorting, sorted } from '../services/sorting.ts';
import { COIN_COMPARATORS, type CoinColumn } from '../services/table-sorting.ts';
import { wallet } from './wallet.svelte.ts';

/** Coins selected to be spent completely. */
export interface ChosenCoins extends DraftCoins {
  /** Account they belong to. */
  readonly account: number;
}

/** Selection handed from the coin list to the send form. */
let handedOver: ChosenCoins | undefined;

/** Takes the selection handed over by the coin list, if any. */
export function takeChosenCoins(): ChosenCoins | undefined {
  const chosen = handedOver;
  handedOver = undefined;
  return chosen;
}

/** The coin list of one account. Created each time the view opens. */
export class CoinList {
  all: readonly OutputView[] = $state.raw([]);
  loaded = $state(false);
  showSpent = $state(false);
  /** Newest first by default. */
  sorting: Sorting<CoinColumn> = $state.raw({ by: 'height', down: true });
  readonly #chosen = new SvelteSet<string>();

  readonly #newest = $derived(this.all.filter(({ hold }) => this.showSpent || hold !== 'spent').toReversed());
  /** Coins of equal amount stay newest first. */
  shown = $derived(sorted(this.#newest, this.sorting, COIN_COMPARATORS));
  /** Selected coins; those spent or frozen meanwhile drop out. */
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

  /** Names a coin; an empty name removes its name. */
  async rename(coin: OutputView, name: string): Promise<void> {
    await wallet.api.nameOutput(coin.key, name);
    await this.load(coin.subaddress.major);
  }

  /** Hands the selected coins to the send form. */
  handOver(): void {
    handedOver = this.#whole(this.chosen);
  }

  /** Hands the selected coins, or all spendable ones, to the send form, to be split into several. @param address of the same account */
  handOverSplit(coins: number, address: string): void {
    handedOver = { ...this.#whole(this.toSplit), split: { coins, address } };
  }

  /** Coins that a split would spend. */
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
