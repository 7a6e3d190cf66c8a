import type { HeaderEntry } from '../../daemon/index.ts';
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
  const info = (await ctx.daemon.getInfo(options)).check((value) => value);
  const estimate = (await ctx.daemon.getFeeEstimate(GRACE_BLOCKS, options)).check((value) => value);
  const fees = estimate.fees.length > 0 ? estimate.fees : [estimate.fee];
  const headers = await recentHeaders(ctx, info.height, options);
  const priority = asked === 0 ? await automatic(ctx, fees, info.blockWeightLimit, headers, options) : asked;
  const rate = { perByte: rateForPriority(fees, priority), quantization: estimate.quantizationMask };
  const level = Math.max(priority, 1) - 1;
  const absolutePerByte = ctx.boundsFees ? PUBLIC_PER_BYTE_LIMIT[level] : undefined;
  const bounds = { recentReward: ctx.state.lastReward, absolutePerByte };
  checkRate(rate, priority, bounds, accepted);
  return { rate, priority, daemonHeight: info.height };
}

/** The priority of a payment that asks for none. @throws SpendError `fee-unavailable`; DaemonError */
export async function defaultPriority(ctx: SpendContext): Promise<Priority> {
  const { priority } = await chooseRate(ctx, 0, true);
  return priority;
}

type Options = { readonly signal?: AbortSignal };

async function recentHeaders(ctx: SpendContext, height: number, options: Options): Promise<readonly HeaderEntry[]> {
  if (height < 1) throw new SpendError('fee-unavailable', 'expected a daemon with a chain');
  const from = Math.max(height - RECENT_BLOCKS, 0);
  const headers = await ctx.daemon.getBlockHeadersRange(from, height - 1, options);
  return headers.check((value) => {
    if (value.length !== height - from || value.some((header, i) => header.height !== from + i)) {
      throw new SpendError('fee-unavailable', 'expected the headers of the last blocks');
    }
    return value;
  });
}

/** As the reference: whatever cannot be learned leaves the priority as it is. */
async function automatic(
  ctx: SpendContext,
  fees: readonly bigint[],
  blockWeightLimit: number,
  headers: readonly HeaderEntry[],
  options: Options,
): Promise<Priority> {
  const pool = (await ctx.daemon.getTxPoolBacklog(options)).check((value) => value);
  return adjustPriority(0, {
    backlogWeight: backlogWeight(pool, rateForPriority(fees, 1)),
    fullRewardZone: Math.floor(blockWeightLimit / 2),
    recentWeights: headers.map(({ blockWeight }) => blockWeight),
  });
}
