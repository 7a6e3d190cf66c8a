import { FEE_QUANTIZATION, REFERENCE_WEIGHT, roundUpTo } from '../../fees.ts';
import type { FeeLaw } from '../era.ts';

const FIXED_PER_KB = 2_000_000_000n;
const BASE_REWARD = 10_000_000_000_000n;

/** `perKb` at the reward of ten coins and blocks of the full reward zone, less where blocks are larger. */
const dynamic = (perKb: bigint): FeeLaw => ({
  unit: 1024,
  least(reward, medianWeight, zone) {
    const scaled = ((perKb * BigInt(zone)) / BigInt(Math.max(medianWeight, zone))) * reward;
    return roundUpTo(scaled / BASE_REWARD, FEE_QUANTIZATION);
  },
});

/** The least fees (blockchain.cpp, get_dynamic_base_fee, and the fixed fee of versions 1 to 3). */
export const FEE_LAWS: readonly (readonly [from: number, law: FeeLaw])[] = [
  [
    15,
    {
      unit: 1,
      least(reward, medianWeight, zone) {
        const median = BigInt(Math.max(medianWeight, zone));
        const whole = (reward * REFERENCE_WEIGHT) / median / median;
        const fee = whole - whole / 20n;
        return fee === 0n ? 1n : fee;
      },
    },
  ],
  [
    8,
    {
      unit: 1,
      least: (reward, medianWeight, zone) =>
        (reward * REFERENCE_WEIGHT) / BigInt(Math.max(medianWeight, zone)) / BigInt(zone) / 5n,
    },
  ],
  [5, dynamic((FIXED_PER_KB * 60_000n) / 300_000n)],
  [4, dynamic(FIXED_PER_KB)],
  [1, { unit: 1024, least: () => FIXED_PER_KB }],
];
