import type { Height } from './model.ts';
import { median } from './rewards.ts';

/** Below this an unlock time is a height, from it on unix seconds (CRYPTONOTE_MAX_BLOCK_NUMBER). */
export const MAX_BLOCK_NUMBER = 500_000_000n;
/** An output may be spent one block early (CRYPTONOTE_LOCKED_TX_ALLOWED_DELTA_BLOCKS)… */
const LEEWAY_BLOCKS = 1;
/** … or one block's time early, as since version 2 (CRYPTONOTE_LOCKED_TX_ALLOWED_DELTA_SECONDS_V2). */
const LEEWAY_SECONDS = 120;

const TIMESTAMP_WINDOW = 60;
/** Seconds between blocks (DIFFICULTY_TARGET_V2). */
export const BLOCK_SECONDS = 120;

/** Whether an unlock time is a height rather than a time. */
export function isUnlockHeight(unlockTime: bigint): boolean {
  return unlockTime < MAX_BLOCK_NUMBER;
}

/**
 * Whether an unlock time lets an output be spent (wallet2.cpp and blockchain.cpp, is_tx_spendtime_unlocked). The minimum age of every
 * output is a separate rule.
 * @param height number of blocks of the chain, which is the height of the next one
 * @param time unix seconds; nodes take {@link adjustedTime} of the chain
 */
export function isUnlocked(unlockTime: bigint, height: Height, time: number): boolean {
  if (isUnlockHeight(unlockTime)) return BigInt(height - 1 + LEEWAY_BLOCKS) >= unlockTime;
  return BigInt(Math.floor(time) + LEEWAY_SECONDS) >= unlockTime;
}

/**
 * The time that nodes compare unlock times with since version 13: the smaller of the median of the last 60 timestamps projected to the next
 * block, and the last timestamp plus a block's time (Blockchain::get_adjusted_time).
 * @param timestamps of the last 60 blocks in chain order, unix seconds
 * @returns `now` on a chain with fewer blocks
 */
export function adjustedTime(timestamps: readonly number[], now: number): number {
  if (timestamps.length < TIMESTAMP_WINDOW) return now;
  const window = timestamps.slice(-TIMESTAMP_WINDOW);
  const projected = median(window) + ((TIMESTAMP_WINDOW + 1) * BLOCK_SECONDS) / 2;
  return Math.min(window[TIMESTAMP_WINDOW - 1]! + BLOCK_SECONDS, projected);
}
