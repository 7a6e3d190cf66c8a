import { sha256 } from '@noble/hashes/sha2.js';

/**
 * Which fragments a part of a fountain code is made of (BCR-2024-001, MUR): both sides derive them from the part's number and the message's
 * checksum, so this arithmetic is the format.
 */

const MASK = (1n << 64n) - 1n;
const TWO_TO_64 = 2 ** 64;

const rotated = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (64n - by))) & MASK;

/** xoshiro256**, seeded with the SHA-256 of some bytes as four big-endian numbers. */
function xoshiro(seed: Uint8Array): () => number {
  const view = new DataView(sha256(seed).buffer);
  const number = (at: number): bigint => view.getBigUint64(at);
  let [a, b, c, d] = [number(0), number(8), number(16), number(24)];
  return () => {
    const result = (rotated((b * 5n) & MASK, 7n) * 9n) & MASK;
    const shifted = (b << 17n) & MASK;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 45n);
    return Number(result) / TWO_TO_64;
  };
}

/** Walker's alias method over the weights 1, 1/2, ... 1/n: how many fragments a part is made of. */
interface Degrees {
  readonly shares: Float64Array;
  readonly others: Uint32Array;
}

function degreesOf(count: number): Degrees {
  let sum = 0;
  for (let i = 1; i <= count; i++) sum += 1 / i;
  const rest = Float64Array.from({ length: count }, (_, i) => ((1 / (i + 1)) * count) / sum);
  const shares = new Float64Array(count).fill(1);
  const others = new Uint32Array(count);
  const small: number[] = [];
  const large: number[] = [];
  const sort = (i: number): void => void (rest[i]! < 1 ? small : large).push(i);
  for (let i = count - 1; i >= 0; i--) sort(i);
  while (small.length > 0 && large.length > 0) {
    const [low, high] = [small.pop()!, large.pop()!];
    shares[low] = rest[low]!;
    others[low] = high;
    rest[high] = rest[high]! + rest[low]! - 1;
    sort(high);
  }
  return { shares, others };
}

/** The fragments of every part of one message. */
export class FragmentChooser {
  #degrees: Degrees | undefined;

  /**
   * @param count fragments of the message
   * @param checksum CRC-32 of the message
   */
  constructor(
    readonly count: number,
    readonly checksum: number,
  ) {}

  /** Indexes, from 0, of the fragments whose sum (exclusive or) part `seqNum` carries. The first `count` parts carry one each. */
  indexes(seqNum: number): readonly number[] {
    if (seqNum <= this.count) return [seqNum - 1];
    const seed = new Uint8Array(8);
    const view = new DataView(seed.buffer);
    view.setUint32(0, seqNum);
    view.setUint32(4, this.checksum);
    const next = xoshiro(seed);
    const degree = this.#degree(next);
    const left = Array.from({ length: this.count }, (_, i) => i);
    return Array.from({ length: degree }, () => left.splice(Math.floor(next() * left.length), 1)[0]!);
  }

  #degree(next: () => number): number {
    this.#degrees ??= degreesOf(this.count);
    const { shares, others } = this.#degrees;
    const [which, share] = [next(), next()];
    const i = Math.floor(this.count * which);
    return 1 + (share < shares[i]! ? i : others[i]!);
  }
}

/** Adds bytes to others in place, by exclusive or, which also removes them again. */
export function xorInto(sum: Uint8Array, bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; i++) sum[i]! ^= bytes[i]!;
}
