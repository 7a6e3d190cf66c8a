import { minBlockWeight } from './rewards.ts';

/** What nodes ask of a transaction's fee (blockchain.cpp). Fees in atomic units, weights in bytes. */

/** A fee is rounded up to a multiple of this: 8 of the 12 decimals count (PER_KB_FEE_QUANTIZATION_DECIMALS). */
export const FEE_QUANTIZATION = 10_000n;
const REFERENCE_WEIGHT = 3_000n;
const FIXED_FEE_PER_KB = 2_000_000_000n;
const DYNAMIC_FEE_PER_KB = 2_000_000_000n;
const DYNAMIC_BASE_REWARD = 10_000_000_000_000n;

const roundUpTo = (value: bigint, unit: bigint) => ((value + unit - 1n) / unit) * unit;

/** weight × fee per byte, rounded up to a multiple of the quantization (calculate_fee_from_weight). */
export function feeFromWeight(weight: number, feePerByte: bigint, quantization = FEE_QUANTIZATION): bigint {
  return roundUpTo(BigInt(weight) * feePerByte, quantization);
}

/**
 * The least fee: per byte from version 8 on, per 1,024 bytes before (get_dynamic_base_fee, and the fixed fee of versions 1–3). From
 * version 15 on never nothing.
 * @param medianWeight from version 10 on the smaller one of half the weight limit and the long-term median
 */
export function baseFee(reward: bigint, medianWeight: number, version: number): bigint {
  if (version < 4) return FIXED_FEE_PER_KB;
  const least = BigInt(minBlockWeight(version));
  const median = BigInt(Math.max(medianWeight, minBlockWeight(version)));
  if (version >= 15) {
    const whole = (reward * REFERENCE_WEIGHT) / median / median;
    const fee = whole - whole / 20n;
    return fee === 0n ? 1n : fee;
  }
  if (version >= 8) return (reward * REFERENCE_WEIGHT) / median / least / 5n;
  const perKb = version >= 5 ? (DYNAMIC_FEE_PER_KB * 60_000n) / 300_000n : DYNAMIC_FEE_PER_KB;
  return roundUpTo((((perKb * least) / median) * reward) / DYNAMIC_BASE_REWARD, FEE_QUANTIZATION);
}

/** The fee that a node needs for a weight, rounded up; see {@link acceptsFee} for what it lets pass. */
export function neededFee(weight: number, reward: bigint, medianWeight: number, version: number): bigint {
  const fee = baseFee(reward, medianWeight, version);
  return version >= 8 ? feeFromWeight(weight, fee) : BigInt(Math.ceil(weight / 1024)) * fee;
}

/** Whether a node takes a fee (atomic units): at least the needed one less 2% (Blockchain::check_fee). */
export function acceptsFee(fee: bigint, needed: bigint): boolean {
  return fee >= needed - needed / 50n;
}

/** Rounds up to so many leading decimal digits (round_money_up). */
export function roundUpDigits(value: bigint, digits: number): bigint {
  const length = value.toString().length;
  return length <= digits ? value : roundUpTo(value, 10n ** BigInt(length - digits));
}

/**
 * Fees per byte for priorities 1 to 4, from version 15 on (get_dynamic_base_fee_estimate_2021_scaling).
 * @param shortTerm effective short-term median weight (Mnw)
 * @param longTerm long-term median weight, at least 300,000 (Mlw)
 */
export function feeEstimates(reward: bigint, shortTerm: number, longTerm: number): readonly [bigint, bigint, bigint, bigint] {
  const lower = BigInt(Math.min(shortTerm, longTerm));
  const zone = BigInt(minBlockWeight(15));
  const slow = (reward * REFERENCE_WEIGHT) / (lower * lower);
  const normal = (4n * reward * REFERENCE_WEIGHT) / (lower * lower);
  const fast = (16n * reward * REFERENCE_WEIGHT) / (zone * lower);
  const surge = (4n * fast * lower) / ((32n * REFERENCE_WEIGHT * BigInt(shortTerm)) / zone);
  const fastest = surge > 4n * fast ? surge : 4n * fast;
  return [roundUpDigits(slow, 2), roundUpDigits(normal, 2), roundUpDigits(fast, 2), roundUpDigits(fastest, 2)];
}
