import { hexToBytes, RandomSampler, wipe } from '../../base/index.ts';
import { randomScalar, scalarMulBase, zeroCommit } from '../../crypto/index.ts';
import { type AtomicAmount, decodeAddress, type PaidAddress, payeeOf, toAtomicAmount, totalOf } from '../../protocol/index.ts';
import { refusedButPossible } from '../projection/index.ts';
import { balanceToPayFrom, spendableCoins, sweptCoins, unspentCoins, worthSweeping } from './coins.ts';
import type { SpendContext } from './context.ts';
import type { KeepReady, PlanGenerator, PlanRules, RingIndices, TransactionDraft } from './draft.ts';
import { SpendError } from './errors.ts';
import { type ChosenRate, chooseRate } from './fee-rate.ts';
import type { FeeRate } from './fees.ts';
import type { SpendableOutput } from './inputs.ts';
import { planSweep } from './plan-sweep.ts';
import { planTransfer } from './plan-transfer.ts';
import { planUnmixable } from './plan-unmixable.ts';
import { reportStage } from './progress.ts';
import type { PaymentOrder, SweepOrder, TransferOrder, UnmixableOrder, WrittenAddress } from './request.ts';
import { ringPort } from './ring-port.ts';
import { RingMaker } from './rings.ts';
import { inputsSharedWithRefused, requireInputsShared } from './shared-with-refused.ts';
import type { UnsignedPayment, UnsignedPaymentPart } from './signer.ts';
import { unmixableCoins } from './unmixable-coins.ts';
import type { UnsignedInput } from './unsigned.ts';

/** A planned payment with its rings, unsigned: the second of its five steps. A plain value without secrets. */
export interface PaymentPlan extends UnsignedPayment {
  readonly transactions: readonly PlannedTransaction[];
  /** Account whose coins are spent, and to which change returns. */
  readonly account: number;
  readonly rate: FeeRate;
  /** Number of recipients that the device shows at once, if that is why there are several transactions. */
  readonly recipientsAtOnce?: number | undefined;
}

/** One transaction of a plan: inputs with their rings, outputs, fee. Amounts in atomic units. */
export interface PlannedTransaction extends UnsignedPaymentPart {
  /** Returns to the account; 0 for none. */
  readonly change: AtomicAmount;
  /** Exact weight, which the signed transaction must have. */
  readonly weight: number;
}

/** The reference sweeps unmixable outputs at the lowest rate. */
const SLOW = 1;

/**
 * Decides a payment: coins, change, fee, number of transactions, and rings, which are stored. It has no transactions if there are no
 * unmixable outputs to sweep. A view-only wallet can plan: outputs without key image are identified by their own keys.
 * @throws SpendError; DaemonError if the daemon fails to answer
 */
export async function planPayment(ctx: SpendContext, order: PaymentOrder, signal?: AbortSignal): Promise<PaymentPlan> {
  await ctx.device?.learnKeyImages(ctx.progress, signal);
  await reportStage(ctx, 'coins', signal);
  switch (order.kind) {
    case 'transfer':
      return transferPlan(ctx, order, signal);
    case 'sweep':
      return sweepPlan(ctx, order, signal);
    case 'unmixable':
      return unmixablePlan(ctx, order, signal);
  }
}

async function transferPlan(ctx: SpendContext, order: TransferOrder, signal: AbortSignal | undefined): Promise<PaymentPlan> {
  const { account, destinations } = order;
  const chosen = await chooseRate(ctx, order.priority, order.acceptHighFee, signal).catch((error) => {
    throw isUnjudged(error) ? (lackOfMoney(ctx, order) ?? error) : error;
  });
  const recipientsAtOnce = await ctx.device?.recipientsAtOnce(destinations.length);
  requireRoom(order, recipientsAtOnce);
  const rules = { ...rulesOf(ctx, order, chosen), recipientsAtOnce };
  const plan = await ringed(ctx, { planning: transferPlanning(ctx, order, rules), rules, order, account, chosen }, signal);
  const refused = refusedButPossible(ctx.state, account);
  for (const { unsigned } of plan.transactions) requireInputsShared(refused, unsigned.inputs);
  return recipientsAtOnce === undefined || destinations.length <= recipientsAtOnce ? plan : { ...plan, recipientsAtOnce };
}

const isUnjudged = (error: unknown): boolean => error instanceof SpendError && error.code === 'fee-unavailable';

