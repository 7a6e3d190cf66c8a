import type { ErrorData, RandomSampler } from '../../base/index.ts';
import { type Era, MAX_OUTPUTS, type PaidAddress, type PaidOutput, totalOf } from '../../protocol/index.ts';
import { SpendError } from './errors.ts';
import { exactWeight, type FeeRate, feeForWeight, fractionalThreshold } from './fees.ts';
import type { SpendableOutput } from './inputs.ts';
import type { Recipient } from './request.ts';

/** Members of a ring: absolute global indices, ascending, including the real one. */
export type RingIndices = readonly bigint[];

/**
 * A planner. It yields the inputs of a transaction that it tries and is resumed with their rings, in the same order: the exact weight,
 * hence the fee, depends on them. Everything else is decided inside, with the given randomness.
 */
export type PlanGenerator = Generator<readonly SpendableOutput[], readonly TransactionDraft[], readonly RingIndices[]>;

/** A transaction planned to the exact byte count: everything except the contents of its rings. */
export interface TransactionDraft {
  readonly inputs: readonly SpendableOutput[];
  readonly rings: readonly RingIndices[];
  /** Payments without change and dummy; amounts are above 0. */
  readonly destinations: readonly Recipient[];
  /** Total change in atomic units; 0 for none. */
  readonly change: bigint;
  /** Every output to make, change or dummy last. */
  readonly outputs: readonly PaidOutput[];
  /** Address of the change output: ours, or the dummy's; undefined without such an output. */
  readonly changeAddress: PaidAddress | undefined;
  readonly fee: bigint;
  readonly weight: number;
}

/** Rules of planning besides the request. */
export interface PlanRules {
  /** Era of the block that the payment is made for. */
  readonly era: Era;
  readonly rate: FeeRate;
  /** Address that receives change: the first of the account. */
  readonly changeAddress: PaidAddress;
  /** Makes an address whose keys nobody knows: the dummy output of a transaction without change. */
  readonly dummyAddress: () => PaidAddress;
  /** Whether the extra field will have a payment id. */
  readonly hasPaymentId: boolean;
  readonly unlockTime: bigint;
  readonly sampler: RandomSampler;
  /** Most recipients of one transaction, change not counted, limited by a device's screen; by default as many as fit. */
  readonly recipientsAtOnce?: number | undefined;
  /** Splits change into several outputs if coins run low; one output by default. */
  readonly keepReady?: KeepReady | undefined;
}

/** Number of coins an account should have, so that the change of one payment does not lock all of its money. */
export interface KeepReady {
  /** 1 … 16. */
  readonly coins: number;
  /** Unspent coins before the payment, locked ones included. */
  readonly unspent: number;
}

/** Bytes of the extra field that the wallet already counts when it estimates: the payment id. */
const PAYMENT_ID_EXTRA_SIZE = 11;

/** Bytes of tx_extra that an estimate of the weight counts before tx_extra is made: those of the payment id. */
export function estimatedExtraSize(rules: PlanRules): number {
  return rules.hasPaymentId ? PAYMENT_ID_EXTRA_SIZE : 0;
}

/** Number of outputs of a transaction: with change if anything is left, at least two (`get_num_outputs`). */
export function outputCount(destinations: readonly PaidOutput[], inputs: readonly SpendableOutput[]): number {
  const change = totalOf(inputs) === totalOf(destinations) ? 0 : 1;
  return Math.max(destinations.length + change, 2);
}

/**
 * Drafts a transaction with a given fee and computes its weight, where the reference builds one (`transfer_selected_rct`).
 * @throws SpendError `zero-amount`; `not-enough-unlocked-money` when inputs do not cover outputs and fee; `transaction-too-big`
 */
