import { U64_MAX } from '../base/index.ts';
import type { Era } from './eras/era.ts';

/** Emission and the weights that limit blocks. Weights are bytes, amounts atomic units. */

/** The supply before tail emission: 2^64−1. */
export const MONEY_SUPPLY = U64_MAX;
/** Blocks before a coinbase output may be spent (CRYPTONOTE_MINED_MONEY_UNLOCK_WINDOW). */
export const COINBASE_UNLOCK_WINDOW = 60;
/** Blocks before any output may be spent (CRYPTONOTE_DEFAULT_TX_SPENDABLE_AGE). */
export const SPENDABLE_AGE = 10;
/** 0.3 coins per minute, forever (FINAL_SUBSIDY_PER_MINUTE). */
const TAIL_REWARD_PER_MINUTE = 300_000_000_000n;
const EMISSION_SPEED_PER_MINUTE = 20n;

/** Reward of a block before penalty and fees, in atomic units, when `generatedCoins` were created before it. */
export function baseReward(generatedCoins: bigint, { blockSeconds }: Pick<Era, 'blockSeconds'>): bigint {
  const minutes = BigInt(blockSeconds / 60);
  const emitted = (MONEY_SUPPLY - generatedCoins) >> (EMISSION_SPEED_PER_MINUTE - (minutes - 1n));
  const tail = TAIL_REWARD_PER_MINUTE * minutes;
  return emitted < tail ? tail : emitted;
}

/**
 * Reward of a block of `weight` before fees (cryptonote_basic_impl.cpp, get_block_reward).
 * Undefined when it is heavier than twice the median, which no block may be.
 */
export function blockReward(medianWeight: number, weight: number, generatedCoins: bigint, era: Era): bigint | undefined {
  const base = baseReward(generatedCoins, era);
  const median = Math.max(medianWeight, era.fullRewardZone);
  if (weight <= median) return base;
  if (weight > 2 * median) return undefined;
  const factor = BigInt(2 * median - weight) * BigInt(weight);
  return (base * factor) / BigInt(median) / BigInt(median);
}

/** Coins in existence after a block that created `reward`; stays at the supply once that is reached. */
export function addGenerated(generatedCoins: bigint, reward: bigint): bigint {
  return reward < MONEY_SUPPLY - generatedCoins ? generatedCoins + reward : MONEY_SUPPLY;
}

/** The mean of the two middle values, rounded down, for an even count; 0 for none (misc_utils::median). */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : Math.floor((sorted[middle - 1]! + sorted[middle]!) / 2);
}
