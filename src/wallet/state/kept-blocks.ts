import type { Height } from '../../protocol/index.ts';
import type { BlockStub } from '../model.ts';

/** Number of newest block ids stored without gaps: the longest reorganisation that can be followed. */
export const DENSE_BLOCKS = 120;
/** Number of older ids stored, one for each batch, thinned as they age. */
const SPARSE_BLOCKS = 32;

/** Thins block ids: the newest without gaps, older ones ever more sparsely. */
export function thinBlocks(blocks: BlockStub[], height: Height): BlockStub[] {
  const dense = blocks.findIndex((stub) => stub.height >= height - DENSE_BLOCKS);
  const split = dense < 0 ? blocks.length : dense;
  if (split <= SPARSE_BLOCKS * 2) return blocks;
  const old = blocks.slice(0, split);
  const half = SPARSE_BLOCKS / 2;
  const thinned = old.filter((_, i) => i >= old.length - half || i % 4 === 0);
  return [...thinned, ...blocks.slice(split)];
}
