import type { FeeLevels, PricedRequest } from '../../wallet/index.ts';
import type { SendForm } from './send-form.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** Debounce in milliseconds: after the last change of the form, before fees are requested. */
const PAUSE = 300;
/** Milliseconds between updates while the page is visible. */
const AGAIN = 30_000;

/** Keeps a form's fee estimates for each priority up to date with the form, the chain and the pool. */
export class FeeWatch {
  readonly #form: SendForm;
  // Derived, since the view itself changes many times a second during a sync.
  readonly #height = $derived(wallet.view?.sync.phase === 'live' ? wallet.view.sync.height : undefined);
  readonly #address = $derived(wallet.view?.primaryAddress ?? '');
  #turn = 0;

  constructor(form: SendForm) {
    this.#form = form;
    $effect(() => this.#follow());
  }

  /** Updates when the form changes, with each block, and every 30 seconds. */
  #follow(): () => void {
    const request = this.#form.pricedRequest(this.#address);
    void this.#height;
    const ask = (): void => {
      if (!document.hidden) void this.#ask(request);
    };
    const soon = setTimeout(ask, this.#turn === 0 ? 0 : PAUSE);
    const again = setInterval(ask, AGAIN);
    return () => {
      clearTimeout(soon);
      clearInterval(again);
    };
  }

  async #ask(request: PricedRequest): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    let levels: FeeLevels | undefined;
    try {
      levels = await wallet.api.payments.feeLevels(request);
    } catch {
      // The review reports the node's error; here the prices are just absent.
    }
    if (turn !== this.#turn) return;
    this.#form.levels = levels;
    this.#form.unpriced = levels === undefined;
  }
}
