import { asciiToBytes, requireLength, u32ToBytes, varintBytes, wipe } from '../base/index.ts';
import { CryptoError } from './errors.ts';
import { hashToScalar, keccak256 } from './hash.ts';
import { kernels } from './load.ts';
import { hashToEc, isPoint, pointAdd, pointSub, scalarMulBase, scalarMulPoint, scalarMulPointsTimes8 } from './point.ts';
import { isCanonicalScalar, reduce32, scalarAdd } from './scalar.ts';

const VIEW_TAG_DOMAIN = asciiToBytes('view_tag');
const SUBADDRESS_DOMAIN = asciiToBytes('SubAddr\0');

/** Index of an address: account `major`, address `minor` in it; 0/0 is the primary address. Both 0 … 2^32−1. */
export interface SubaddressIndex {
  readonly major: number;
  readonly minor: number;
}

/** The public key s·G of a secret one, 32 bytes each; undefined when the secret is not a canonical scalar (`secret_key_to_public_key`). */
export function secretKeyToPublicKey(secret: Uint8Array): Uint8Array | undefined {
  return isCanonicalScalar(secret) ? scalarMulBase(secret) : undefined;
}

/**
 * D = 8·sec·pub, the secret that sender and receiver share, 32 bytes; undefined when `pub` is not a point
 * (`generate_key_derivation`).
 */
export function generateKeyDerivation(pub: Uint8Array, sec: Uint8Array): Uint8Array | undefined {
  return generateKeyDerivations([pub], sec)?.[0];
}

/** {@link generateKeyDerivation} of many keys; undefined when one is not a point. */
export function generateKeyDerivations(pubs: readonly Uint8Array[], sec: Uint8Array): Uint8Array[] | undefined {
  return scalarMulPointsTimes8(sec, pubs);
}

/** Hs(D ‖ varint(i)), the scalar of output i (0 … 2^64−1), 32 bytes (`derivation_to_scalar`). @throws CryptoError `bad-argument` */
export function derivationToScalar(derivation: Uint8Array, index: number | bigint): Uint8Array {
  return hashToScalar(derivation, varintBytes(index));
}

/** The one-time key Hs(D ‖ i)·G + B, 32 bytes; undefined when B is not a point (`derive_public_key`). */
export function derivePublicKey(derivation: Uint8Array, index: number | bigint, base: Uint8Array): Uint8Array | undefined {
  if (!isPoint(base)) return undefined;
  return pointAdd(scalarMulBase(derivationToScalar(derivation, index)), base);
}

/** The secret of a one-time key, Hs(D ‖ i) + b, 32 bytes (`derive_secret_key`). */
export function deriveSecretKey(derivation: Uint8Array, index: number | bigint, base: Uint8Array): Uint8Array {
  return scalarAdd(derivationToScalar(derivation, index), base);
}

/**
 * outKey − Hs(D ‖ i)·G: the public spend key for which the output was made; undefined when the output key is not a point
 * (`derive_subaddress_public_key`).
 */
export function deriveSubaddressPublicKey(
  outKey: Uint8Array,
  derivation: Uint8Array,
  index: number | bigint,
): Uint8Array | undefined {
  if (!isPoint(outKey)) return undefined;
  return pointSub(outKey, scalarMulBase(derivationToScalar(derivation, index)));
}

/** The first byte, 0 … 255, of Keccak("view_tag" ‖ D ‖ varint(i)) (`derive_view_tag`). */
export function deriveViewTag(derivation: Uint8Array, index: number | bigint): number {
  return keccak256(VIEW_TAG_DOMAIN, derivation, varintBytes(index))[0]!;
}

/** The key image sec·Hp(pub) of a one-time key, 32 bytes, in constant time (`generate_key_image`). */
export function generateKeyImage(pub: Uint8Array, sec: Uint8Array): Uint8Array {
  return scalarMulPoint(sec, hashToEc(pub));
}

