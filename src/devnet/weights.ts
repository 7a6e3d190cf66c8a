import { median } from '../protocol/index.ts';
import type { Table } from './store/database.ts';
import { countOf, countValue, weightKey, weightOfKey } from './store/records.ts';

/**
 * Number of blocks of a window by weight, for its median. There are few different weights: a long-term weight is near the median before it.
 */
export class WeightCounts {
  readonly #table: Table;
  /** By weight. */
  #counts: Count[] = [];
  #total = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Reads the stored counts. */
  refresh(): void {
    this.#counts = Array.from(this.#table.range(), ({ key, value }) => ({
      weight: weightOfKey(key),
      count: countOf(value),
    }));
    this.#total = this.#counts.reduce((sum, { count }) => sum + count, 0);
  }

  /** @param change 1 or -1 */
  add(weight: number, change: number): void {
    let at = this.#counts.findIndex((entry) => entry.weight >= weight);
    if (at < 0) at = this.#counts.length;
    if (this.#counts[at]?.weight !== weight) this.#counts.splice(at, 0, { weight, count: 0 });
    const entry = this.#counts[at]!;
    entry.count += change;
    this.#total += change;
    if (entry.count > 0) this.#table.put(weightKey(weight), countValue(entry.count));
    else {
      this.#counts.splice(at, 1);
      this.#table.delete(weightKey(weight));
    }
  }

  /** 0 if empty. */
  get median(): number {
    return medianOf(this.#counts, this.#total);
  }

  /** The median after empty blocks come and the weights of others leave the window. */
  medianAfter(empty: number, leaving: readonly number[]): number {
    const left = this.#counts.map(({ weight, count }) => ({
      weight,
      count: count - leaving.filter((one) => one === weight).length,
    }));
    return medianOf([{ weight: 0, count: empty }, ...left], this.#total + empty - leaving.length);
  }
}

interface Count {
  readonly weight: number;
  count: number;
}

/** As in the reference: the mean of the two middle ones of an even number. */
function medianOf(counts: readonly Count[], total: number): number {
  const middle = total >> 1;
  const upper = weightAt(counts, middle);
  return total % 2 === 1 ? upper : median([weightAt(counts, middle - 1), upper]);
}

/** The weight at a place in order. */
function weightAt(counts: readonly Count[], place: number): number {
  let before = 0;
  for (const { weight, count } of counts) {
    before += count;
    if (place < before) return weight;
  }
  return 0;
}
