import { untrack } from 'svelte';
import { whenIdle } from '../services/frame-scheduling.ts';

/** Milliseconds after which a condition is reported even if the page was never idle. */
const MAX_DELAY = 1000;

/** A condition for showing something that is not urgent: true is reported in an idle moment, false at once. */
export class DeferredCondition {
  readonly #condition: () => boolean;
  #noticed = $state(false);

  /** A condition that is true from the start is reported at once. @param condition tracked while the component that creates this is mounted */
  constructor(condition: () => boolean) {
    this.#condition = condition;
    this.#noticed = condition();
    $effect(() => {
      if (!condition()) this.#noticed = false;
      else if (!untrack(() => this.#noticed)) return whenIdle(() => (this.#noticed = true), MAX_DELAY);
      return undefined;
    });
  }

  get holds(): boolean {
    return this.#noticed && this.#condition();
  }
}
