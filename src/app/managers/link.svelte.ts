import type { BegunPayment } from '../../wallet/index.ts';
import { router } from '../router.svelte.ts';
import { linkedRequest } from '../services/uri.ts';

/**
 * A payment that a link from elsewhere asks for, or one like an earlier one. It waits, in memory alone, until a wallet is open, and then fills
 * the form: nothing more, since whoever made the link is a stranger.
 */
class Link {
  #waiting: string | BegunPayment | undefined = $state();

  constructor() {
    this.#look();
    window.addEventListener('hashchange', () => this.#look());
  }

  /** One is there, and has not been taken. */
  get waits(): boolean {
    return this.#waiting !== undefined;
  }

  /** Undefined where there is none, or it was taken before. */
  take(): string | BegunPayment | undefined {
    const taken = this.#waiting;
    if (taken !== undefined) this.#waiting = undefined;
    return taken;
  }

  /** Leads to Send, where the form is filled with this. */
  pay(payment: BegunPayment): void {
    this.#waiting = payment;
    router.go('send');
  }

  #look(): void {
    const { hash, search, pathname } = window.location;
    const asked = linkedRequest(hash, search);
    if (search !== '') window.history.replaceState(window.history.state, '', `${pathname}${hash}`);
    if (asked !== undefined) this.#waiting = asked;
    // Neither the address bar nor the browser's history keeps it.
    if (asked !== undefined || /^#\/?pay\b/.test(hash)) router.replace('send');
  }
}

export const link = new Link();