/** A one-time key, and the secret that should produce it, a canonical scalar; 32 bytes each. */
export interface OneTimeKeys {
  readonly key: Uint8Array;
  readonly secret: Uint8Array;
}

/**
 * The key image of each, 32 bytes, in constant time and cheaper than one by one; undefined where the secret does not produce the key.
 * @throws CryptoError `bad-length`
 */
export function generateKeyImages(pairs: readonly OneTimeKeys[]): (Uint8Array | undefined)[] {
  const machine = kernels();
  const n = pairs.length;
  return machine.scratch(() => {
    const out = machine.alloc(32 * 3 * n + n);
    const [secrets, keys, ok] = [out + 32 * n, out + 64 * n, out + 96 * n];
    const memory = machine.bytes;
    for (const [i, { key, secret }] of pairs.entries()) {
      memory.set(requireLength(secret, 32), secrets + 32 * i);
      memory.set(requireLength(key, 32), keys + 32 * i);
    }
    machine.exports.keyImages(out, ok, secrets, keys, n);
    const good = machine.take(ok, n);
    return pairs.map((_, i) => (good[i] === 1 ? machine.take(out + 32 * i, 32) : undefined));
  });
}

/** m = Hs("SubAddr\0" ‖ view ‖ major ‖ minor): what a subaddress adds to the spend key (device_default.cpp, `get_subaddress_secret_key`). */
export function subaddressSecretKey(view: Uint8Array, index: SubaddressIndex): Uint8Array {
  return hashToScalar(SUBADDRESS_DOMAIN, view, u32ToBytes(index.major), u32ToBytes(index.minor));
}

/**
 * Public spend keys of subaddresses `from` and the `count` − 1 after it in their account, 32 bytes each, one after the other, in
 * constant time (device_default.cpp, `get_subaddress_spend_public_keys`).
 * @param view secret view key; `spend` the public spend key of the main address; 32 bytes each
 * @throws CryptoError `bad-point`
 */
export function subaddressSpendKeys(view: Uint8Array, spend: Uint8Array, from: SubaddressIndex, count: number): Uint8Array {
  const machine = kernels();
  return machine.scratch(() => {
    const [viewAt, spendAt] = [machine.put(requireLength(view, 32)), machine.put(requireLength(spend, 32))];
    const out = machine.alloc(32 * count);
    const good = machine.exports.subaddressKeys(out, viewAt, spendAt, from.major, from.minor, count);
    if (good !== 1) throw new CryptoError('bad-point', 'expected 32 bytes that encode a point');
    return machine.take(out, 32 * count);
  });
}

/**
 * The two secret keys that a 32-byte seed stands for: the seed reduced, and the reduced Keccak of that
 * (account.cpp, `account_base::generate`).
 * @throws CryptoError `bad-length` unless the seed has 32 bytes
 */
export function keysFromSeed(seed: Uint8Array): { spendKey: Uint8Array; viewKey: Uint8Array } {
  if (seed.length !== 32) throw new CryptoError('bad-length', 'expected a seed of 32 bytes');
  const spendKey = reduce32(seed);
  return { spendKey, viewKey: reduce32(keccak256(spendKey)) };
}

/**
 * The two secret keys that a MyMonero seed of 16 bytes stands for: its Keccak, and the Keccak of that, each reduced. The view key follows
 * from the hash before it is reduced, so no 25 words have both keys (mymonero-core-cpp, `coerce_valid_sec_key_from`).
 * @throws CryptoError `bad-length` unless the seed has 16 bytes
 */
export function keysFromMyMoneroSeed(seed: Uint8Array): { spendKey: Uint8Array; viewKey: Uint8Array } {
  if (seed.length !== 16) throw new CryptoError('bad-length', 'expected a seed of 16 bytes');
  const hash = keccak256(seed);
  const keys = { spendKey: reduce32(hash), viewKey: reduce32(keccak256(hash)) };
  wipe(hash);
  return keys;
}