/** Error of a wallet that has scanned no block with which to bound fees: it has no money. */
function lackOfMoney(ctx: SpendContext, order: TransferOrder): SpendError | undefined {
  const [needed, balance] = [totalOf(order.destinations), balanceToPayFrom(ctx, order)];
  if (needed <= balance) return undefined;
  return new SpendError('not-enough-money', 'expected the balance to cover amounts and fee', { needed, balance });
}

/** Spendable coins, and the planner that chooses among them. @throws SpendError */
function transferPlanning(ctx: SpendContext, order: TransferOrder, rules: PlanRules): PlanGenerator {
  const { account, destinations, feeFrom } = order;
  const spendable = spendableCoins(ctx, order);
  const required = inputsSharedWithRefused(refusedButPossible(ctx.state, account), spendable);
  const keepReady = keepReadyOf(ctx, order);
  return planTransfer({ ...rules, destinations, spendable, required, balance: balanceToPayFrom(ctx, order), feeFrom, keepReady });
}

/** Sets for another signer, and devices' screens, allow one change output only. */
function keepReadyOf(ctx: SpendContext, { keepReady: coins, account }: TransferOrder): KeepReady | undefined {
  if (coins === undefined || ctx.state.description.kind !== 'full') return undefined;
  return { coins, unspent: unspentCoins(ctx, account) };
}

/**
 * Plans a payment at a rate without a daemon: its rings are made up, so weights are approximate.
 * @throws SpendError as {@link planPayment}
 */
export function estimatePlan(
  ctx: SpendContext,
  order: TransferOrder | SweepOrder,
  chosen: Pick<ChosenRate, 'rate' | 'era'>,
): readonly TransactionDraft[] {
  // The dummy's keys do not affect the weight.
  const rules = { ...rulesOf(ctx, order, chosen), dummyAddress: () => ownAddress(ctx, 0) };
  const planning = order.kind === 'transfer' ? transferPlanning(ctx, order, rules) : sweepPlanning(ctx, order, rules);
  const ring = madeUpRing(chosen.era.ringSize.min);
  let step = planning.next();
  while (!step.done) step = planning.next(step.value.map(() => ring));
  return step.value;
}

/** About as many outputs as the public chain has, so that made-up indices take as many bytes as real ones. */
const OUTPUTS_ON_CHAIN = 2 ** 27;

/** Indices of a ring, closer to each other towards the end, like decoys. */
function madeUpRing(size: number): RingIndices {
  return Array.from({ length: size }, (_, i) => BigInt(OUTPUTS_ON_CHAIN - Math.floor(OUTPUTS_ON_CHAIN / 2 ** (i + 1))));
}

/** @throws SpendError `too-many-destinations` if a device shows fewer and one transaction is required */
function requireRoom({ destinations, severalTransactions }: TransferOrder, most: number | undefined): void {
  if (most === undefined || destinations.length <= most || severalTransactions) return;
  const data = { destinations: destinations.length, most };
  throw new SpendError('too-many-destinations', `expected at most ${most} destinations: the device shows no more at once`, data);
}

async function sweepPlan(ctx: SpendContext, order: SweepOrder, signal: AbortSignal | undefined): Promise<PaymentPlan> {
  // The daemon is asked before coins are looked at, as in the reference: an unreachable daemon is reported first.
  const chosen = await chooseRate(ctx, order.priority, order.acceptHighFee, signal).catch((error) => {
    if (isUnjudged(error)) sweptCoins(ctx, order);
    throw error;
  });
  const account = sweptCoins(ctx, order)[0]!.subaddress.major;
  const rules = { ...rulesOf(ctx, order, chosen), recipientsAtOnce: await ctx.device?.recipientsAtOnce(order.outputs) };
  return ringed(ctx, { planning: sweepPlanning(ctx, order, rules), rules, order, account, chosen }, signal);
}

/** @throws SpendError */
function sweepPlanning(ctx: SpendContext, order: SweepOrder, rules: PlanRules): PlanGenerator {
  const spendable = worthSweeping(sweptCoins(ctx, order), order, rules);
  return planSweep({ ...rules, address: order.address, outputs: order.outputs, spendable });
}

/** Plan of a wallet that has scanned no block and owns nothing. */
const NOTHING: PaymentPlan = { transactions: [], rate: { perByte: 0n, quantization: 1n }, account: 0 };

