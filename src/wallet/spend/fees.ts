import { U64_MAX } from '../../base/index.ts';
import {
  type Era,
  feeEstimates,
  feeFromWeight,
  MAX_FEE_QUANTIZATION,
  payingProofs,
  type Transaction,
  varintLength,
  weightClawback,
} from '../../protocol/index.ts';
import type { Priority } from '../api.ts';
import { SpendError } from './errors.ts';

/** The weight at which a wallet stops filling a transaction and starts the next one (`TX_WEIGHT_TARGET`, wallet2.cpp). */
export const weightTarget = ({ maxWeight }: Era): number => Math.floor((maxWeight * 2) / 3);

/** Price of a unit of weight, and the multiple that a fee is rounded up to. */
export interface FeeRate {
  /** Atomic units per byte of weight. */
  readonly perByte: bigint;
  /** 10,000 on mainnet. */
  readonly quantization: bigint;
}

/** Fee rate if none is known, in an offline half or a group: the network will decide about the fee. */
export const ANY_RATE: FeeRate = { perByte: 0n, quantization: 1n };

/**
 * weight × rate, rounded up to the quantization (`calculate_fee_from_weight`, wallet2.cpp), for payments and sweeps.
 * @throws SpendError `amount-overflow` past 2^64−1, which no transaction can express (T1)
 */
export function feeForWeight(rate: FeeRate, weight: number): bigint {
  const fee = feeFromWeight(weight, rate.perByte, rate.quantization);
  if (fee > U64_MAX)
    throw new SpendError('amount-overflow', 'expected a fee of at most 2^64-1', { weight, perByte: rate.perByte });
  return fee;
}

/** The wallet's estimate of a transaction's bytes before its rings are known. */
export function estimateSize(era: Era, inputs: number, outputs: number, extraSize: number): number {
  return payingProofs(era).guessSize({ inputs, outputs, extraSize, ringSize: era.ringSize.min });
}

/** The wallet's estimate of a transaction's weight (`estimate_tx_weight`). */
export function estimateWeight(era: Era, inputs: number, outputs: number, extraSize: number): number {
  return estimateSize(era, inputs, outputs, extraSize) + weightClawback(outputs);
}

/** Outputs below this cost more to spend than they are worth, and are not spent (`m_ignore_fractional_outputs`, wallet2.cpp). */
export function fractionalThreshold(era: Era, rate: FeeRate): bigint {
  return rate.perByte * BigInt(estimateWeight(era, 2, 2, 0) - estimateWeight(era, 1, 2, 0));
}

/** The wallet's estimate of the weight of a transaction of version 1 with rings of one. */
export function estimateClearWeight(era: Era, inputs: number, outputs: number): number {
  return payingProofs(era, 1).guessSize({ inputs, outputs, extraSize: 0, ringSize: 1 });
}

/** Numbers that determine the size of a planned transaction. */
export interface Shape {
  /** 2 when absent. */
  readonly version?: Transaction['version'];
  /** For each input its clear amount (0 for RingCT) and its ring, ascending. */
  readonly inputs: readonly { readonly amount: bigint; readonly ring: readonly bigint[] }[];
  /** The clear amounts: 0 with RingCT. */
  readonly outputs: readonly bigint[];
  readonly extraSize: number;
  readonly fee: bigint;
  readonly unlockTime: bigint;
}

/** The exact weight of the transaction that a shape will serialize to. */
export function exactWeight(era: Era, { version, inputs, outputs, extraSize, fee, unlockTime }: Shape): number {
  let size = 1 + varintLength(unlockTime) + varintLength(inputs.length) + varintLength(outputs.length);
  for (const { amount, ring } of inputs) {
    size += 1 + varintLength(amount) + varintLength(ring.length) + 32;
    ring.forEach((index, i) => {
      size += varintLength(i === 0 ? index : index - ring[i - 1]!);
    });
  }
  for (const amount of outputs) size += varintLength(amount) + era.outputs.outputSize;
  const rings = inputs.map(({ ring }) => ring.length);
  const proofs = payingProofs(era, version).weigh({ rings, outputs: outputs.length, fee });
  return size + varintLength(extraSize) + extraSize + proofs;
}

/** State of the daemon's pool and last blocks, for the automatic priority. */
export interface Congestion {
  /** Weight of pool transactions that pay at least the lowest rate per byte. */
  readonly backlogWeight: number;
  /** Half the block weight limit. */
  readonly fullRewardZone: number;
  /** Weights of the last ten blocks. */
  readonly recentWeights: readonly number[];
}

