import { SvelteSet } from 'svelte/reactivity';

/** Reminders that the person has put away: they come again at the next visit. */
class PutAway {
  readonly #keys = new SvelteSet<string>();

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  put(key: string): void {
    this.#keys.add(key);
  }
}

export const putAway = new PutAway();