/** As `create_unmixable_sweep_transactions` (wallet2.cpp): each coin in a ring of its own. */
async function unmixablePlan(ctx: SpendContext, order: UnmixableOrder, signal: AbortSignal | undefined): Promise<PaymentPlan> {
  const chosen = await chooseRate(ctx, SLOW, order.acceptHighFee, signal).catch((error) => {
    if (isUnjudged(error) && ctx.state.unspent.size === 0) return undefined;
    throw error;
  });
  if (chosen === undefined) return NOTHING;
  const { rate, era } = chosen;
  const spendable = await unmixableCoins(ctx, era, order.account, signal);
  const account = spendable[0]?.subaddress.major ?? 0;
  const drafts = planUnmixable({ era, rate, address: ownAddress(ctx, 0), spendable, sampler: new RandomSampler(ctx.random) });
  const form = { majorVersion: era.version, version: 1 as const, unlockTime: 0n, paymentId: undefined };
  return { transactions: drafts.map((draft) => planned(draft, form, draft.inputs.map(alone))), rate, account };
}

/** An input whose ring is the output alone. */
function alone(output: SpendableOutput): UnsignedInput {
  const member = { globalIndex: output.globalIndex, key: hexToBytes(output.key), commitment: zeroCommit(output.amount) };
  return { output, ring: [member], real: 0 };
}

function rulesOf(
  ctx: SpendContext,
  order: TransferOrder | SweepOrder,
  { rate, era }: Pick<ChosenRate, 'rate' | 'era'>,
): PlanRules {
  return {
    rate,
    era,
    changeAddress: ownAddress(ctx, order.account),
    // A device shows what leaves: it recognises its own address as change, but not an unknown one.
    dummyAddress: () => (ctx.device?.isNeeded ? ownAddress(ctx, 0) : freshAddress(ctx)),
    hasPaymentId: order.paymentId !== undefined,
    unlockTime: order.unlockTime,
    sampler: new RandomSampler(ctx.random),
  };
}

/** The first address of an account. */
function ownAddress(ctx: SpendContext, account: number): WrittenAddress {
  const text = ctx.addressOf({ major: account, minor: 0 });
  return { ...payeeOf(decodeAddress(text, ctx.state.description.network)), text };
}

/** An address that nobody can spend from: its secret keys are forgotten at once. */
function freshAddress(ctx: SpendContext): PaidAddress {
  const [spend, view] = [randomScalar(ctx.random), randomScalar(ctx.random)];
  const address = { spendKey: scalarMulBase(spend), viewKey: scalarMulBase(view), isSubaddress: false };
  wipe(spend, view);
  return address;
}

interface Ringing {
  readonly planning: PlanGenerator;
  readonly rules: PlanRules;
  readonly order: TransferOrder | SweepOrder;
  readonly account: number;
  readonly chosen: ChosenRate;
}

/** Runs a planner, with a ring for every coin that it tries. */
async function ringed(
  ctx: SpendContext,
  { planning, rules, order, account, chosen }: Ringing,
  signal: AbortSignal | undefined,
): Promise<PaymentPlan> {
  const { era, rate, sampler } = rules;
  const { unlockTime, paymentId } = order;
  const maker = new RingMaker(ringPort(ctx, chosen.daemonHeight, signal), sampler, era.ringSize.min);
  const ringsOf = (inputs: readonly SpendableOutput[]) =>
    ctx.choosing.run(async () => {
      signal?.throwIfAborted();
      return maker.rings(inputs);
    });
  let step = planning.next();
  await reportStage(ctx, 'decoys', signal);
  while (!step.done) {
    const rings = await ringsOf(step.value);
    step = planning.next(rings.map(({ ring }) => ring.map(({ globalIndex }) => globalIndex)));
  }
  const form = { majorVersion: era.version, unlockTime, paymentId };
  const transactions: PlannedTransaction[] = [];
  for (const draft of step.value) {
    transactions.push(planned(draft, form, await ringsOf(draft.inputs)));
  }
  return { transactions, rate, account };
}

type Form = Pick<UnsignedPaymentPart['unsigned'], 'majorVersion' | 'version' | 'unlockTime' | 'paymentId'>;

function planned(draft: TransactionDraft, form: Form, inputs: readonly UnsignedInput[]): PlannedTransaction {
  const { outputs, changeAddress, fee, destinations, change, weight } = draft;
  return {
    unsigned: { ...form, inputs, outputs, changeAddress, fee },
    destinations: destinations.map(({ address, amount }) => ({ address: address.text, amount: toAtomicAmount(amount) })),
    change: toAtomicAmount(change),
    weight,
  };
}
