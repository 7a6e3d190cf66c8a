import type { WalletView } from '../api.ts';

/** Shortest time between two views, milliseconds. */
const VIEW_EVERY = 250;

type Listener = (view: WalletView) => void;

/** Those who are told of changes, a few times a second at most. */
export class Subscribers {
  readonly #view: () => WalletView;
  readonly #listeners = new Set<Listener>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  /** @param view makes a fresh view */
  constructor(view: () => WalletView) {
    this.#view = view;
  }

  /** Returns the unsubscriber. The first view comes soon. */
  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.changed();
    return () => this.#listeners.delete(listener);
  }

  /** Something that a view shows is different now. */
  changed(): void {
    if (this.#ended || this.#listeners.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const view = this.#view();
      for (const listener of this.#listeners) listener(view);
    }, VIEW_EVERY);
  }

  /** Nobody is told anything more. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }
}
