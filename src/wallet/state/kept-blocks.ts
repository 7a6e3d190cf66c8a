import type { Height } from '../../protocol/index.ts';
import type { BlockStub } from '../model.ts';

/** Block ids kept without gaps below the tip: what a reorganisation may take back. */
export const DENSE_BLOCKS = 120;
/** Older ids kept, one a batch, thinned as they age. */
const SPARSE_BLOCKS = 32;

/** Thins out block ids: the newest without gaps, older ones ever more sparsely. */
export function thinBlocks(blocks: BlockStub[], height: Height): BlockStub[] {
  const dense = blocks.findIndex((stub) => stub.height >= height - DENSE_BLOCKS);
  const split = dense < 0 ? blocks.length : dense;
  if (split <= SPARSE_BLOCKS * 2) return blocks;
  const old = blocks.slice(0, split);
  const half = SPARSE_BLOCKS / 2;
  const kept = old.filter((_, i) => i >= old.length - half || i % 4 === 0);
  return [...kept, ...blocks.slice(split)];
}
