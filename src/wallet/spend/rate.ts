import type { DaemonInfo } from '../../daemon/index.ts';
import { type Era, eraOfPayment } from '../../protocol/index.ts';
import type { Priority } from '../api.ts';
import type { SpendContext } from './context.ts';
import { SpendError } from './errors.ts';
import { adjustPriority, backlogWeight, checkRate, type FeeRate, PUBLIC_PER_BYTE_LIMIT, rateForPriority } from './fees.ts';

const GRACE_BLOCKS = 10;
const RECENT_BLOCKS = 10;

/** A rate within bounds, and the priority it stands for. */
export interface ChosenRate {
  readonly rate: FeeRate;
  readonly priority: Priority;
  /** Number of blocks the daemon claims. */
  readonly daemonHeight: number;
  /** Of the next block. No daemon's height makes it older than what the wallet has scanned (T5). */
  readonly era: Era;
}

/**
 * Asks the daemon what the network charges, decides the automatic priority and holds the answer against its bounds (T1): what
 * the blocks pay that the wallet itself hashed and linked, and the absolute bound. No word of this daemon lifts either.
 * @throws SpendError `fee-too-high`, `fee-unavailable`; DaemonError
 */
export async function chooseRate(
  ctx: SpendContext,
  asked: Priority,
  accepted: boolean,
  signal?: AbortSignal,
): Promise<ChosenRate> {
  const options = signal === undefined ? {} : { signal };
  const info = (await ctx.daemon.getInfo(options)).acceptUnverified('fee-level');
  if (info.height < 1) throw new SpendError('fee-unavailable', 'expected a daemon with a chain');
  const era = eraOfPayment(ctx.state.description.network, Math.max(info.height, ctx.state.height));
  const estimate = await ctx.daemon.getFeeEstimate(GRACE_BLOCKS, options);
  return estimate.check(async ({ fee, fees: levels, quantizationMask: quantization }) => {
    const fees = levels.length > 0 ? levels : [fee];
    const priority = asked === 0 ? await automatic(ctx, fees, info, options) : asked;
    const rate = { perByte: rateForPriority(fees, priority), quantization };
    const level = Math.max(priority, 1) - 1;
    const absolutePerByte = ctx.boundsFees ? PUBLIC_PER_BYTE_LIMIT[level] : undefined;
    checkRate(rate, priority, { era, recentReward: ctx.state.lastReward, absolutePerByte }, accepted);
    return { rate, priority, daemonHeight: info.height, era };
  });
}

/** The priority of a payment that asks for none. @throws SpendError `fee-unavailable`; DaemonError */
export async function defaultPriority(ctx: SpendContext): Promise<Priority> {
  const { priority } = await chooseRate(ctx, 0, true);
  return priority;
}

type Options = { readonly signal?: AbortSignal };

/** As the reference: whatever cannot be learned leaves the priority as it is. */
async function automatic(
  ctx: SpendContext,
  fees: readonly bigint[],
  { height, blockWeightLimit }: DaemonInfo,
  options: Options,
): Promise<Priority> {
  const headers = await ctx.daemon.getBlockHeadersRange(Math.max(height - RECENT_BLOCKS, 0), height - 1, options);
  const pool = (await ctx.daemon.getTxPoolBacklog(options)).acceptUnverified('fee-level');
  return adjustPriority(0, {
    backlogWeight: backlogWeight(pool, rateForPriority(fees, 1)),
    fullRewardZone: Math.floor(blockWeightLimit / 2),
    recentWeights: headers.acceptUnverified('fee-level').map(({ blockWeight }) => blockWeight),
  });
}
