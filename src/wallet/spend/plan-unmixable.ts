import type { RandomSampler } from '../../base/index.ts';
import { digitsOfAmount, type Era, type PaidOutput, totalOf } from '../../protocol/index.ts';
import { cannotPay, type TransactionDraft } from './draft.ts';
import { SpendError } from './errors.ts';
import { estimateClearWeight, exactWeight, type FeeRate, feeForWeight, weightTarget } from './fees.ts';
import { Selection, type SpendableOutput, takeRandom } from './inputs.ts';
import type { WrittenAddress } from './request.ts';

/** Sends unmixable outputs of clear amounts back to the wallet. */
export interface UnmixableTask {
  /** Era of the block that the payment is made for. */
  readonly era: Era;
  readonly rate: FeeRate;
  /** Destination: the wallet's primary address. */
  readonly address: WrittenAddress;
  /** Outputs to spend, all of them; none with a hidden amount. */
  readonly spendable: readonly SpendableOutput[];
  readonly sampler: RandomSampler;
}

/** Change amounts up to this, in atomic units, become fee instead of outputs (`DEFAULT_DUST_THRESHOLD`, cryptonote_config.h). */
const DUST = 2_000_000_000n;

/**
 * Plans transactions of version 1 with rings of one, as `create_unmixable_sweep_transactions` and `create_transactions_from` (wallet2.cpp)
 * do without decoys: outputs below the cost of one unit of weight alternate with the others, up to the weight target, and the amount after
 * the fee is split into one output for each decimal digit. No ring is needed, so no daemon.
 * @throws SpendError `not-enough-unlocked-money`, `cannot-pay-for-itself`, `zero-amount`, `transaction-too-big`, `several-accounts`
 */
export function planUnmixable(task: UnmixableTask): TransactionDraft[] {
  const picker = new Picker(task);
  const done: TransactionDraft[] = [];
  while (picker.left > 0) {
    const inputs = picker.fill();
    if (inputs.some(({ subaddress }) => subaddress.major !== inputs[0]!.subaddress.major))
      throw new SpendError('several-accounts', 'expected the outputs of one transaction to be of one account');
    done.push(settle(task, inputs));
  }
  return done;
}

class Picker {
  readonly #task: UnmixableTask;
  readonly #dust: SpendableOutput[];
  readonly #others: SpendableOutput[];
  /** Sum over all transactions, as in the reference. */
  #sum = 0n;

  constructor(task: UnmixableTask) {
    this.#task = task;
    this.#dust = task.spendable.filter(({ amount }) => amount < task.rate.perByte);
    this.#others = task.spendable.filter(({ amount }) => amount >= task.rate.perByte);
  }

  get left(): number {
    return this.#dust.length + this.#others.length;
  }

  /** The inputs of the next transaction. */
  fill(): readonly SpendableOutput[] {
    const selection = new Selection();
    do {
      const output = this.#next(selection);
      selection.add(output);
      this.#sum += output.amount;
    } while (this.left > 0 && estimateClearWeight(this.#task.era, selection.inputs.length, 2) < weightTarget(this.#task.era));
    return selection.inputs;
  }

  #next(selection: Selection): SpendableOutput {
    const { era, rate, sampler } = this.#task;
    const chosen = selection.inputs.length;
    const covered = this.#sum > feeForWeight(rate, estimateClearWeight(era, chosen + 1, 1));
    const wantsDust = this.#others.length === 0 || (this.#dust.length > 0 && (chosen % 2 === 1 || covered));
    return takeRandom(wantsDust ? this.#dust : this.#others, selection, sampler);
  }
}

/** The smallest fee that covers the transaction's own weight, starting from that of the reference's trial. */
function settle(task: UnmixableTask, inputs: readonly SpendableOutput[]): TransactionDraft {
  const available = totalOf(inputs);
  let fee = neededByTrial(task, inputs);
  if (fee > available) throw cannotPay(available, fee, { trial: true });
  for (;;) {
    if (fee > available) throw cannotPay(available, fee, { trial: false });
    const drafted = draft(task, inputs, available - fee, fee);
    const needed = feeForWeight(task.rate, drafted.weight);
    if (needed <= fee) return drafted;
    fee = needed;
  }
}

/** The trial pays one atomic unit and returns the rest, whose small digits go to the fee. */
function neededByTrial({ era, rate, address }: UnmixableTask, inputs: readonly SpendableOutput[]): bigint {
  const guess = feeForWeight(rate, estimateClearWeight(era, inputs.length, 2));
  const change = totalOf(inputs) - 1n - guess;
  if (change < 0n) {
    const data = { found: totalOf(inputs), needed: 1n, fee: guess };
    throw new SpendError('not-enough-unlocked-money', 'expected the outputs to cover the fee to spend them', data);
  }
  const parts = [1n, ...digitsOfAmount(change).filter((part) => part > DUST)];
  return feeForWeight(rate, weigh(era, inputs, outputsOf(address, parts)));
}

/** @throws SpendError */
function draft(task: UnmixableTask, inputs: readonly SpendableOutput[], amount: bigint, fee: bigint): TransactionDraft {
  if (amount === 0n) throw new SpendError('zero-amount', 'expected something to be left beside the fee');
  const outputs = outputsOf(task.address, digitsOfAmount(amount));
  const weight = weigh(task.era, inputs, outputs);
  const limit = task.era.maxWeight;
  if (weight >= limit) throw new SpendError('transaction-too-big', `expected a weight below ${limit}`, { weight });
  return {
    inputs,
    rings: inputs.map(({ globalIndex }) => [globalIndex]),
    destinations: [{ address: task.address, amount }],
    change: 0n,
    outputs,
    changeAddress: undefined,
    fee,
    weight,
  };
}

const outputsOf = (address: WrittenAddress, amounts: readonly bigint[]): PaidOutput[] =>
  amounts.map((amount) => ({ address, amount }));

function weigh(era: Era, inputs: readonly SpendableOutput[], outputs: readonly PaidOutput[]): number {
  return exactWeight(era, {
    version: 1,
    inputs: inputs.map(({ amount, globalIndex }) => ({ amount, ring: [globalIndex] })),
    outputs: outputs.map(({ amount }) => amount),
    extraSize: era.outputs.extraSize(outputs, undefined, false),
    fee: 0n,
    unlockTime: 0n,
  });
}
