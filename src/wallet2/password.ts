import { concatBytes, wipe } from '../base/index.ts';
import { cnSlowHash, keccak256 } from '../crypto/index.ts';
import { blob, bytes, struct } from './archive.ts';
import { chacha20Xor } from './cipher.ts';

/** The `.keys` file and the cache on disk: the nonce of 8 bytes and the data encrypted with it. */
export const sealedFile = struct<{ nonce: Uint8Array; data: Uint8Array }>({ nonce: blob(8), data: bytes });

/** HASH_KEY_MEMORY: distinguishes the key of the secret keys from that of the file. */
const MEMORY_DOMAIN = 0x6b;
/** HASH_KEY_WALLET_CACHE: distinguishes the key of the cache from that of the keys file. */
const CACHE_DOMAIN = 0x8d;
/** HASH_KEY_BACKGROUND_CACHE: distinguishes the key of a background wallet's cache from that of its keys file. */
const BACKGROUND_CACHE_DOMAIN = 0x8e;
/** HASH_KEY_BACKGROUND_KEYS_FILE: distinguishes the key of a background wallet's keys file from that of another wallet. */
const BACKGROUND_KEYS_FILE_DOMAIN = 0x8f;
/** HASH_KEY_WALLET: last byte of the data from which the oldest caches' key is derived. */
const SECRETS_DOMAIN = 0x8c;

/**
 * The key of a `.keys` file (`generate_chacha_key`, chacha.h): CryptoNight of the password, applied `rounds` times.
 * @param rounds as the reference's `--kdf-rounds`, 1 or more
 * @returns 32 bytes, for the caller to wipe
 */
export function passwordKey(password: string, rounds: number): Promise<Uint8Array> {
  return hashed(new TextEncoder().encode(password), rounds);
}

/** The key of the cache that belongs to a keys file with this key (`derive_cache_key`, wallet2.cpp). */
export const cacheKey = (fileKey: Uint8Array): Uint8Array => derivedKey(fileKey, CACHE_DOMAIN);

/**
 * The key of a background wallet's keys file (`get_custom_background_key`).
 * @param passwordsKey {@link passwordKey} of the background password
 */
export const backgroundKey = (passwordsKey: Uint8Array): Uint8Array => derivedKey(passwordsKey, BACKGROUND_KEYS_FILE_DOMAIN);

/** The key of the cache that belongs to a background wallet's keys file with this key (`get_cache_key`). */
export const backgroundCacheKey = (fileKey: Uint8Array): Uint8Array => derivedKey(fileKey, BACKGROUND_CACHE_DOMAIN);

function derivedKey(from: Uint8Array, domain: number): Uint8Array {
  const base = concatBytes(from, Uint8Array.of(domain));
  const key = keccak256(base);
  wipe(base);
  return key;
}

/**
 * The key of caches before it was derived from the password (`device_default::generate_chacha_key`): from the secret keys, zeros for none.
 */
export async function oldCacheKey(viewKey: Uint8Array, spendKey: Uint8Array | undefined, rounds: number): Promise<Uint8Array> {
  const base = concatBytes(viewKey, spendKey ?? new Uint8Array(32), Uint8Array.of(SECRETS_DOMAIN));
  const key = await hashed(base, rounds);
  wipe(base);
  return key;
}

async function hashed(data: Uint8Array, rounds: number): Promise<Uint8Array> {
  let key = await cnSlowHash(data);
  for (let round = 1; round < rounds; round++) key = await cnSlowHash(key);
  return key;
}

/** Secrets that are encrypted with a separate key. */
export interface LockedSecrets {
  readonly spendKey: Uint8Array;
  readonly viewKey: Uint8Array;
  /** This signer's shares of a multisig wallet's spend key. */
  readonly keyShares: readonly Uint8Array[];
  readonly nonce: Uint8Array;
}

/**
 * Encrypts or decrypts secret keys in place, with a second key inside the file (`xor_with_key_stream`, account.cpp).
 * @param secrets 32 bytes each, and their nonce of 8 bytes
 */
export async function xorSecrets({ spendKey, viewKey, keyShares, nonce }: LockedSecrets, fileKey: Uint8Array): Promise<void> {
  const base = concatBytes(fileKey, Uint8Array.of(MEMORY_DOMAIN));
  const key = await cnSlowHash(base);
  const secrets = [spendKey, viewKey, ...keyShares];
  const stream = chacha20Xor({ key, nonce }, new Uint8Array(32 * secrets.length));
  for (const [at, secret] of secrets.entries()) {
    for (let i = 0; i < 32; i++) secret[i]! ^= stream[32 * at + i]!;
  }
  wipe(base, key, stream);
}
