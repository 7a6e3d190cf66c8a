/** Repeatable random choices for tests (mulberry32): the same seed gives the same sequence. */
export class TestSampler {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 … 2^32−1. */
  u32(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** 0 … limit−1. */
  below(limit: number): number {
    return this.u32() % limit;
  }

  /** From `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True in this percentage of calls. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** 0 … 2^64−1, small ones as often as large ones. */
  u64(): bigint {
    const value = (BigInt(this.u32()) << 32n) | BigInt(this.u32());
    return value >> BigInt(this.below(64));
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.u32() & 0xff);
  }

  /** This many strings of 32 bytes. */
  keys(count: number): Uint8Array[] {
    return this.list(count, () => this.bytes(32));
  }

  list<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }
}
