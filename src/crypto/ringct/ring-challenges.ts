import { concatBytes, requireLength } from '../../base/index.ts';
import { CryptoError } from '../errors.ts';
import { kernels } from '../load.ts';
import type { RingMember } from './types.ts';

/** Writes the ring kernel's input: message, key image, D/8, pseudo output, keys, commitments (wasm/clsag.ts). */
export function ringKernelInput(
  message: Uint8Array,
  keyImage: Uint8Array,
  dOver8: Uint8Array,
  pseudoOut: Uint8Array,
  ring: readonly RingMember[],
): Uint8Array {
  const parts = [message, keyImage, dOver8, pseudoOut, ...ring.map((m) => m.key), ...ring.map((m) => m.commitment)];
  return concatBytes(...parts.map((part) => requireLength(part, 32)));
}

/** A ring in the kernels' memory: hashes and points that stay the same all the way around. */
export class Ring {
  private readonly machine = kernels();
  readonly context: number;
  private readonly cell: number;

  /**
   * @param beside whether other rings are walked in step
   * @throws CryptoError `bad-point` if an encoding is not a point
   */
  constructor(input: Uint8Array, members: number, beside: boolean) {
    this.cell = this.machine.alloc(96);
    this.context = this.machine.exports.clsagRing(this.machine.put(input), members, beside);
    if (this.context === 0) throw new CryptoError('bad-point', 'expected a ring of points');
  }

  /** The weights muP and muC of the aggregated key. */
  weights(): { muP: Uint8Array; muC: Uint8Array } {
    this.machine.exports.clsagWeights(this.cell, this.context);
    return { muP: this.machine.take(this.cell, 32), muC: this.machine.take(this.cell + 32, 32) };
  }

  /** The challenge that follows L and R. */
  challenge(left: Uint8Array, right: Uint8Array): Uint8Array {
    this.machine.bytes.set(concatBytes(left, right), this.cell + 32);
    this.machine.exports.clsagChallenge(this.cell, this.context, this.cell + 32);
    return this.machine.take(this.cell, 32);
  }

  /**
   * Walks from the member at `index`, with its L and R, around to it again by the responses of the others.
   * @returns the challenge that it has to answer, and that of the first member
   */
  around(index: number, left: Uint8Array, right: Uint8Array, s: readonly Uint8Array[]): { c: Uint8Array; c1: Uint8Array } {
    let c = this.challenge(left, right);
    let c1 = c;
    for (let walked = 1; walked < s.length; walked++) {
      const i = (index + walked) % s.length;
      if (i === 0) c1 = c;
      [c] = nextChallenges([this], i, [s[i]!], [c]) as [Uint8Array];
    }
    return { c, c1: index === 0 ? c : c1 };
  }
}

/** The next challenges of several rings at once, from the responses `s` and challenges `c` of their member number `member`. */
export function nextChallenges(
  rings: readonly Ring[],
  member: number,
  s: readonly Uint8Array[],
  c: readonly Uint8Array[],
): Uint8Array[] {
  const machine = kernels();
  const contexts = machine.put(new Uint8Array(Uint32Array.from(rings, (ring) => ring.context).buffer));
  const responses = machine.put(concatBytes(...s));
  const challenges = machine.put(concatBytes(...c));
  machine.exports.clsagStep(challenges, contexts, rings.length, member, responses);
  return rings.map((_, j) => machine.take(challenges + 32 * j, 32));
}
