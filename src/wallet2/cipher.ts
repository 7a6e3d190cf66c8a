import { chacha8, chacha20orig } from '@noble/ciphers/chacha.js';
import { concatBytes, wipe } from '../base/index.ts';
import { checkSignature, cnSlowHash, generateSignature, keccak256, type Random, secretKeyToPublicKey } from '../crypto/index.ts';
import { Wallet2Error } from './errors.ts';

const NONCE = 8;
const SIGNATURE = 64;

/** A key of 32 bytes and its nonce of 8 bytes, as in the reference's files. */
export interface ChachaKey {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
}

/** Encrypts or decrypts with ChaCha20 in its original form: 8 bytes of nonce, 64 bits of counter (chacha.c). */
export function chacha20Xor({ key, nonce }: ChachaKey, data: Uint8Array): Uint8Array {
  return chacha20orig(key, nonce, data);
}

/**
 * Encrypts or decrypts with ChaCha8, in the same form as {@link chacha20Xor}: 8 rounds instead of 20, as in the oldest files (chacha.c).
 */
export function chacha8Xor({ key, nonce }: ChachaKey, data: Uint8Array): Uint8Array {
  // The 12-byte form begins its nonce where this one has the counter's upper half, which stays 0 below 256 GB.
  return chacha8(key, concatBytes(new Uint8Array(4), nonce), data);
}

/**
 * Encrypts and signs with a secret key: nonce ‖ ChaCha20 ‖ signature, 72 bytes more than the plaintext
 * (`encrypt`, wallet2.cpp). The cipher's key is CryptoNight of the secret key.
 * @param secret secret view key, 32 bytes
 */
export async function encryptWithSecret(plain: Uint8Array, secret: Uint8Array, random: Random): Promise<Uint8Array> {
  const sealing = await sealingKeyOf(secret);
  const sealed = encryptWithKey(plain, sealing, random);
  wipe(sealing.key);
  return sealed;
}

/** A secret key of 32 bytes, and the cipher's key, which is slow to derive from it. */
export interface SealingKey {
  readonly secret: Uint8Array;
  readonly key: Uint8Array;
}

/** A cipher key for several messages under one secret. It is CryptoNight of the secret; the caller wipes it. */
export const sealingKeyOf = async (secret: Uint8Array): Promise<SealingKey> => ({ secret, key: await cnSlowHash(secret) });

/** {@link encryptWithSecret}, with a cipher key derived before. */
export function encryptWithKey(plain: Uint8Array, { secret, key }: SealingKey, random: Random): Uint8Array {
  const nonce = random.bytes(NONCE);
  const sealed = concatBytes(nonce, chacha20Xor({ key, nonce }, plain));
  return concatBytes(sealed, generateSignature(keccak256(sealed), publicKey(secret), secret, random));
}

/**
 * Checks the signature, then decrypts (`decrypt`, wallet2.cpp).
 * @throws Wallet2Error `not-authentic`
 */
export async function decryptWithSecret(sealed: Uint8Array, secret: Uint8Array): Promise<Uint8Array> {
  const body = authenticBody(sealed, secret);
  const { key } = await sealingKeyOf(secret);
  const plain = decrypted(body, key);
  wipe(key);
  return plain;
}

/** {@link decryptWithSecret}, with a cipher key derived before. @throws Wallet2Error `not-authentic` */
export function decryptWithKey(sealed: Uint8Array, { secret, key }: SealingKey): Uint8Array {
  return decrypted(authenticBody(sealed, secret), key);
}

const decrypted = (body: Uint8Array, key: Uint8Array): Uint8Array =>
  chacha20Xor({ key, nonce: body.subarray(0, NONCE) }, body.subarray(NONCE));

function authenticBody(sealed: Uint8Array, secret: Uint8Array): Uint8Array {
  const end = sealed.length - SIGNATURE;
  if (end < NONCE)
    throw new Wallet2Error('not-authentic', `expected at least ${NONCE + SIGNATURE} bytes of ciphertext`, { short: true });
  const body = sealed.subarray(0, end);
  if (!checkSignature(keccak256(body), publicKey(secret), sealed.subarray(end))) {
    throw new Wallet2Error('not-authentic', 'expected data encrypted with the view key of this wallet, unchanged since');
  }
  return body;
}

function publicKey(secret: Uint8Array): Uint8Array {
  const key = secretKeyToPublicKey(secret);
  if (key === undefined) throw new Wallet2Error('keys-do-not-match', 'expected a secret key below the group order');
  return key;
}
