import { secondsOf } from '../../base/index.ts';
import type { OutputDistribution } from '../../daemon/index.ts';
import type { SpendContext } from './context.ts';
import { SpendError } from './errors.ts';
import { keptRing } from './kept-rings.ts';
import type { RingPort } from './rings.ts';

/** Seconds for which outputs count as recent: 1.8 days (`RECENT_OUTPUT_ZONE`, wallet2.cpp). */
const RECENT_SECONDS = 155_520;
/** Blocks that may be added or removed between two calls. */
const SLACK = 10;

/**
 * Rings from the wallet's daemon, stored in its journal.
 * @param daemonHeight number of blocks the daemon claims
 */
export function ringPort(ctx: SpendContext, daemonHeight: number, signal: AbortSignal | undefined): RingPort {
  return {
    async distribution() {
      const answer = await ctx.daemon.getOutputDistribution({ amount: 0n, cumulative: true, signal });
      return answer.check((value) => checkSums(value, ctx.state.height, daemonHeight));
    },
    histogram(amounts) {
      const recentCutoff = BigInt(secondsOf(ctx.clock) - RECENT_SECONDS);
      return ctx.daemon.getOutputHistogram({ amounts, unlocked: true, recentCutoff, signal });
    },
    outs: (requests) => ctx.daemon.getOuts(requests, { signal }),
    kept: (output) => keptRing(ctx.state, output),
    keep: (rings) => ctx.append([{ type: 'RingsChosen', rings }], 'strict'),
  };
}

/** T4: sums that never fall, and an end near the tip: not below what the wallet has seen, not above what the daemon claims. */
function checkSums(value: OutputDistribution, height: number, daemonHeight: number): OutputDistribution {
  const { distribution, startHeight } = value;
  let before = 0;
  for (const sum of distribution) {
    if (!(sum >= before)) throw new SpendError('bad-distribution', 'expected a distribution that never falls');
    before = sum;
  }
  const end = startHeight + distribution.length;
  if (end + SLACK < height || end > daemonHeight + SLACK) {
    throw new SpendError('bad-distribution', 'expected a distribution up to the tip', { end, height, daemonHeight });
  }
  return value;
}
