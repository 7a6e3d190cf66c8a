import type { Era } from './eras/era.ts';

/** Rules of nodes for a transaction's fee (blockchain.cpp). Fees in atomic units, weights in bytes. */

/** A fee is rounded up to a multiple of this: 8 of the 12 decimals count (PER_KB_FEE_QUANTIZATION_DECIMALS). */
export const FEE_QUANTIZATION = 10_000n;
/** The coarsest rounding up that a daemon may request, in atomic units: a ten-thousandth of a coin (T1). */
export const MAX_FEE_QUANTIZATION = 100_000_000n;
const REFERENCE_WEIGHT = 3_000n;

const roundUpTo = (value: bigint, unit: bigint) => ((value + unit - 1n) / unit) * unit;

/** weight × fee per byte, rounded up to a multiple of the quantization (calculate_fee_from_weight). */
export function feeFromWeight(weight: number, feePerByte: bigint, quantization = FEE_QUANTIZATION): bigint {
  return roundUpTo(BigInt(weight) * feePerByte, quantization);
}

/**
 * The fee that a node requires for a weight, rounded up, by the rule since version 15 (get_dynamic_base_fee); see {@link acceptsFee}.
 * @param medianWeight the smaller of half the weight limit and the long-term median
 */
export function neededFee(weight: number, reward: bigint, medianWeight: number, { fullRewardZone }: Era): bigint {
  const median = BigInt(Math.max(medianWeight, fullRewardZone));
  const whole = (reward * REFERENCE_WEIGHT) / median / median;
  const perByte = whole - whole / 20n;
  return feeFromWeight(weight, perByte === 0n ? 1n : perByte);
}

/** Whether a node accepts a fee (atomic units): at least the needed one minus 2% (Blockchain::check_fee). */
export function acceptsFee(fee: bigint, needed: bigint): boolean {
  return fee >= needed - needed / 50n;
}

/** Rounds up to two leading decimal digits (round_money_up). */
export function roundUpDigits(value: bigint): bigint {
  const { length } = value.toString();
  return length <= 2 ? value : roundUpTo(value, 10n ** BigInt(length - 2));
}

/**
 * Fees per byte for priorities 1 to 4, from version 15 on (get_dynamic_base_fee_estimate_2021_scaling).
 * @param shortTerm effective short-term median weight (Mnw)
 * @param longTerm long-term median weight, at least 300,000 (Mlw)
 */
export function feeEstimates(
  reward: bigint,
  shortTerm: number,
  longTerm: number,
  { fullRewardZone }: Era,
): readonly [bigint, bigint, bigint, bigint] {
  const lower = BigInt(Math.min(shortTerm, longTerm));
  const zone = BigInt(fullRewardZone);
  const slow = (reward * REFERENCE_WEIGHT) / (lower * lower);
  const normal = (4n * reward * REFERENCE_WEIGHT) / (lower * lower);
  const fast = (16n * reward * REFERENCE_WEIGHT) / (zone * lower);
  const surge = (4n * fast * lower) / ((32n * REFERENCE_WEIGHT * BigInt(shortTerm)) / zone);
  const fastest = surge > 4n * fast ? surge : 4n * fast;
  return [roundUpDigits(slow), roundUpDigits(normal), roundUpDigits(fast), roundUpDigits(fastest)];
}
