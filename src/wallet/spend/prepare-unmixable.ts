import { hexToBytes, RandomSampler } from '../../base/index.ts';
import { loadCrypto, zeroCommit } from '../../crypto/index.ts';
import { decodeAddress, type Era, toAtomicAmount } from '../../protocol/index.ts';
import type { UnmixableRequest } from '../api.ts';
import type { OwnedOutput } from '../model.ts';
import { spendableOutputs } from '../projection/index.ts';
import { nowSeconds, type SpendContext } from './context.ts';
import { SpendError } from './errors.ts';
import type { SpendableOutput } from './inputs.ts';
import type { PlannedTransaction } from './plan.ts';
import { planUnmixable } from './plan-unmixable.ts';
import { type AssembledPlan, type LaidOutTransaction, named, type Prepared, requireFull, signAll } from './prepare.ts';
import { begin } from './progress.ts';
import { chooseRate } from './rate.ts';
import type { UnsignedInput } from './unsigned.ts';

/** The reference sweeps them at the lowest rate. */
const SLOW = 1;

/**
 * Plans, signs and checks a sweep of what cannot be mixed. Nothing has been sent. Undefined when there is nothing of the kind.
 * @throws SpendError; DaemonError where the daemon fails to answer
 */
export async function prepareUnmixable(
  ctx: SpendContext,
  request: UnmixableRequest,
  signal?: AbortSignal,
): Promise<Prepared | undefined> {
  requireFull(ctx);
  const plan = await layOutUnmixable(ctx, request, signal);
  return plan.transactions.length === 0 ? undefined : signAll(ctx, plan, signal);
}

/**
 * Plans a sweep of what cannot be mixed (`create_unmixable_sweep_transactions`, wallet2.cpp): without transactions when there is nothing
 * of the kind. A view-only wallet can.
 * @throws SpendError; DaemonError where the daemon fails to answer
 */
export async function layOutUnmixable(
  ctx: SpendContext,
  request: UnmixableRequest,
  signal?: AbortSignal,
): Promise<AssembledPlan> {
  await loadCrypto();
  await begin(ctx, 'coins', signal);
  const { rate, era } = await chooseRate(ctx, SLOW, request.acceptHighFee ?? false, signal);
  const spendable = await unmixableOutputs(ctx, era, request.account, signal);
  const account = spendable[0]?.subaddress.major ?? 0;
  const text = ctx.addressOf({ major: 0, minor: 0 });
  const { spendKey, viewKey } = decodeAddress(text, ctx.state.description.network);
  const address = { spendKey, viewKey, isSubaddress: false };
  const planned = planUnmixable({ era, rate, address, spendable, sampler: new RandomSampler(ctx.random) });
  return { transactions: planned.map((transaction) => laidOut(era, transaction, text)), rate, account };
}

/** Spendable outputs of clear amounts of which the chain has fewer than a ring needs, account by account in chain order. */
async function unmixableOutputs(
  ctx: SpendContext,
  era: Era,
  account: number | undefined,
  signal: AbortSignal | undefined,
): Promise<SpendableOutput[]> {
  const accounts = account === undefined ? accountsWithCoins(ctx) : [account];
  const spendable = accounts.flatMap((major) => spendableOutputs(ctx.state, major, nowSeconds(ctx)));
  const clear = spendable.filter(({ rct }) => !rct);
  if (clear.length === 0) return [];
  const mixable = await mixableAmounts(ctx, era.ringSize.min, clear, signal);
  return clear.filter(({ amount }) => !mixable.has(amount)).map(named);
}

function accountsWithCoins({ state }: SpendContext): readonly number[] {
  const majors = new Set([...state.unspent].map((key) => state.outputs.get(key)!.output.subaddress.major));
  return [...majors].sort((a, b) => a - b);
}

/**
 * Clear amounts that at least a ring of outputs have. A daemon that is not trusted is asked for all there are, so as not to learn which
 * are ours (T24). Outputs of an amount are counted from 0: one of ours that a ring of others precedes proves that a daemon leaves its
 * amount out, to see it spent in the open (T3).
 * @throws SpendError `bad-distribution`
 */
async function mixableAmounts(
  ctx: SpendContext,
  ringSize: number,
  clear: readonly OwnedOutput[],
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<bigint>> {
  const amounts = ctx.trusted ? [...new Set(clear.map(({ amount }): bigint => amount))].sort((a, b) => (a < b ? -1 : 1)) : [];
  const options = signal === undefined ? {} : { signal };
  const answer = await ctx.daemon.getOutputHistogram({ amounts, minCount: BigInt(ringSize), unlocked: true, ...options });
  const mixable = new Set(answer.check((entries) => entries.map(({ amount }) => amount)));
  const hidden = clear.find(({ amount, globalIndex }) => globalIndex >= BigInt(ringSize - 1) && !mixable.has(amount));
  if (hidden === undefined) return mixable;
  throw new SpendError('bad-distribution', 'expected a count of all outputs of the amount to spend', { amount: hidden.amount });
}

function laidOut(era: Era, planned: PlannedTransaction, address: string): LaidOutTransaction {
  const { outputs, fee, destinations } = planned;
  const unsigned = {
    majorVersion: era.version,
    version: 1 as const,
    inputs: planned.inputs.map(alone),
    outputs,
    changeAddress: undefined,
    fee,
    unlockTime: 0n,
    paymentId: undefined,
  };
  return { planned, unsigned, destinations: destinations.map(({ amount }) => ({ address, amount: toAtomicAmount(amount) })) };
}

/** In a ring of its own. */
function alone(output: SpendableOutput): UnsignedInput {
  const member = { globalIndex: output.globalIndex, key: hexToBytes(output.key), commitment: zeroCommit(output.amount) };
  return { output, ring: [member], real: 0 };
}
