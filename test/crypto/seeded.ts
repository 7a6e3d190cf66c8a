import { u64ToBytes } from '../../src/base/index.ts';
import { keccak256, type Random } from '../../src/crypto/index.ts';

/** A reproducible source for tests: Keccak in counter mode over a seed. */
export function seededRandom(seed: number): Random {
  let counter = 0n;
  const key = u64ToBytes(BigInt(seed));
  return {
    bytes(n: number): Uint8Array {
      const out = new Uint8Array(n);
      for (let at = 0; at < n; at += 32) out.set(keccak256(key, u64ToBytes(counter++)).subarray(0, Math.min(32, n - at)), at);
      return out;
    },
  };
}
