const BUFFER = 512;
const TWO_64 = 1n << 64n;
const TWO_53 = 2 ** 53;

/** Source of random bytes: `n` new ones for each call. */
export interface ByteSource {
  bytes(n: number): Uint8Array;
}

/**
 * The random choices that planning and decoy selection make, from a byte source. Bytes are drawn in blocks; with a seeded source the
 * sequence of choices repeats.
 */
export class RandomSampler {
  readonly #random: ByteSource;
  #buffer: Uint8Array = new Uint8Array(0);
  #at = 0;
  #spare: number | undefined;

  constructor(random: ByteSource) {
    this.#random = random;
  }

  /** Uniform over 0 … 2^64−1. */
  u64(): bigint {
    if (this.#at + 8 > this.#buffer.length) {
      this.#buffer = this.#random.bytes(BUFFER);
      this.#at = 0;
    }
    const value = new DataView(this.#buffer.buffer, this.#buffer.byteOffset + this.#at, 8).getBigUint64(0, true);
    this.#buffer.fill(0, this.#at, this.#at + 8);
    this.#at += 8;
    return value;
  }

  /** Uniform over 0 … bound−1, without bias. @throws RangeError unless 1 ≤ bound ≤ 2^53 */
  below(bound: number): number {
    if (!Number.isSafeInteger(bound) || bound < 1) throw new RangeError('expected a bound of 1 … 2^53-1');
    const size = BigInt(bound);
    const limit = TWO_64 - (TWO_64 % size);
    for (;;) {
      const value = this.u64();
      if (value < limit) return Number(value % size);
    }
  }

  /** Uniform over [0, 1), 53 bits. */
  unit(): number {
    return Number(this.u64() >> 11n) / TWO_53;
  }

  /** Standard normal by the polar method, like std::normal_distribution of the reference's library. */
  normal(): number {
    if (this.#spare !== undefined) {
      const spare = this.#spare;
      this.#spare = undefined;
      return spare;
    }
    for (;;) {
      const x = 2 * this.unit() - 1;
      const y = 2 * this.unit() - 1;
      const r = x * x + y * y;
      if (r > 1 || r === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(r)) / r);
      this.#spare = x * scale;
      return y * scale;
    }
  }

  /** Gamma with a shape of at least 1: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000). */
  gamma(shape: number, scale: number): number {
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const normal = this.normal();
      const root = 1 + c * normal;
      if (root <= 0) continue;
      const v = root ** 3;
      const u = this.unit();
      if (Math.log(u) < 0.5 * normal * normal + d - d * v + d * Math.log(v)) return d * v * scale;
    }
  }

  /** A new array in random order, all orders equally likely (Fisher and Yates). */
  shuffled<T>(items: readonly T[]): T[] {
    const result = [...items];
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const held = result[i]!;
      result[i] = result[j]!;
      result[j] = held;
    }
    return result;
  }
}
