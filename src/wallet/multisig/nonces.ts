import { asciiToBytes, bytesToHex, concatBytes, wipe } from '../../base/index.ts';
import {
  hedgedScalar,
  keccak256,
  NONCES_OF_INPUT,
  noncePoints,
  type Random,
  reduce64,
  scalarMulBase,
} from '../../crypto/index.ts';
import type { PublicNonce } from '../../wallet2/index.ts';
import { binomial, type MultisigAccount } from './account.ts';

/**
 * Nonces that a signer tells the others ahead, so that one message is enough to sign. A nonce that signs two messages gives the key share
 * away: each is used once, and which may still be used is written in the journal before a share leaves. All nonces of an export follow
 * from one seed.
 */

const DOMAIN = asciiToBytes('Nightjar multisig nonce');

/**
 * Draws the seed of an export, 32 bytes, secret: unpredictable also where the random source is weak, and another one where it repeats
 * itself but the salt does not.
 * @param salt what only this export has: the seed of the one before among it
 */
export function drawNonceSeed({ baseSecret }: MultisigAccount, salt: Uint8Array, random: Random): Uint8Array {
  return hedgedScalar(random, 'multisig nonces', baseSecret, salt);
}

/** How many nonces an output needs: two for every set of signers that others may propose with us in it. */
export const noncesOfOutput = ({ signers, threshold }: Pick<MultisigAccount, 'signers' | 'threshold'>): number =>
  NONCES_OF_INPUT * binomial(signers.length - 1, signers.length - threshold);

/** One of an output's nonces, a scalar. Secret: the caller wipes it. @param key of the output, 32 bytes */
function nonceAt(seed: Uint8Array, key: Uint8Array, index: number): Uint8Array {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, index, true);
  const half = (which: number) => keccak256(Uint8Array.of(which), DOMAIN, seed, key, number);
  const [low, high] = [half(0), half(1)];
  const wide = concatBytes(low, high);
  const nonce = reduce64(wide);
  wipe(low, high, wide);
  return nonce;
}

/** The public halves of an output's nonces, in their order. */
export function publicNonces(seed: Uint8Array, key: Uint8Array, count: number): PublicNonce[] {
  const nonces = Array.from({ length: count }, (_, i) => nonceAt(seed, key, i));
  const points = noncePoints(nonces, key);
  wipe(...nonces);
  return points;
}

/** Nonces of one output that are taken in their order: each once. */
export class NonceQueue {
  readonly #seed: Uint8Array;
  readonly #key: Uint8Array;
  readonly #left: { readonly index: number; readonly point: string }[];

  /** @param count how many there are */
  constructor(seed: Uint8Array, key: Uint8Array, count: number) {
    this.#seed = seed;
    this.#key = key;
    this.#left = Array.from({ length: count }, (_, index) => {
      const nonce = nonceAt(seed, key, index);
      const point = bytesToHex(scalarMulBase(nonce));
      wipe(nonce);
      return { index, point };
    });
  }

  /** The next of those not taken whose public half is among the given ones, hex; undefined when there is none. The caller wipes it. */
  take(used: ReadonlySet<string>): Uint8Array | undefined {
    const at = this.#left.findIndex(({ point }) => used.has(point));
    const [found] = at < 0 ? [] : this.#left.splice(at, 1);
    return found && nonceAt(this.#seed, this.#key, found.index);
  }
}
