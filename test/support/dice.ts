/** Repeatable dice for tests: the same seed, the same throws. */
export class TestDice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 to `below` − 1 (mulberry32). */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  }

  /** From `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}
