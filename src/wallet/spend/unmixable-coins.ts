import { secondsOf } from '../../base/index.ts';
import type { Era } from '../../protocol/index.ts';
import type { OwnedOutput } from '../model.ts';
import { spendableOutputs } from '../projection/index.ts';
import { spendableOf } from './coins.ts';
import type { SpendContext } from './context.ts';
import { SpendError } from './errors.ts';
import type { SpendableOutput } from './inputs.ts';

/**
 * Spendable outputs of clear amounts of which the chain has fewer than a ring needs, by account in chain order.
 * @param account undefined for all
 * @throws SpendError `bad-distribution`; DaemonError
 */
export async function unmixableCoins(
  ctx: SpendContext,
  era: Era,
  account: number | undefined,
  signal: AbortSignal | undefined,
): Promise<SpendableOutput[]> {
  const accounts = account === undefined ? accountsWithCoins(ctx) : [account];
  const spendable = accounts.flatMap((major) => spendableOutputs(ctx.state, major, secondsOf(ctx.clock)));
  const clear = spendable.filter(({ rct }) => !rct);
  if (clear.length === 0) return [];
  const mixable = await mixableAmounts(ctx, era.ringSize.min, clear, signal);
  return clear.filter(({ amount }) => !mixable.has(amount)).map(spendableOf);
}

function accountsWithCoins({ state }: SpendContext): readonly number[] {
  const majors = new Set([...state.unspent].map((key) => state.outputs.get(key)!.output.subaddress.major));
  return [...majors].sort((a, b) => a - b);
}

/**
 * Clear amounts of which the chain has at least a ring of outputs. An untrusted daemon is asked for all amounts, so that it does not learn
 * which are ours (T24). Outputs of an amount are counted from 0: if one of ours has enough predecessors for a ring, a daemon that leaves
 * its amount out is lying, to see it spent in the open (T3).
 * @throws SpendError `bad-distribution`
 */
async function mixableAmounts(
  ctx: SpendContext,
  ringSize: number,
  clear: readonly OwnedOutput[],
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<bigint>> {
  const amounts = ctx.trusted ? [...new Set(clear.map(({ amount }): bigint => amount))].sort((a, b) => (a < b ? -1 : 1)) : [];
  const answer = await ctx.daemon.getOutputHistogram({ amounts, minCount: BigInt(ringSize), unlocked: true, signal });
  const mixable = new Set(answer.check((entries) => entries.map(({ amount }) => amount)));
  const hidden = clear.find(({ amount, globalIndex }) => globalIndex >= BigInt(ringSize - 1) && !mixable.has(amount));
  if (hidden === undefined) return mixable;
  throw new SpendError('bad-distribution', 'expected a count of all outputs of the amount to spend', { amount: hidden.amount });
}
