import { concatBytes } from '../base/index.ts';
import { keccak256 } from '../crypto/index.ts';
import { type Block, blockHashingBlob } from '../protocol/index.ts';

/** Name of the hash below in `mining_status`. */
export const TEST_HASH_NAME = 'Keccak-256 (devnet)';

/** Blocks between changes of the RandomX seed, and how long before a change its block is settled. */
const SEED_PERIOD = 2048;
const SEED_LAG = 64;

/** Height of the block whose id seeds the proof of work at a height (rx-slow-hash.c). */
export function seedHeight(height: number): number {
  if (height <= SEED_PERIOD + SEED_LAG) return 0;
  return (height - SEED_LAG - 1) & ~(SEED_PERIOD - 1);
}

/** The seed's height after the next change: the same one until the change is near. */
export const nextSeedHeight = (height: number): number => seedHeight(height + SEED_LAG);

/**
 * The devnet's own proof of work, 32 bytes: Keccak-256 of the seed's id and the block's hashing blob. RandomX takes two gigabytes or much
 * time; here blocks must be made by the thousand.
 */
export function testHash(seed: Uint8Array, hashingBlob: Uint8Array): Uint8Array {
  return keccak256(concatBytes(seed, hashingBlob));
}

/** Whether a hash, as a little-endian number, is small enough. At difficulty 1 every hash is. */
export function meetsDifficulty(hash: Uint8Array, difficulty: bigint): boolean {
  let value = 0n;
  for (let i = hash.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(hash[i]!);
  return value * difficulty < 1n << 256n;
}

/** Number of possible nonces: four bytes. */
export const NONCES = 2 ** 32;

/** The block with the first nonce whose hash meets the difficulty. Takes as many hashes as the difficulty on average. @param from first nonce tried */
export function findNonce(block: Block, seed: Uint8Array, difficulty: bigint, from = 0): Block {
  for (let nonce = from; ; nonce = (nonce + 1) % NONCES) {
    const tried = { ...block, nonce };
    if (difficulty === 1n || meetsDifficulty(testHash(seed, blockHashingBlob(tried)), difficulty)) return tried;
  }
}
