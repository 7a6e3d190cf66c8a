import { U64_MAX } from '../../base/index.ts';
import { type Era, MAX_OUTPUTS, sameAddress, totalOf } from '../../protocol/index.ts';
import {
  draftTransaction,
  estimatedExtraSize,
  neededFee,
  outputCount,
  type PlanGenerator,
  type PlanRules,
  type RingIndices,
  settleFee,
  type TransactionDraft,
} from './draft.ts';
import { SpendError } from './errors.ts';
import { estimateSize, estimateWeight, feeForWeight, fractionalThreshold, weightTarget } from './fees.ts';
import {
  groupBySubaddress,
  pickPreferred,
  pickSecond,
  removeOutput,
  Selection,
  type SpendableOutput,
  takeRandom,
} from './inputs.ts';
import type { Recipient } from './request.ts';

/** A payment to recipients, with everything that planning it needs to know. Amounts in atomic units. */
export interface TransferTask extends PlanRules {
  /** Destinations in the requested order, with amounts above 0. */
  readonly destinations: readonly Recipient[];
  /** Spendable outputs of the account's chosen subaddresses, in chain order. */
  readonly spendable: readonly SpendableOutput[];
  /** Outputs of `spendable` that the first transaction must spend. */
  readonly required: readonly SpendableOutput[];
  /** Indices of destinations that bear the fee in equal parts; if empty, the change does. */
  readonly feeFrom: ReadonlySet<number>;
  /** Sum of all unspent outputs of those subaddresses, locked ones included. */
  readonly balance: bigint;
}

/** A destination, or the part of it still to be paid. */
interface Payee {
  readonly address: Recipient['address'];
  amount: bigint;
  readonly bearsFee: boolean;
}

/** A transaction being filled. */
class OpenDraft {
  readonly selection = new Selection();
  readonly destinations: Payee[] = [];
  readonly #era: Era;
  readonly #most: number;
  /** Rings of the current inputs; dropped when an input is added. */
  rings: readonly RingIndices[] | undefined;

  constructor({ era, recipientsAtOnce = MAX_OUTPUTS - 1 }: PlanRules) {
    this.#era = era;
    this.#most = recipientsAtOnce;
  }

  get inputs(): readonly SpendableOutput[] {
    return this.selection.inputs;
  }