/** Blocks whose weights say whether the chain is full. */
export const RECENT_BLOCKS = 10;

/**
 * Automatic priority (`adjust_priority`, wallet2.cpp): slow, unless a full block waits in the pool or the last ten blocks fill more than
 * four fifths of the full reward zone. A chosen priority stays.
 */
export function adjustPriority(priority: Priority, congestion: Congestion | undefined): Priority {
  if (priority !== 0 || congestion === undefined || congestion.fullRewardZone <= 0) return priority;
  if (Math.floor(congestion.backlogWeight / congestion.fullRewardZone) > 0) return 2;
  if (congestion.recentWeights.length !== RECENT_BLOCKS) return priority;
  const sum = congestion.recentWeights.reduce((total, weight) => total + weight, 0);
  const percent = Math.floor((100 * sum) / (RECENT_BLOCKS * congestion.fullRewardZone));
  return percent > 80 ? 2 : 1;
}

/** Weight of the pool's transactions that pay at least `perByte`; those of no weight are ignored (`estimate_backlog`). */
export function backlogWeight(pool: readonly { readonly weight: number; readonly fee: bigint }[], perByte: bigint): number {
  return pool.reduce((sum, { weight, fee }) => (weight > 0 && fee >= perByte * BigInt(weight) ? sum + weight : sum), 0);
}

/** The daemon's rate for a priority: `fees[0..3]` for 1 … 4, the lowest for 0; one value serves all (`get_base_fee`). */
export function rateForPriority(fees: readonly bigint[], priority: Priority): bigint {
  const rate = fees[Math.max(priority, 1) - 1] ?? fees[0];
  if (rate === undefined || rate <= 0n) throw new SpendError('fee-unavailable', 'expected the daemon to name a fee');
  return rate;
}

/** Fee bounds that do not depend on what the daemon says. */
export interface FeeBounds {
  /** Era of the payment. */
  readonly era: Era;
  /** Reward of the last scanned block, atomic units, fees of its transactions included; 0 when none was scanned. */
  readonly recentReward: bigint;
  /** Absolute bound per byte; undefined on a regtest chain of this machine, or if the person agrees. */
  readonly absolutePerByte: bigint | undefined;
}

/** Margin for the daemon's rounding up and for future blocks. */
const MARGIN = 3n;
/** At tail emission the four levels are 20,000, 80,000, 320,000 and 4,000,000 per byte; ten times the highest is beyond reason. */
export const PUBLIC_PER_BYTE_LIMIT: readonly bigint[] = [2_000_000n, 8_000_000n, 16_000_000n, 40_000_000n];

/** The highest rates that a block reward justifies, slowest first: those of the smallest medians. */
export function justifiedRates(era: Era, reward: bigint): readonly [bigint, bigint, bigint, bigint] {
  return feeEstimates(reward, era.fullRewardZone, era.fullRewardZone, era);
}

/**
 * T1: the rate is bounded by what the last reward justifies, and absolutely; above that the person must agree.
 * @throws SpendError `fee-too-high` with the rate and the bound; `fee-unavailable` if there is no block to compare with, or the rate is
 *   invalid: not both of 1 … 2^64−1
 */
export function checkRate(rate: FeeRate, priority: Priority, bounds: FeeBounds, accepted: boolean): void {
  if ([rate.perByte, rate.quantization].some((value) => value < 1n || value > U64_MAX)) {
    throw new SpendError('fee-unavailable', 'expected a rate above zero and below 2^64');
  }
  const level = Math.max(priority, 1) - 1;
  const { era, recentReward, absolutePerByte } = bounds;
  const relative = recentReward === 0n ? undefined : justifiedRates(era, recentReward)[level]! * MARGIN;
  const [bound] = [relative, absolutePerByte].filter((found) => found !== undefined).sort((a, b) => (a < b ? -1 : 1));
  if (bound === undefined) throw new SpendError('fee-unavailable', 'expected a block to have been scanned, to judge fees by');
  const outOfBounds = rate.perByte > bound || rate.quantization > MAX_FEE_QUANTIZATION;
  if (outOfBounds && !accepted) {
    throw new SpendError('fee-too-high', `expected a fee of at most ${bound} atomic units a byte`, {
      perByte: rate.perByte,
      bound,
      quantization: rate.quantization,
    });
  }
}
