import { SHARED } from '../../../workers/shared.ts';
import type { PaymentDraft } from '../../wallet/index.ts';
import { router } from '../router.svelte.ts';
import { linkedRequest } from '../services/uri.ts';

/**
 * A payment requested by a link (`#/pay?…`) or shared text, or repeated from the history. It is held in memory until a wallet is open, and then
 * fills the send form. It is never sent by itself: the link may come from anybody.
 */
class PaymentLink {
  #waiting: string | PaymentDraft | undefined = $state();

  constructor() {
    this.#look();
    window.addEventListener('hashchange', () => this.#look());
  }

  /** Whether there is one that was not taken yet. */
  get isPending(): boolean {
    return this.#waiting !== undefined;
  }

  /** Takes the pending payment, a `monero:` URI or a draft; undefined if there is none. */
  take(): string | PaymentDraft | undefined {
    const taken = this.#waiting;
    if (taken !== undefined) this.#waiting = undefined;
    return taken;
  }

  /** Opens the send form filled with this request or draft. */
  pay(payment: string | PaymentDraft): void {
    this.#waiting = payment;
    router.go('send');
  }

  #look(): void {
    const { hash, search, pathname } = window.location;
    if (search !== '') window.history.replaceState(window.history.state, '', `${pathname}${hash}`);
    if (search === SHARED) void sharedText().then((shared) => this.#hold(linkedRequest('', shared), ''));
    else this.#hold(linkedRequest(hash, search), hash);
  }

  #hold(asked: string | undefined, hash: string): void {
    if (asked !== undefined) this.#waiting = asked;
    // Removes the request from the address bar and the browser history.
    if (asked !== undefined || /^#\/?pay\b/.test(hash)) router.replace('send');
  }
}

/** What was shared with the page, as a query; asked of the service worker, which forgets it then. */
function sharedText(): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<string>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<string>) => resolve(data);
  });
  navigator.serviceWorker?.controller?.postMessage({ type: 'shared' }, [port2]);
  return answer;
}

export const paymentLink = new PaymentLink();
