import { MAX_OUTPUTS, totalOf } from '../../protocol/index.ts';
import {
  cannotPay,
  draftTransaction,
  equalParts,
  estimatedExtraSize,
  neededFee,
  type Planning,
  type PlanRules,
  settleFee,
  type TransactionDraft,
} from './draft.ts';
import { SpendError } from './errors.ts';
import { estimateWeight, feeForWeight, weightTarget } from './fees.ts';
import { Selection, type SpendableOutput, takeRandom } from './inputs.ts';
import type { Recipient, WrittenAddress } from './request.ts';

/** Everything given goes to one address. */
export interface SweepPlan extends PlanRules {
  readonly address: WrittenAddress;
  readonly hasPaymentId: boolean;
  /** In how many outputs each transaction pays, 1 … 16. */
  readonly outputs: number;
  /** Outputs to spend, all of them. */
  readonly spendable: readonly SpendableOutput[];
}

/**
 * Plans a sweep as v0.18.4.4 does (`create_transactions_from`, wallet2.cpp): random least related inputs until nothing is left
 * or the weight target is reached, what remains after the fee in equal parts.
 * @throws SpendError `bad-output-count`, `no-unlocked-outputs`, `cannot-pay-for-itself`
 */
export function* planSweep(plan: SweepPlan): Planning {
  const most = plan.recipientsAtOnce ?? MAX_OUTPUTS;
  if (!Number.isInteger(plan.outputs) || plan.outputs < 1 || plan.outputs > most) {
    throw new SpendError('bad-output-count', `expected 1 … ${most} outputs`, { outputs: plan.outputs });
  }
  if (plan.spendable.length === 0) throw new SpendError('no-unlocked-outputs', 'expected at least one unlocked output');
  const unused = [...plan.spendable];
  const extra = estimatedExtraSize(plan);
  const done: TransactionDraft[] = [];
  let selection = new Selection();
  while (unused.length > 0) {
    selection.add(takeRandom(unused, selection, plan.sampler));
    const { inputs } = selection;
    if (unused.length > 0 && estimateWeight(plan.era, inputs.length, 2, extra) < weightTarget(plan.era)) continue;
    const rings = yield inputs;
    const first = feeForWeight(plan.rate, estimateWeight(plan.era, inputs.length, 2, extra));
    const trial = draftTrial(plan, inputs, rings, first);
    const needed = neededFee(trial, plan);
    const available = totalOf(inputs);
    if (needed > available) throw cannotPay(available, needed);
    done.push(settleFee(inputs, rings, (fee) => split(plan, available, fee), needed, plan));
    selection = new Selection();
  }
  return done;
}

/** One transaction with a token amount in all outputs but the last, to learn its weight. */
function draftTrial(plan: SweepPlan, inputs: readonly SpendableOutput[], rings: readonly (readonly bigint[])[], fee: bigint) {
  const tokens = Array.from({ length: Math.max(plan.outputs - 1, 1) }, () => ({ address: plan.address, amount: 1n }));
  const available = totalOf(inputs);
  if (available < fee + BigInt(tokens.length)) throw cannotPay(available, fee);
  return draftTransaction(inputs, rings, tokens, fee, plan);
}

/** Equal parts of what the fee leaves; the first ones take the remainder's units. */
function split(plan: SweepPlan, available: bigint, fee: bigint): Recipient[] {
  const left = available - fee;
  if (left < BigInt(plan.outputs)) throw cannotPay(available, fee);
  return equalParts(left, plan.outputs).map((amount) => ({ address: plan.address, amount }));
}
