import {
  EMISSION_SHIFT,
  FEE_QUANTIZATION,
  FEE_REFERENCE_WEIGHT,
  FULL_REWARD_ZONE,
  MONEY_SUPPLY,
  SURGE_FACTOR,
  TAIL_REWARD,
} from './rules.ts';

/** Median as the reference takes it: the mean of the two middle ones, rounded down, of an even count; 0 of none. */
export function medianOfSorted(sorted: readonly number[]): number {
  if (sorted.length === 0) return 0;
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return Math.floor((sorted[middle - 1]! + sorted[middle]!) / 2);
}

export function median(values: readonly number[]): number {
  return medianOfSorted([...values].sort((a, b) => a - b));
}

/**
 * What a block may create, in atomic units, before fees. Heavier than the median costs a share of it.
 * @returns undefined when the block is heavier than twice the median
 * Source: cryptonote_basic_impl.cpp get_block_reward.
 */
export function blockReward(medianWeight: number, weight: number, generatedCoins: bigint): bigint | undefined {
  let base = (MONEY_SUPPLY - generatedCoins) >> EMISSION_SHIFT;
  if (base < TAIL_REWARD) base = TAIL_REWARD;
  const zone = Math.max(medianWeight, FULL_REWARD_ZONE);
  if (weight <= zone) return base;
  if (weight > 2 * zone) return undefined;
  return (base * BigInt(2 * zone - weight) * BigInt(weight)) / BigInt(zone) / BigInt(zone);
}

/** Coins in existence after a block that created `reward`; stays at the supply once it is reached. */
export function addGenerated(generatedCoins: bigint, reward: bigint): bigint {
  return reward < MONEY_SUPPLY - generatedCoins ? generatedCoins + reward : MONEY_SUPPLY;
}

/** A block's weight as the long-term median counts it: within a factor of 1.7 of that median. */
export function longTermWeight(weight: number, longTermMedian: number): number {
  const effective = Math.max(FULL_REWARD_ZONE, longTermMedian);
  const atLeast = Math.floor((effective * 10) / 17);
  const atMost = effective + Math.floor((effective * 7) / 10);
  return Math.min(Math.max(weight, atLeast), atMost);
}

/** The median that limits the next block's weight: the short-term one, between the long-term one and 50 times it. */
export function effectiveMedian(shortTermMedian: number, longTermMedian: number): number {
  const longTerm = Math.max(FULL_REWARD_ZONE, longTermMedian);
  return Math.max(FULL_REWARD_ZONE, Math.min(Math.max(longTerm, shortTermMedian), SURGE_FACTOR * longTerm));
}

/**
 * The least fee per byte of weight that a node accepts.
 * Source: blockchain.cpp get_dynamic_base_fee with the 2021 scaling.
 */
export function minimumFeePerByte(baseReward: bigint, medianWeight: number): bigint {
  const weight = BigInt(Math.max(medianWeight, FULL_REWARD_ZONE));
  const fee = (baseReward * FEE_REFERENCE_WEIGHT) / weight / weight;
  return fee - fee / 20n;
}

/** The least fee of a transaction of `weight`, without the 2% that nodes let pass. */
export function neededFee(weight: number, feePerByte: bigint): bigint {
  return ((BigInt(weight) * feePerByte + FEE_QUANTIZATION - 1n) / FEE_QUANTIZATION) * FEE_QUANTIZATION;
}

/** Rounds up to two significant decimal digits (round_money_up). */
function roundUp(value: bigint): bigint {
  const digits = value.toString().length;
  if (digits <= 2) return value;
  const unit = 10n ** BigInt(digits - 2);
  return ((value + unit - 1n) / unit) * unit;
}

/**
 * Fees per byte of the four priorities.
 * @param shortTerm the short-term median, at most 50 times `longTerm` (Mnw)
 * @param longTerm the long-term median, at least the full reward zone (Mlw)
 * Source: blockchain.cpp get_dynamic_base_fee_estimate_2021_scaling.
 */
export function feeEstimates(baseReward: bigint, shortTerm: number, longTerm: number): [bigint, bigint, bigint, bigint] {
  const fallback = BigInt(Math.min(shortTerm, longTerm));
  const zone = BigInt(FULL_REWARD_ZONE);
  const low = (baseReward * FEE_REFERENCE_WEIGHT) / (fallback * fallback);
  const normal = (4n * baseReward * FEE_REFERENCE_WEIGHT) / (fallback * fallback);
  const medium = (16n * baseReward * FEE_REFERENCE_WEIGHT) / (zone * fallback);
  const scaled = (4n * medium * fallback) / ((32n * FEE_REFERENCE_WEIGHT * BigInt(shortTerm)) / zone);
  const high = scaled > 4n * medium ? scaled : 4n * medium;
  return [roundUp(low), roundUp(normal), roundUp(medium), roundUp(high)];
}
