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
 * Nonces that a signer exports before a payment, so that signing takes one message. A nonce that signs two messages reveals the key
 * share: each is used once, and its use is journalled before a share leaves. All nonces of an export are derived from one seed.
 */

const DOMAIN = asciiToBytes('Nightjar multisig nonce');

/**
 * Draws the seed of an export, 32 bytes, secret: unpredictable even with a weak random source, and different for different salts even if
 * the source repeats itself.
 * @param salt unique to this export; it includes the seed of the last one
 */
export function drawNonceSeed({ baseSecret }: MultisigAccount, salt: Uint8Array, random: Random): Uint8Array {
  return hedgedScalar(random, 'multisig nonces', baseSecret, salt);
}

/** Number of nonces that an output needs: two for every set of signers with us that another signer may propose. */
export const noncesOfOutput = ({ signers, threshold }: Pick<MultisigAccount, 'signers' | 'threshold'>): number =>
  NONCES_OF_INPUT * binomial(signers.length - 1, signers.length - threshold);

/** A nonce of an output, a scalar. Secret: the caller wipes it. @param key of the output, 32 bytes */
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

/** Nonces of one output, taken in order, each once. */
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

  /** The next remaining nonce whose public half, in hex, is in `used`; undefined if there is none. The caller wipes it. */
  take(used: ReadonlySet<string>): Uint8Array | undefined {
    const at = this.#left.findIndex(({ point }) => used.has(point));
    const [found] = at < 0 ? [] : this.#left.splice(at, 1);
    return found && nonceAt(this.#seed, this.#key, found.index);
  }
}
