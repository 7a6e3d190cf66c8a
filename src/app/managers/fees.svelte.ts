import type { FeeLevels, PricedRequest } from '../../wallet/index.ts';
import { toAtomic } from '../services/atomic.ts';
import { ready } from './ready.svelte.ts';
import type { SendFlow } from './send.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** Milliseconds after the last key before a new amount is priced. */
const PAUSE = 300;
/** Milliseconds after which fees are asked for again, while somebody looks. */
const AGAIN = 30_000;

/** Has a form's payment priced for each priority; follows what is filled in, the chain and the pool. */
export class FeeWatch {
  readonly #flow: SendFlow;
  // Of a view that changes many times a second while blocks come in: what of it is followed.
  readonly #height = $derived(wallet.view?.sync.phase === 'live' ? wallet.view.sync.height : undefined);
  readonly #address = $derived(wallet.view?.primaryAddress ?? '');
  readonly #coins = $derived(ready.terms.keepReady);
  #turn = 0;

  constructor(flow: SendFlow) {
    this.#flow = flow;
    $effect(() => this.#follow());
  }

  /** Asked when the form has changed, with each block, and every half minute. */
  #follow(): () => void {
    const request = this.#request();
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
      levels = await wallet.api.feeLevels(request);
    } catch {
      // The review reports the node's error; here the prices are just absent.
    }
    if (turn === this.#turn) this.#flow.levels = levels;
  }

  /** The payment as far as it is filled in. Whom it pays makes no difference to its cost, and is not told. */
  #request(): PricedRequest {
    const { sweep, split, recipients, terms, chosen } = this.#flow;
    const address = this.#address;
    if (sweep) {
      const coins = chosen === undefined ? {} : { keyImages: chosen.keyImages };
      return { kind: 'sweep', ...terms, ...coins, address, outputs: split ?? 1 };
    }
    const destinations = recipients.map(({ parsed }) => ({ address, amount: toAtomic(parsed.value || 1n) }));
    const keep = this.#coins === undefined ? {} : { keepReady: this.#coins };
    return { kind: 'transfer', ...terms, destinations, severalTransactions: true, ...keep };
  }
}
