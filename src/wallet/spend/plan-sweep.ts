import { MAX_OUTPUTS, totalOf } from '../../protocol/index.ts';
import {
  cannotPay,
  draftTransaction,
  equalParts,
  estimatedExtraSize,
  neededFee,
  type PlanGenerator,
  type PlanRules,
  settleFee,
  type TransactionDraft,
} from './draft.ts';
import { SpendError } from './errors.ts';
import { estimateWeight, feeForWeight, weightTarget } from './fees.ts';
import { Selection, type SpendableOutput, takeRandom } from './inputs.ts';
import type { Recipient, WrittenAddress } from './request.ts';

/** Sends all given outputs to one address. */
export interface SweepTask extends PlanRules {
  readonly address: WrittenAddress;
  /** Number of outputs of each transaction, 1 … 16. */
  readonly outputs: number;
  /** Outputs to spend, all of them. */
  readonly spendable: readonly SpendableOutput[];
}

/**
 * Plans a sweep like v0.18.4.4 (`create_transactions_from`, wallet2.cpp): random least related inputs until none is left or the weight
 * target is reached; what remains after the fee is split in equal parts.
 * @throws SpendError `bad-output-count`, `no-unlocked-outputs`, `cannot-pay-for-itself`
 */
export function* planSweep(task: SweepTask): PlanGenerator {
  const most = task.recipientsAtOnce ?? MAX_OUTPUTS;
  if (!Number.isInteger(task.outputs) || task.outputs < 1 || task.outputs > most) {
    throw new SpendError('bad-output-count', `expected 1 … ${most} outputs`, { outputs: task.outputs });
  }
  if (task.spendable.length === 0) throw new SpendError('no-unlocked-outputs', 'expected at least one unlocked output');
  const unused = [...task.spendable];
  const extra = estimatedExtraSize(task);
  const done: TransactionDraft[] = [];
  let selection = new Selection();
  while (unused.length > 0) {
    selection.add(takeRandom(unused, selection, task.sampler));
    const { inputs } = selection;
    if (unused.length > 0 && estimateWeight(task.era, inputs.length, 2, extra) < weightTarget(task.era)) continue;
    const rings = yield inputs;
    const first = feeForWeight(task.rate, estimateWeight(task.era, inputs.length, 2, extra));
    const trial = draftTrial(task, inputs, rings, first);
    const needed = neededFee(trial, task);
    const available = totalOf(inputs);
    if (needed > available) throw cannotPay(available, needed);
    done.push(settleFee(inputs, rings, (fee) => split(task, available, fee), needed, task));
    selection = new Selection();
  }
  return done;
}

/** Drafts a transaction with a token amount in all outputs but the last, to learn its weight. */
function draftTrial(task: SweepTask, inputs: readonly SpendableOutput[], rings: readonly (readonly bigint[])[], fee: bigint) {
  const tokens = Array.from({ length: Math.max(task.outputs - 1, 1) }, () => ({ address: task.address, amount: 1n }));
  const available = totalOf(inputs);
  if (available < fee + BigInt(tokens.length)) throw cannotPay(available, fee);
  return draftTransaction(inputs, rings, tokens, fee, task);
}

/** Equal parts of the amount after the fee; the first ones get the remainder's units. */
function split(task: SweepTask, available: bigint, fee: bigint): Recipient[] {
  const left = available - fee;
  if (left < BigInt(task.outputs)) throw cannotPay(available, fee);
  return equalParts(left, task.outputs).map((amount) => ({ address: task.address, amount }));
}
