import { keccak_256 } from '@noble/hashes/sha3.js';
import { reduce32 } from './scalar.ts';

/**
 * Keccak-256 with the original padding (not SHA3-256) of all chunks in turn, 32 bytes: the reference's `cn_fast_hash`
 * (src/crypto/hash.c).
 */
export function keccak256(...chunks: readonly Uint8Array[]): Uint8Array {
  const state = keccak_256.create();
  for (const chunk of chunks) state.update(chunk);
  return state.digest();
}

/** Keccak-256 reduced modulo the group order, a scalar: `hash_to_scalar` (src/crypto/crypto.cpp). */
export function hashToScalar(...chunks: readonly Uint8Array[]): Uint8Array {
  return reduce32(keccak256(...chunks));
}
