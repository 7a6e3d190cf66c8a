import type { Random } from '../crypto/index.ts';

/**
 * Which proofs and signatures a pruned node stores (pruning.cpp): all of the newest blocks, and of older ones one stripe of eight, so that
 * eight nodes can have all of them.
 */

const LOG_STRIPES = 3;
const STRIPES = 1 << LOG_STRIPES;
/** Consecutive blocks of one stripe. */
const STRIPE_BLOCKS = 4096;
/** Number of newest blocks that are stored whole. */
const TIP_BLOCKS = 5500;
const LOG_STRIPES_SHIFT = 7;
const STRIPE_MASK = 0x7f;

/** How a node says which stripe it keeps. @param stripe from 0 to 7 */
const pruningSeed = (stripe: number): number => (LOG_STRIPES << LOG_STRIPES_SHIFT) | stripe;

/** Pruning seed of a random stripe. */
export const randomPruningSeed = (random: Random): number => pruningSeed(random.bytes(1)[0]! % STRIPES);

/** The newest height whose block is old enough to be pruned. Below 0: none. */
export const prunableAt = (height: number): number => height - TIP_BLOCKS - 1;

/** Whether a pruned node stores all of a block. @param height number of blocks of its chain */
export function isFullyKept(blockHeight: number, height: number, seed: number): boolean {
  if (blockHeight > prunableAt(height)) return true;
  return Math.floor(blockHeight / STRIPE_BLOCKS) % STRIPES === (seed & STRIPE_MASK);
}
