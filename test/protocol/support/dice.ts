/** A small reproducible generator (mulberry32) for made-up data: nothing here is secret. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 … 2^32−1. */
  u32(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return (x ^ (x >>> 14)) >>> 0;
  }

  /** 0 … limit−1. */
  below(limit: number): number {
    return this.u32() % limit;
  }

  /** low … high. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  u64(): bigint {
    const value = (BigInt(this.u32()) << 32n) | BigInt(this.u32());
    return value >> BigInt(this.below(64));
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.u32() & 0xff);
  }

  keys(count: number): Uint8Array[] {
    return Array.from({ length: count }, () => this.bytes(32));
  }

  list<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }
}
