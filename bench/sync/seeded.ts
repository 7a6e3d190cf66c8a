import { keccak256, type Random, reduce32 } from '../../src/crypto/index.ts';

/** A deterministic random source: Keccak over a seed and a counter. Benches and tests only; the same seed gives the same chain. */
export class SeededRandom implements Random {
  readonly #state = new Uint8Array(12);
  #pool = new Uint8Array();

  constructor(seed: number) {
    new DataView(this.#state.buffer).setUint32(8, seed, true);
  }

  bytes(n: number): Uint8Array {
    const out = new Uint8Array(n);
    for (let at = 0; at < n; ) {
      if (this.#pool.length === 0) this.#pool = this.#next();
      const part = this.#pool.subarray(0, n - at);
      out.set(part, at);
      at += part.length;
      this.#pool = this.#pool.subarray(part.length);
    }
    return out;
  }

  #next(): Uint8Array<ArrayBuffer> {
    const view = new DataView(this.#state.buffer);
    view.setUint32(0, view.getUint32(0, true) + 1, true);
    return Uint8Array.from(keccak256(this.#state));
  }

  /** A canonical scalar. */
  scalar(): Uint8Array {
    return reduce32(this.bytes(32));
  }

  /** 0 … 1. */
  fraction(): number {
    return new DataView(this.bytes(4).buffer).getUint32(0, true) / 2 ** 32;
  }

  /** Picks according to weights. */
  pick<T>(choices: readonly (readonly [T, number])[]): T {
    let left = this.fraction() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    return choices[choices.length - 1]![0];
  }
}
