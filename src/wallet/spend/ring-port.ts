import type { OutputDistribution } from '../../daemon/index.ts';
import { nowSeconds, type SpendContext } from './context.ts';
import { SpendError } from './errors.ts';
import type { RingPort } from './rings.ts';

/** Outputs of the last 1.8 days are recent: seconds (`RECENT_OUTPUT_ZONE`, wallet2.cpp). */
const RECENT_SECONDS = 155_520;
/** How far behind the wallet's own height a distribution may end. */
const SLACK = 10;

/** Rings from the wallet's daemon, kept in its journal. */
export function ringPort(ctx: SpendContext, signal: AbortSignal | undefined): RingPort {
  const options = signal === undefined ? {} : { signal };
  return {
    async distribution() {
      const answer = await ctx.daemon.getOutputDistribution({ amount: 0n, cumulative: true, ...options });
      return answer.check((value) => checkDistribution(value, ctx.state.height));
    },
    async histogram(amounts) {
      const recentCutoff = BigInt(nowSeconds(ctx) - RECENT_SECONDS);
      const answer = await ctx.daemon.getOutputHistogram({ amounts, unlocked: true, recentCutoff, ...options });
      return answer.check((value) => value);
    },
    async outs(asked) {
      return (await ctx.daemon.getOuts(asked, options)).check((value) => value);
    },
    kept: ({ keyImage }) => ctx.state.rings.get(keyImage),
    keep: (rings) => ctx.append([{ type: 'RingsChosen', rings }], 'strict'),
  };
}

/** T4: sums that never fall, and an end near the tip that the wallet itself has seen. */
function checkDistribution(value: OutputDistribution, height: number): OutputDistribution {
  const { distribution, startHeight, amount } = value;
  let before = 0;
  for (const sum of distribution) {
    if (!(sum >= before)) throw new SpendError('bad-distribution', 'expected a distribution that never falls');
    before = sum;
  }
  const end = startHeight + distribution.length;
  if (amount !== 0n || end + SLACK < height) {
    throw new SpendError('bad-distribution', 'expected a distribution up to the tip', { end, height });
  }
  return value;
}
