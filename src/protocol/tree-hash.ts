import { keccak256 } from '../crypto/index.ts';
import { ProtocolError } from './errors.ts';

/**
 * The tree hash over transaction ids, 32 bytes each, in block order with the coinbase first (crypto/tree-hash.c).
 * The leaves beyond the largest power of two below the count are paired at the end first; then it is a plain binary tree.
 * @throws `bad-structure` when there are no leaves
 */
export function treeHash(leaves: readonly Uint8Array[]): Uint8Array {
  const count = leaves.length;
  if (count === 0) throw new ProtocolError('bad-structure', 'expected at least one leaf');
  if (count === 1) return leaves[0]!.slice();
  let width = 1;
  while (width * 2 < count) width *= 2;
  const alone = 2 * width - count;
  let level = leaves.slice(0, alone);
  for (let i = alone; i < count; i += 2) level.push(keccak256(leaves[i]!, leaves[i + 1]!));
  while (level.length > 1) {
    level = Array.from({ length: level.length / 2 }, (_, i) => keccak256(level[2 * i]!, level[2 * i + 1]!));
  }
  return level[0]!;
}
