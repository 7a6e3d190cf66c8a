import type { BacklogEntry, CallOptions, DaemonInfo } from '../../daemon/index.ts';
import { type Era, eraOfPayment } from '../../protocol/index.ts';
import type { ChosenPriority, Priority } from '../api.ts';
import type { SpendContext } from './context.ts';
import { SpendError } from './errors.ts';
import {
  adjustPriority,
  backlogWeight,
  checkRate,
  type FeeRate,
  PUBLIC_PER_BYTE_LIMIT,
  RECENT_BLOCKS,
  rateForPriority,
} from './fees.ts';

const GRACE_BLOCKS = 10;

/** A rate within bounds, and its priority. */
export interface ChosenRate {
  readonly rate: FeeRate;
  readonly priority: Priority;
  /** Number of blocks the daemon claims. */
  readonly daemonHeight: number;
  /** Era of the next block. A daemon's height cannot make it older than the blocks that the wallet has scanned (T5). */
  readonly era: Era;
}

/** Price per byte at one priority, and the backlog ahead of it. */
export interface LevelRate {
  readonly priority: ChosenPriority;
  readonly rate: FeeRate;
  /** Waiting transactions that pay as much per byte or more, in full blocks (`estimate_backlog`, wallet2.cpp). */
  readonly blocksAhead: number;
  /** Whether the rate is within the bounds of {@link chooseRate} (T1): above them a payment is refused until the person accepts it. */
  readonly withinBounds: boolean;
}

/** Current fee rates of the network. */
export interface NetworkRates {
  /** Slowest first, all four. */
  readonly levels: readonly LevelRate[];
  /** The level that priority 0 stands for now. */
  readonly automatic: ChosenPriority;
  readonly daemonHeight: number;
  readonly era: Era;
}

const LEVELS: readonly ChosenPriority[] = [1, 2, 3, 4];

/**
 * Asks the daemon for the network's rates, decides the automatic priority and checks the rate against its bounds (T1): what the blocks pay
 * that the wallet itself hashed and linked, and the absolute bound. Nothing this daemon says raises either.
 * @throws SpendError `fee-too-high`, `fee-unavailable`; DaemonError
 */
export async function chooseRate(
  ctx: SpendContext,
  requested: Priority,
  accepted: boolean,
  signal?: AbortSignal,
): Promise<ChosenRate> {
  const options = { signal };
  const { info, era } = await askInfo(ctx, options);
  const estimate = await ctx.daemon.getFeeEstimate(GRACE_BLOCKS, options);
  return estimate.check(async ({ fee, fees: levels, quantizationMask: quantization }) => {
    const fees = levels.length > 0 ? levels : [fee];
    const priority = requested === 0 ? automatic(fees, await askCongestion(ctx, info, options)) : requested;
    const rate = { perByte: rateForPriority(fees, priority), quantization };
    checkLevel(ctx, era, rate, priority, accepted);
    return { rate, priority, daemonHeight: info.height, era };
  });
}

/**
 * Asks the daemon what each priority costs and how much is queued ahead of it.
 * @throws SpendError `fee-unavailable`; DaemonError
 */
export async function askRates(ctx: SpendContext): Promise<NetworkRates> {
  const { info, era } = await askInfo(ctx);
  const estimate = await ctx.daemon.getFeeEstimate(GRACE_BLOCKS);
  const congestion = await askCongestion(ctx, info);
  return estimate.check(({ fee, fees: named, quantizationMask: quantization }) => {
    const fees = named.length > 0 ? named : [fee];
    const levels = LEVELS.map((priority): LevelRate => {
      const perByte = rateForPriority(fees, priority);
      const rate = { perByte, quantization };
      const withinBounds = isWithinBounds(ctx, era, rate, priority);
      return { priority, rate, blocksAhead: blocksAhead(congestion, perByte), withinBounds };
    });
    const chosen = automatic(fees, congestion);
    return { levels, automatic: chosen === 0 ? 1 : chosen, daemonHeight: info.height, era };
  });
}

/** The priority of a payment that asks for none. @throws SpendError `fee-unavailable`; DaemonError */
export async function defaultPriority(ctx: SpendContext): Promise<Priority> {
  const { priority } = await chooseRate(ctx, 0, true);
  return priority;
}

/** The pool's backlog, and the capacity of blocks. */
export interface PoolBacklog {
  readonly pool: readonly Pick<BacklogEntry, 'weight' | 'fee'>[];
  /** Half the block weight limit: what a block holds without penalty. */
  readonly fullRewardZone: number;
}

/** Waiting transactions that pay at least `perByte`, in full blocks (`estimate_backlog`, wallet2.cpp); 0 if the capacity is unknown. */
export function blocksAhead({ pool, fullRewardZone }: PoolBacklog, perByte: bigint): number {
  return fullRewardZone > 0 ? Math.floor(backlogWeight(pool, perByte) / fullRewardZone) : 0;
}

interface Congested extends PoolBacklog {
  readonly recentWeights: readonly number[];
}

async function askInfo(ctx: SpendContext, options?: CallOptions): Promise<{ readonly info: DaemonInfo; readonly era: Era }> {
  const info = (await ctx.daemon.getInfo(options)).acceptUnverified('fee-level');
  if (info.height < 1) throw new SpendError('fee-unavailable', 'expected a daemon with a chain');
  return { info, era: eraOfPayment(ctx.state.description.network, Math.max(info.height, ctx.state.height)) };
}

async function askCongestion(
  ctx: SpendContext,
  { height, blockWeightLimit }: DaemonInfo,
  options?: CallOptions,
): Promise<Congested> {
  const headers = await ctx.daemon.getBlockHeadersRange(Math.max(height - RECENT_BLOCKS, 0), height - 1, options);
  const pool = (await ctx.daemon.getTxPoolBacklog(options)).acceptUnverified('fee-level');
  const recentWeights = headers.acceptUnverified('fee-level').map(({ blockWeight }) => blockWeight);
  return { pool, fullRewardZone: Math.floor(blockWeightLimit / 2), recentWeights };
}

/** As in the reference: if anything cannot be learned, the priority stays as it is. */
function automatic(fees: readonly bigint[], { pool, fullRewardZone, recentWeights }: Congested): Priority {
  return adjustPriority(0, { backlogWeight: backlogWeight(pool, rateForPriority(fees, 1)), fullRewardZone, recentWeights });
}

/** @throws SpendError as {@link checkRate} */
function checkLevel(ctx: SpendContext, era: Era, rate: FeeRate, priority: Priority, accepted: boolean): void {
  const absolutePerByte = ctx.boundsFees ? PUBLIC_PER_BYTE_LIMIT[Math.max(priority, 1) - 1] : undefined;
  checkRate(rate, priority, { era, recentReward: ctx.state.lastReward, absolutePerByte }, accepted);
}

function isWithinBounds(ctx: SpendContext, era: Era, rate: FeeRate, priority: Priority): boolean {
  try {
    checkLevel(ctx, era, rate, priority, false);
    return true;
  } catch (error) {
    if (error instanceof SpendError && error.code === 'fee-too-high') return false;
    throw error;
  }
}
