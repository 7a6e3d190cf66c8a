import type { WalletView } from '../api.ts';

/** Shortest time between two views, in milliseconds. */
const VIEW_EVERY = 50;
/** Largest share of the thread's time for views: those of a large wallet come less often. */
const SHARE = 0.1;

type Listener = (view: WalletView) => void;

/** Listeners for changes: called at once for the first change, and a few times a second while more follow. */
export class Subscribers {
  readonly #view: () => WalletView;
  readonly #listeners = new Set<Listener>();
  readonly #watchers = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Earliest time of the next view, by `performance.now()`. */
  #nextAt = 0;
  #ended = false;

  /** @param view makes a fresh view */
  constructor(view: () => WalletView) {
    this.#view = view;
  }

  /** Returns a function that unsubscribes. The first view comes soon. */
  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.changed();
    return () => this.#listeners.delete(listener);
  }

  /**
   * Adds a watcher of the same changes, without views: the first view of a wallet with very many accounts takes long. Returns a function
   * that unsubscribes.
   */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    this.changed();
    return () => this.#watchers.delete(watcher);
  }

  /** Reports that something in a view has changed. */
  changed(): void {
    if (this.#ended || this.#listeners.size + this.#watchers.size === 0 || this.#timer !== undefined) return;
    // Further changes of this turn are in the same view.
    this.#timer = setTimeout(() => this.#tell(), Math.max(0, this.#nextAt - performance.now()));
  }

  #tell(): void {
    this.#timer = undefined;
    const began = performance.now();
    for (const watcher of this.#watchers) watcher();
    if (this.#listeners.size > 0) {
      const view = this.#view();
      for (const listener of this.#listeners) listener(view);
    }
    const now = performance.now();
    this.#nextAt = now + Math.max(VIEW_EVERY, (now - began) / SHARE);
  }

  /** Removes all listeners. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#listeners.clear();
    this.#watchers.clear();
  }
}
