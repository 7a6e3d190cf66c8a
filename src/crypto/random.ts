import { asciiToBytes, type ByteSource, concatBytes, equalBytes, u32ToBytes, wipe } from '../base/index.ts';
import { CryptoError } from './errors.ts';
import { keccak256 } from './hash.ts';
import { reduce64, scalarIsZero } from './scalar.ts';

/** A source of randomness: the port through which every nonce, key and blinding factor comes. */
export type Random = ByteSource;

/** getRandomValues fills at most this many bytes in a call. */
const QUOTA = 65_536;

/**
 * The platform's cryptographic source.
 * @throws CryptoError `no-randomness` if the platform has none; `weak-randomness` if its output does not vary
 */
export const systemRandom: Random = {
  bytes(n: number): Uint8Array {
    const source = globalThis.crypto;
    if (typeof source?.getRandomValues !== 'function') {
      throw new CryptoError('no-randomness', 'expected a cryptographic random source: this platform offers none');
    }
    const bytes = new Uint8Array(n);
    for (let at = 0; at < n; at += QUOTA) source.getRandomValues(bytes.subarray(at, Math.min(at + QUOTA, n)));
    requireVarying((size) => source.getRandomValues(new Uint8Array(size)));
    return bytes;
  },
};

/** Two draws of 32 bytes, joined. With a working source they differ, and neither repeats one byte 32 times: the chance is below 2^-240. */
function requireVarying(draw: (size: number) => Uint8Array): Uint8Array {
  const first = draw(32);
  const second = draw(32);
  const constant = (bytes: Uint8Array) => bytes.every((value) => value === bytes[0]);
  if (first.length !== 32 || second.length !== 32 || equalBytes(first, second) || constant(first) || constant(second)) {
    throw new CryptoError('weak-randomness', 'expected random bytes that vary: the source repeats itself');
  }
  return concatBytes(first, second);
}

/**
 * A secret nonce that stays unpredictable if the random source is weak, and does not repeat if the source does: Keccak of domain ‖ 64 fresh
 * bytes ‖ inputs, twice with a counter, reduced from 64 bytes. Never zero.
 * @param domain names the use; two uses never share one
 * @param inputs the secret and the message that the nonce is for; each is hashed with its length before it
 * @throws CryptoError `weak-randomness` when the source is constant
 */
export function hedgedScalar(random: Random, domain: string, ...inputs: readonly Uint8Array[]): Uint8Array {
  for (;;) {
    const scalar = hedgedScalarOnce(random, domain, inputs);
    if (!scalarIsZero(scalar)) return scalar;
  }
}

function hedgedScalarOnce(random: Random, domain: string, inputs: readonly Uint8Array[]): Uint8Array {
  const fresh = requireVarying((size) => random.bytes(size));
  const chunks = [lengthPrefixed(asciiToBytes(domain)), fresh, ...inputs.map(lengthPrefixed)];
  const low = keccak256(Uint8Array.of(0), ...chunks);
  const high = keccak256(Uint8Array.of(1), ...chunks);
  const wide = concatBytes(low, high);
  const scalar = reduce64(wide);
  wipe(low, high, wide, ...chunks);
  return scalar;
}

function lengthPrefixed(bytes: Uint8Array): Uint8Array {
  return concatBytes(u32ToBytes(bytes.length), bytes);
}

/**
 * A uniform scalar other than zero.
 * @throws CryptoError `weak-randomness` when the source is constant
 */
export function randomScalar(random: Random): Uint8Array {
  return hedgedScalar(random, 'random scalar');
}
