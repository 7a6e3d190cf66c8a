import { flushSync, untrack } from 'svelte';
import { replaceInFrames } from '../services/frame-scheduling.ts';

/**
 * A list that is updated a few rows per frame, so that a long update does not block the page. To be rendered without keys: each row takes
 * the entry now at its place, and an entry may be in two rows while an update is under way.
 */
export class ProgressiveList<T> {
  shown: readonly T[] = $state.raw([]);
  /** Number of rows when the list was last complete; does not change while an update is under way. */
  count = $state(0);

  /** The first value is shown at once. @param wanted tracked while the component that creates this is mounted */
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
      return replaceInFrames(
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
