import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Kernels } from './kernels.ts';
import { kernelsIfLoaded } from './load.ts';
import type { CryptoExports } from './proof-exports.ts';
import { reduce32 } from './scalar.ts';

/**
 * Keccak-256 with the original padding (not SHA3-256) of all chunks in turn, 32 bytes: the reference's `cn_fast_hash`
 * (src/crypto/hash.c). Works before `loadCrypto` too, then slower.
 */
export function keccak256(...chunks: readonly Uint8Array[]): Uint8Array {
  const machine = kernelsIfLoaded();
  if (machine !== undefined) return kernelKeccak(machine, chunks);
  const state = keccak_256.create();
  for (const chunk of chunks) state.update(chunk);
  return state.digest();
}

function kernelKeccak(machine: Kernels<CryptoExports>, chunks: readonly Uint8Array[]): Uint8Array {
  return machine.scratch(() => {
    const length = chunks.reduce((total, chunk) => total + chunk.length, 0);
    const out = machine.alloc(32 + length);
    const memory = machine.bytes;
    let end = out + 32;
    for (const chunk of chunks) {
      memory.set(chunk, end);
      end += chunk.length;
    }
    machine.exports.keccak256(out, out + 32, length);
    return machine.take(out, 32);
  });
}

/** Keccak-256 reduced modulo the group order, a scalar: `hash_to_scalar` (src/crypto/crypto.cpp). */
export function hashToScalar(...chunks: readonly Uint8Array[]): Uint8Array {
  return reduce32(keccak256(...chunks));
}
