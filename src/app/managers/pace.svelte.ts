import { flushSync, untrack } from 'svelte';
import { lineByLine, whenIdle } from '../services/pace.ts';

/** Milliseconds within which what is not urgent is shown. */
const UNHURRIED = 1000;

/** A list that is drawn a line or a few in each frame. It has no keys: a line takes the next entry, and may be there twice meanwhile. */
export class Lines<T> {
  shown: readonly T[] = $state.raw([]);
  /** How many lines the list had when it was last whole: it does not change while lines are drawn. */
  count = $state(0);

  /** The value it begins with is there at once. @param wanted followed while the component is shown in which this is made */
  constructor(wanted: () => readonly T[]) {
    this.shown = wanted();
    this.count = this.shown.length;
    let first = true;
    $effect(() => {
      const next = wanted();
      if (first) {
        first = false;
        return undefined;
      }
      return lineByLine(
        untrack(() => this.shown),
        next,
        (list) => {
          this.shown = list;
          if (list === next) this.count = next.length;
          flushSync();
        },
      );
    });
  }
}

/** Whether something holds that need not be seen at once: what comes to hold later on is noticed in an idle moment. */
export class Unhurried {
  readonly #holds: () => boolean;
  #noticed = $state(false);

  /** @param holds followed while the component is shown in which this is made */
  constructor(holds: () => boolean) {
    this.#holds = holds;
    this.#noticed = holds();
    $effect(() => {
      if (!holds()) this.#noticed = false;
      else if (!untrack(() => this.#noticed)) return whenIdle(() => (this.#noticed = true), UNHURRIED);
      return undefined;
    });
  }

  get holds(): boolean {
    return this.#noticed && this.#holds();
  }
}