export function draftTransaction(
  inputs: readonly SpendableOutput[],
  rings: readonly RingIndices[],
  destinations: readonly Recipient[],
  fee: bigint,
  rules: PlanRules,
): TransactionDraft {
  const change = changeOf(inputs, destinations, fee);
  const outputs: PaidOutput[] = [...destinations];
  const changeAddress = change > 0n ? rules.changeAddress : destinations.length === 1 ? rules.dummyAddress() : undefined;
  if (changeAddress !== undefined) {
    const parts = changeParts(change, { inputs: inputs.length, destinations: destinations.length }, rules);
    outputs.push(...equalParts(change, parts).map((amount) => ({ address: changeAddress, amount })));
  }
  const weight = exactWeight(rules.era, {
    inputs: inputs.map(({ rct, amount }, i) => ({ amount: rct ? 0n : amount, ring: rings[i]! })),
    outputs: outputs.map(() => 0n),
    extraSize: rules.era.outputs.extraSize(outputs, changeAddress, rules.hasPaymentId),
    fee,
    unlockTime: rules.unlockTime,
  });
  const limit = rules.era.maxWeight;
  if (weight >= limit) {
    throw new SpendError('transaction-too-big', `expected a weight below ${limit}`, { weight });
  }
  return { inputs, rings, destinations, change, outputs, changeAddress, fee, weight };
}

/** Amount that inputs exceed payments and fee by. @throws SpendError `zero-amount`, `not-enough-unlocked-money` */
function changeOf(inputs: readonly SpendableOutput[], destinations: readonly Recipient[], fee: bigint): bigint {
  if (destinations.some(({ amount }) => amount <= 0n))
    throw new SpendError('zero-amount', 'expected every amount to be above zero');
  const [found, needed] = [totalOf(inputs), totalOf(destinations)];
  if (found >= needed + fee) return found - needed - fee;
  const message = 'expected the inputs to cover amounts and fee';
  throw new SpendError('not-enough-unlocked-money', message, { found, needed, fee });
}

/** A coin is made only if spending it costs less than this fraction of its amount. */
const WORTH_MAKING = 50n;

/** Number of change outputs: as many as the account lacks, as long as they fit and each is worth its fee. */
function changeParts(
  change: bigint,
  { inputs, destinations }: { readonly inputs: number; readonly destinations: number },
  { keepReady, era, rate }: PlanRules,
): number {
  if (keepReady === undefined) return 1;
  const lacking = keepReady.coins - Math.max(keepReady.unspent - inputs, 0);
  const worthwhile = Number(change / (fractionalThreshold(era, rate) * WORTH_MAKING));
  return Math.max(Math.min(lacking, MAX_OUTPUTS - destinations, worthwhile), 1);
}

/** Splits an amount into parts that differ by at most one unit, the larger ones first. */
export function equalParts(amount: bigint, parts: number): bigint[] {
  const count = BigInt(parts);
  const remainder = amount % count;
  return Array.from({ length: parts }, (_, i) => amount / count + (BigInt(i) < remainder ? 1n : 0n));
}

/** The fee of a transaction at the rules' rate. */
export function neededFee({ weight }: TransactionDraft, { rate }: PlanRules): bigint {
  return feeForWeight(rate, weight);
}

const FEE_TRIES = 10;

/**
 * Drafts again with the fee of the last draft, until the fee suffices: a larger fee may take a byte more.
 * @param destinations the payments for a given fee
 */
export function settleFee(
  inputs: readonly SpendableOutput[],
  rings: readonly RingIndices[],
  destinations: (fee: bigint) => readonly Recipient[],
  first: bigint,
  rules: PlanRules,
): TransactionDraft {
  let fee = first;
  for (let tries = 0; tries < FEE_TRIES; tries++) {
    const draft = draftTransaction(inputs, rings, destinations(fee), fee, rules);
    const needed = neededFee(draft, rules);
    if (needed <= fee) return draft;
    fee = needed;
  }
  throw new SpendError('not-possible', 'expected the fee to settle within ten attempts');
}

/** @param data further data of the error */
export function cannotPay(available: bigint, fee: bigint, data: ErrorData = {}): SpendError {
  const message = 'expected the outputs to be worth more than the fee to spend them';
  return new SpendError('cannot-pay-for-itself', message, { available, fee, ...data });
}
