import type { FeeLevels, PricedRequest } from '../../wallet/index.ts';
import type { SendForm } from './send-form.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** Milliseconds after the last key before a new amount is priced. */
const PAUSE = 300;
/** Milliseconds after which fees are asked for again, while somebody looks. */
const AGAIN = 30_000;

/** Has a form's payment priced for each priority; follows what is filled in, the chain and the pool. */
export class FeeWatch {
  readonly #form: SendForm;
  // Of a view that changes many times a second while blocks come in: what of it is followed.
  readonly #height = $derived(wallet.view?.sync.phase === 'live' ? wallet.view.sync.height : undefined);
  readonly #address = $derived(wallet.view?.primaryAddress ?? '');
  #turn = 0;

  constructor(form: SendForm) {
    this.#form = form;
    $effect(() => this.#follow());
  }

  /** Asked when the form has changed, with each block, and every half minute. */
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
    if (turn === this.#turn) this.#form.levels = levels;
  }
}