  /** Pays `amount` towards the destination at a position, a new one if it is the next. False when no output is free. */
  pay({ address, bearsFee }: Payee, amount: bigint, position: number): boolean {
    const existing = this.destinations[position];
    if (existing !== undefined) {
      existing.amount += amount;
      return true;
    }
    if (this.destinations.length >= this.#most) return false;
    this.destinations.push({ address, amount, bearsFee });
    return true;
  }

  /** Sum paid to the recipients that bear the fee, before the fee; undefined if none does. */
  get bearable(): bigint | undefined {
    const bearers = this.destinations.filter(({ bearsFee }) => bearsFee);
    return bearers.length === 0 ? undefined : totalOf(bearers);
  }

  /** Whether one more output fits under the weight target. */
  hasRoom(extra: number): boolean {
    return estimateWeight(this.#era, this.inputs.length, this.destinations.length + 1, extra) < weightTarget(this.#era);
  }
}

/**
 * Plans a payment like v0.18.4.4 (`create_transactions_2`, wallet2.cpp): one or two preferred inputs if they suffice, a second input that
 * is not needed but makes transactions look alike, otherwise random least related ones; destinations are paid in order, and a transaction
 * that exceeds the weight target is closed and the next begun.
 * @throws SpendError `not-enough-money`, `not-enough-unlocked-money`, `not-possible`, `amount-overflow`, `zero-amount`
 */
export function planTransfer(task: TransferTask): PlanGenerator {
  checkFunds(task);
  return new TransferPlanner(task).run();
}

function checkFunds(task: TransferTask): void {
  const needed = totalOf(task.destinations);
  if (needed > U64_MAX) throw new SpendError('amount-overflow', 'expected amounts that sum to at most 2^64-1');
  const fee = task.rate.perByte * BigInt(estimateSize(task.era, 1, 2, estimatedExtraSize(task)));
  const unlocked = totalOf(task.spendable);
  const data = { needed, fee, balance: task.balance, unlocked };
  const least = feeIsBorne(task) ? larger(needed, fee) : needed + fee;
  if (least > task.balance) {
    throw new SpendError('not-enough-money', 'expected the balance to cover amounts and fee', data);
  }
  if (least > unlocked) {
    throw new SpendError('not-enough-unlocked-money', 'expected the unlocked balance to cover amounts and fee', data);
  }
}

const feeIsBorne = ({ feeFrom }: TransferTask): boolean => feeFrom.size > 0;
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * Amounts of destinations after the fee: those that bear it share it in equal parts, the first one unit more if it does not divide evenly
 * (`get_adjusted_dsts`, wallet2.cpp). Unchanged if none bears it. The draft refuses amounts that are then not above zero.
 * @throws SpendError `not-possible` when all of them together are below the fee
 */
function afterFee(payees: readonly Payee[], fee: bigint): Recipient[] {
  const bearers = payees.filter(({ bearsFee }) => bearsFee);
  if (totalOf(bearers) < fee && bearers.length > 0) {
    throw new SpendError('not-possible', 'expected the amounts that bear the fee to cover it', { needed: totalOf(bearers), fee });
  }
  const count = BigInt(Math.max(bearers.length, 1));
  return payees.map((payee) => {
    const { address, amount, bearsFee } = payee;
    if (!bearsFee) return { address, amount };
    const part = fee / count + (BigInt(bearers.indexOf(payee)) < fee % count ? 1n : 0n);
    return { address, amount: amount - part };
  });
}

class TransferPlanner {
  readonly #task: TransferTask;
  readonly #extra: number;
  /** Recipients left to pay; the first one may be paid in part. */
  readonly #left: Payee[];
  readonly #groups: SpendableOutput[][];
  readonly #preferred: SpendableOutput[];
  readonly #done: TransactionDraft[] = [];
  #draft: OpenDraft;
  /** Position in the draft of the destination being paid. */
  #position = 0;
  /** Further inputs only pay the fee. */
  #addingFee = false;
  #availableForFee = 0n;
  #neededFee = 0n;

  constructor(task: TransferTask) {
    this.#task = task;
    this.#draft = new OpenDraft(task);
    this.#extra = estimatedExtraSize(task);
    this.#left = task.destinations.map(({ address, amount }, i) => ({ address, amount, bearsFee: task.feeFrom.has(i) }));
    const worthwhile = fractionalThreshold(task.era, task.rate);
    this.#groups = groupBySubaddress(task.spendable.filter(({ amount }) => amount >= worthwhile));
    const fee = feeIsBorne(task) ? 0n : feeForWeight(task.rate, estimateWeight(task.era, 2, 2, this.#extra));
    const { required } = task;
    this.#preferred = required.length > 0 ? [...required] : pickPreferred(task.spendable, totalOf(task.destinations) + fee);
    this.#bringForward();
    for (const output of required) for (const group of this.#groups) removeOutput(group, output);
  }

  *run(): PlanGenerator {
    while (this.#unpaid() || this.#addingFee || this.#preferred.length > 0 || this.#wantsSecond()) {
      if (this.#unused.length === 0 && this.#preferred.length === 0) throw this.#notPossible();
      const input = this.#takeInput();
      if (input === undefined) break;
      this.#draft.selection.add(input);
      this.#draft.rings = undefined;
      const full = this.#addingFee ? this.#addToFee(input.amount) : this.#payFrom(input.amount);
      if (this.#shouldTry(full)) yield* this.#tryDraft();
      if (this.#unpaid() || this.#addingFee) this.#nextGroup();
    }
    if (this.#addingFee) throw this.#notPossible();
    return this.#done;
  }

  get #unused(): SpendableOutput[] {
    return this.#groups[0] ?? [];
  }

  #unpaid(): boolean {
    return (this.#left[0]?.amount ?? 0n) > 0n;
  }

  /** A closed draft is tried again with a second input only if it is the last one and has only one input. */
  #wantsSecond(): boolean {
    return this.#draft.inputs.length <= 1 && this.#unused.some(({ rct }) => rct);
  }

  /** The preferred input's subaddress is spent first. */
  #bringForward(): void {
    const minor = this.#preferred[0]?.subaddress.minor;
    const at = this.#groups.findIndex((group) => group[0]?.subaddress.minor === minor);
    if (minor === undefined || at <= 0) return;
    const richest = this.#groups[0]!;
    this.#groups[0] = this.#groups[at]!;
    this.#groups[at] = richest;
  }

  #takeInput(): SpendableOutput | undefined {
    const preferred = this.#preferred.pop();
    if (preferred !== undefined) {
      removeOutput(this.#unused, preferred);
      return preferred;
    }
    if (this.#unpaid() || this.#addingFee) return takeRandom(this.#unused, this.#draft.selection, this.#task.sampler);
    const second = pickSecond(this.#unused, this.#draft.selection);
    if (second !== undefined) removeOutput(this.#unused, second);
    return second;
  }

  #addToFee(amount: bigint): boolean {
    this.#availableForFee += amount;
    return false;
  }

  /** Pays destinations in order from a new input. True when the transaction has no output free for the next one. */
  #payFrom(amount: bigint): boolean {
    let available = amount;
    let next = this.#left[0];
    while (next !== undefined && next.amount <= available && this.#draft.hasRoom(this.#extra)) {
      if (!this.#draft.pay(next, next.amount, this.#position)) return true;
      available -= next.amount;
      this.#dropFirst();
      this.#position++;
      next = this.#left[0];
    }
    if (available === 0n || next === undefined || !this.#draft.hasRoom(this.#extra)) return false;
    if (!this.#draft.pay(next, available, this.#position)) return true;
    next.amount -= available;
    return false;
  }

  /** Removes the first item like the reference: the last one takes its place. */
  #dropFirst(): void {
    const last = this.#left.pop()!;
    if (this.#left.length > 0) this.#left[0] = last;
  }

  #shouldTry(full: boolean): boolean {
    if (full) return true;
    if (this.#preferred.length > 0) return false;
    if (this.#addingFee) return this.#availableForFee >= this.#neededFee;
    const close = this.#left.length === 0 || !this.#draft.hasRoom(this.#extra);
    if (close && this.#draft.destinations.length === 0) {
      throw new SpendError('transaction-too-big', 'expected inputs large enough to pay within the weight limit');
    }
    return close;
  }

  *#tryDraft(): Generator<readonly SpendableOutput[], void, readonly RingIndices[]> {
    const draft = this.#draft;
    const borne = feeIsBorne(this.#task);
    if (borne && this.#left.length > 0) {
      throw new SpendError('fee-bearers-split', 'expected one transaction to pay all who bear its fee', { when: 'planned' });
    }
    const outputs = outputCount(draft.destinations, draft.inputs);
    this.#neededFee = feeForWeight(this.#task.rate, estimateWeight(this.#task.era, draft.inputs.length, outputs, this.#extra));
    this.#carve();
    if (totalOf(draft.inputs) < totalOf(draft.destinations) + (borne ? 0n : this.#neededFee)) {
      this.#addingFee = true;
      return;
    }
    draft.rings ??= yield [...draft.inputs];
    const trial = draftTransaction(
      draft.inputs,
      draft.rings,
      afterFee(draft.destinations, this.#neededFee),
      this.#neededFee,
      this.#task,
    );
    this.#neededFee = neededFee(trial, this.#task);
    this.#availableForFee = trial.fee + (draft.bearable ?? trial.change);
    this.#carve();
    if (this.#neededFee > this.#availableForFee) {
      this.#addingFee = true;
      return;
    }
    const paid = (fee: bigint) => afterFee(draft.destinations, fee);
    this.#keep(settleFee(draft.inputs, draft.rings, paid, this.#neededFee, this.#task));
  }

  /** A destination whose payment continues in the next transaction pays the fee of this one. */
  #carve(): void {
    const next = this.#left[0];
    const needed = this.#neededFee;
    if (needed <= this.#availableForFee || next === undefined || next.amount === 0n) return;
    const partial = this.#draft.destinations.find(({ address }) => sameAddress(address, next.address));
    if (partial === undefined || partial.amount <= needed) return;
    partial.amount -= needed;
    next.amount += needed;
    this.#availableForFee = needed;
  }

  /** Accepts a draft. One with a second input may still replace it if everything is paid. */
  #keep(draft: TransactionDraft): void {
    const settled = { ...draft, inputs: [...draft.inputs] };
    this.#addingFee = false;
    if (this.#replaces(settled)) this.#done[this.#done.length - 1] = settled;
    else this.#done.push(settled);
    if (this.#left.length > 0) {
      this.#draft = new OpenDraft(this.#task);
      this.#position = 0;
    }
  }

  #replaces(settled: TransactionDraft): boolean {
    return this.#done.at(-1)?.inputs[0] === settled.inputs[0];
  }

  #nextGroup(): void {
    if (this.#unused.length === 0 && this.#groups.length > 1) this.#groups.shift();
  }

  #notPossible(): SpendError {
    const fee = this.#done.reduce((sum, draft) => sum + draft.fee, this.#neededFee);
    return new SpendError('not-possible', 'expected the unlocked balance to cover amounts and every fee', {
      unlocked: totalOf(this.#task.spendable),
      balance: this.#task.balance,
      needed: totalOf(this.#task.destinations),
      fee,
    });
  }
}
