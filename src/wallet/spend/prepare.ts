import { bytesToHex, RandomSampler, wipe } from '../../base/index.ts';
import { loadCrypto, randomScalar, scalarMulBase } from '../../crypto/index.ts';
import {
  decodeAddress,
  isOneDigit,
  isProtocolError,
  type KeyImage,
  type PaidAddress,
  type PaidOutput,
  sameAddress,
  type TxHash,
  toAtomicAmount,
} from '../../protocol/index.ts';
import type { PreparedTransfer, SweepRequest, TransferRequest } from '../api.ts';
import type { Destination, OwnedOutput, SentTransaction } from '../model.ts';
import { balanceOf, byChainOrder, holdOf, projectionOf, refusedInDoubt, spendableOutputs } from '../projection/index.ts';
import { nowSeconds, type SpendContext } from './context.ts';
import { SpendError } from './errors.ts';
import { type FeeRate, fractionalThreshold } from './fees.ts';
import { type SpendableOutput, total } from './inputs.ts';
import type { PlannedTransaction, Planning, PlanRules } from './plan.ts';
import { planSweep } from './plan-sweep.ts';
import { planTransfer } from './plan-transfer.ts';
import { begin } from './progress.ts';
import { type ChosenRate, chooseRate } from './rate.ts';
import { requireShared, sharedInputs } from './refused.ts';
import { ringPort } from './ring-port.ts';
import { RingMaker } from './rings.ts';
import type { UnsignedInput, UnsignedTransaction } from './unsigned.ts';
import { verifySigned } from './verify.ts';

/** Most destinations of one transaction: with change, sixteen outputs. */
const MAX_DESTINATIONS = 15;

/** A prepared transfer with what sending needs. Holds transaction keys: stays in the worker. */
export interface Prepared {
  readonly summary: PreparedTransfer;
  readonly transactions: readonly SentTransaction[];
  /** What was signed, one a transaction. */
  readonly unsigned: readonly UnsignedTransaction[];
}

/** A transaction decided, with its rings, and not signed. */
export interface LaidOutTransaction {
  readonly planned: PlannedTransaction;
  readonly unsigned: UnsignedTransaction;
  /** What is paid, with the addresses as the person wrote them. */
  readonly destinations: readonly Destination[];
}

/** A payment decided and not signed: what a signer is asked for, wherever it is. */
export interface AssembledPlan {
  readonly transactions: readonly LaidOutTransaction[];
  readonly rate: FeeRate;
  readonly account: number;
}

/** A destination read: where it goes, how much, and the text the person wrote. */
interface Recipient extends PaidOutput {
  readonly text: string;
  readonly paymentId: Uint8Array | undefined;
}

/**
 * Plans, rings, signs and checks a payment. Nothing has been sent; the rings are kept.
 * @throws SpendError; DaemonError where the daemon fails to answer
 */
export async function prepareTransfer(ctx: SpendContext, request: TransferRequest, signal?: AbortSignal): Promise<Prepared> {
  requireFull(ctx);
  return signAll(ctx, await layOutTransfer(ctx, request, signal), signal);
}

/**
 * Plans and rings a payment. A view-only wallet can: its outputs without key image go by their own keys.
 * @throws SpendError; DaemonError where the daemon fails to answer
 */
export async function layOutTransfer(ctx: SpendContext, request: TransferRequest, signal?: AbortSignal): Promise<AssembledPlan> {
  await loadCrypto();
  if (request.destinations.length === 0) throw new SpendError('no-destination', 'expected at least one destination');
  if (request.destinations.length > MAX_DESTINATIONS && request.severalTransactions !== true) {
    throw new SpendError('too-many-destinations', `expected at most ${MAX_DESTINATIONS} destinations`, {
      destinations: request.destinations.length,
    });
  }
  const feeFrom = requireBearers(request);
  const recipients = request.destinations.map(({ address, amount }) => readRecipient(ctx, address, amount));
  const paymentId = singlePaymentId(recipients);
  await begin(ctx, 'coins', signal);
  const chosen = await chooseRate(ctx, request.priority, request.acceptHighFee ?? false, signal);
  const unlockTime = request.unlockTime ?? 0n;
  const rules = planRules(ctx, chosen, request.account, paymentId !== undefined, unlockTime);
  const spendable = spendableNow(ctx, request.account, request.subaddresses);
  const balance = balanceNow(ctx, request.account, request.subaddresses);
  const refused = refusedInDoubt(ctx.state, request.account);
  const required = sharedInputs(refused, spendable);
  const planning = planTransfer({ ...rules, destinations: recipients.map(paidOutput), spendable, required, balance, feeFrom });
  const texts = new Map<PaidAddress, string>(recipients.map(({ address, text }) => [address, text]));
  const { daemonHeight } = chosen;
  const laid = await finish(ctx, { planning, rules, texts, paymentId, account: request.account, daemonHeight }, signal);
  for (const { planned } of laid.transactions) requireShared(refused, planned.inputs);
  return laid;
}

/**
 * Plans, rings, signs and checks a sweep: all outputs of an account, those below an amount, or those named by key image.
 * @throws SpendError; DaemonError where the daemon fails to answer
 */
export async function prepareSweep(ctx: SpendContext, request: SweepRequest, signal?: AbortSignal): Promise<Prepared> {
  requireFull(ctx);
  return signAll(ctx, await layOutSweep(ctx, request, signal), signal);
}

/** Plans and rings a sweep, as {@link layOutTransfer} does a payment. @throws SpendError; DaemonError */
export async function layOutSweep(ctx: SpendContext, request: SweepRequest, signal?: AbortSignal): Promise<AssembledPlan> {
  await loadCrypto();
  const recipient = readRecipient(ctx, request.address, 1n);
  await begin(ctx, 'coins', signal);
  const swept = sweptOutputs(ctx, request);
  const chosen = await chooseRate(ctx, request.priority, request.acceptHighFee ?? false, signal);
  const byName = request.keyImage !== undefined || request.keyImages !== undefined;
  const spendable = byName ? swept : worthwhile(swept, chosen);
  const rules = planRules(ctx, chosen, request.account, recipient.paymentId !== undefined, request.unlockTime ?? 0n);
  const planning = planSweep({ ...rules, address: recipient.address, outputs: request.outputs ?? 1, spendable });
  const texts = new Map([[recipient.address, recipient.text]]);
  const account = spendable[0]!.subaddress.major;
  const { daemonHeight } = chosen;
  return finish(ctx, { planning, rules, texts, paymentId: recipient.paymentId, account, daemonHeight }, signal);
}

/** @throws SpendError `view-only` */
export function requireFull(ctx: SpendContext): void {
  if (ctx.state.description.kind !== 'full') throw new SpendError('view-only', 'expected a wallet that holds its spend key');
}

/** Who bears the fee. @throws SpendError `bad-fee-bearer`; `fee-bearers-split` when one transaction cannot pay all */
function requireBearers({ destinations, feeFrom = [] }: TransferRequest): ReadonlySet<number> {
  const last = Math.max(...feeFrom);
  if (feeFrom.some((index) => !Number.isInteger(index) || index < 0) || last >= destinations.length) {
    throw new SpendError('bad-fee-bearer', 'expected a destination at every position that bears the fee', { index: last });
  }
  if (feeFrom.length > 0 && destinations.length > MAX_DESTINATIONS) {
    throw new SpendError('fee-bearers-split', 'expected one transaction to pay all who bear its fee', { when: 'asked' });
  }
  return new Set(feeFrom);
}

/** @throws SpendError `bad-address`, `wrong-network`, `zero-amount` */
function readRecipient(ctx: SpendContext, text: string, amount: bigint): Recipient {
  if (amount <= 0n) throw new SpendError('zero-amount', 'expected every amount to be above zero');
  try {
    const { spendKey, viewKey, kind, paymentId } = decodeAddress(text, ctx.state.description.network);
    return { address: { spendKey, viewKey, isSubaddress: kind === 'subaddress' }, amount, text, paymentId };
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    const code = error.code === 'wrong-network' ? 'wrong-network' : 'bad-address';
    throw new SpendError(code, error.message, { reason: error.code }, error);
  }
}

const paidOutput = ({ address, amount }: Recipient): PaidOutput => ({ address, amount });

/** An encrypted payment id is for one receiver, and extra has room for one. */
function singlePaymentId(recipients: readonly Recipient[]): Uint8Array | undefined {
  const integrated = recipients.filter(({ paymentId }) => paymentId !== undefined);
  if (integrated.length > 1) throw new SpendError('several-payment-ids', 'expected at most one integrated address');
  const [one] = integrated;
  if (one !== undefined && !recipients.every(({ address }) => sameAddress(address, one.address))) {
    throw new SpendError('payment-id-with-several-destinations', 'expected an integrated address to be the only destination');
  }
  return one?.paymentId;
}

function planRules(ctx: SpendContext, chosen: ChosenRate, account: number, hasPaymentId: boolean, unlockTime: bigint): PlanRules {
  const own = decodeAddress(ctx.addressOf({ major: account, minor: 0 }), ctx.state.description.network);
  return {
    rate: chosen.rate,
    era: chosen.era,
    changeAddress: { spendKey: own.spendKey, viewKey: own.viewKey, isSubaddress: own.kind === 'subaddress' },
    dummyAddress: () => freshAddress(ctx),
    hasPaymentId,
    unlockTime,
    sampler: new RandomSampler(ctx.random),
  };
}

/** An address that nobody can spend from: its secret keys are forgotten at once. */
function freshAddress(ctx: SpendContext): PaidAddress {
  const [spend, view] = [randomScalar(ctx.random), randomScalar(ctx.random)];
  const address = { spendKey: scalarMulBase(spend), viewKey: scalarMulBase(view), isSubaddress: false };
  wipe(spend, view);
  return address;
}

/** Until the cold half tells the key image, the output's own key stands for it: it is as unique, and keeps its ring (T3). */
export function named(output: OwnedOutput): SpendableOutput {
  const { keyImage, key } = output;
  return { ...output, keyImage: keyImage ?? (key as string as KeyImage) };
}

function spendableNow(ctx: SpendContext, account: number, minors: readonly number[] | undefined): SpendableOutput[] {
  const outputs = spendableOutputs(ctx.state, account, nowSeconds(ctx), minors);
  return outputs.filter(isMixable).map(named);
}

/** Clear amounts of more than one digit have too few equals to hide among. */
function isMixable({ rct, amount }: { readonly rct: boolean; readonly amount: bigint }): boolean {
  return rct || isOneDigit(amount);
}

/** Locked or not, with what is under way, as the reference holds it against a payment (`create_transactions_2`). */
function balanceNow(ctx: SpendContext, account: number, minors: readonly number[] = []): bigint {
  const balances = projectionOf(ctx.state).balances(nowSeconds(ctx), ctx.lookup);
  if (minors.length === 0) return balanceOf(balances.account(account));
  const parts = [...new Set(minors)].map((minor) => balanceOf(balances.subaddress({ major: account, minor })));
  return parts.reduce((sum, part) => sum + part, 0n);
}

/** @throws SpendError `output-not-spendable`, `no-unlocked-outputs`, `nothing-below-threshold` */
function sweptOutputs(ctx: SpendContext, request: SweepRequest): SpendableOutput[] {
  if (request.keyImage !== undefined) return [singleOutput(ctx, request.keyImage as KeyImage)];
  if (request.keyImages !== undefined) return chosenOutputs(ctx, request.account, request.keyImages);
  const spendable = spendableNow(ctx, request.account, request.subaddresses);
  if (spendable.length === 0) throw new SpendError('no-unlocked-outputs', 'expected at least one unlocked output');
  const below = request.belowAmount ?? 0n;
  const swept = below === 0n ? spendable : spendable.filter(({ amount }) => amount < below);
  if (swept.length === 0) throw new SpendError('nothing-below-threshold', 'expected an output below the amount', { below });
  return swept.sort(byChainOrder);
}

/** Without outputs that cost more to spend than they are worth. @throws SpendError `cannot-pay-for-itself` when none is left */
function worthwhile(outputs: readonly SpendableOutput[], { era, rate }: ChosenRate): SpendableOutput[] {
  const threshold = fractionalThreshold(era, rate);
  const found = outputs.filter(({ amount }) => amount >= threshold);
  if (found.length > 0) return found;
  throw new SpendError('cannot-pay-for-itself', 'expected an output worth more than it costs to spend', { threshold });
}

/** Outputs the person chose. They are of one account: a spend does not merge accounts (T11). @throws SpendError */
function chosenOutputs(ctx: SpendContext, account: number, keyImages: readonly string[]): SpendableOutput[] {
  const chosen = [...new Set(keyImages)].map((image) => singleOutput(ctx, image as KeyImage));
  if (chosen.length === 0) throw new SpendError('no-unlocked-outputs', 'expected at least one output');
  if (chosen.some(({ subaddress }) => subaddress.major !== account))
    throw new SpendError('output-not-spendable', 'expected outputs of one account', { hold: 'other-account' });
  return chosen.sort(byChainOrder);
}

function singleOutput(ctx: SpendContext, keyImage: KeyImage): SpendableOutput {
  const key = ctx.state.byKeyImage.get(keyImage);
  const entry = key === undefined ? undefined : ctx.state.outputs.get(key);
  const hold = entry === undefined ? 'unknown' : holdOf(ctx.state, entry, nowSeconds(ctx));
  if (entry === undefined || hold !== undefined) {
    throw new SpendError('output-not-spendable', 'expected an unspent, unlocked, unfrozen output of this wallet', {
      hold: hold ?? 'unknown',
    });
  }
  return { ...entry.output, keyImage };
}

interface Task {
  readonly planning: Planning;
  readonly rules: PlanRules;
  readonly texts: ReadonlyMap<PaidAddress, string>;
  readonly paymentId: Uint8Array | undefined;
  readonly account: number;
  readonly daemonHeight: number;
}

async function finish(ctx: SpendContext, task: Task, signal: AbortSignal | undefined): Promise<AssembledPlan> {
  const maker = new RingMaker(ringPort(ctx, task.daemonHeight, signal), task.rules.sampler, task.rules.era.ringSize.min);
  let step = task.planning.next();
  await begin(ctx, 'decoys', signal);
  while (!step.done) {
    signal?.throwIfAborted();
    const rings = await maker.rings(step.value);
    step = task.planning.next(rings.map(({ ring }) => ring.map(({ globalIndex }) => globalIndex)));
  }
  const transactions: LaidOutTransaction[] = [];
  for (const planned of step.value) {
    signal?.throwIfAborted();
    transactions.push(laidOut(task, planned, await maker.rings(planned.inputs)));
  }
  return { transactions, rate: task.rules.rate, account: task.account };
}

function laidOut(task: Task, planned: PlannedTransaction, inputs: readonly UnsignedInput[]): LaidOutTransaction {
  const { outputs, changeAddress, fee } = planned;
  const { unlockTime, era } = task.rules;
  const { paymentId } = task;
  const unsigned: UnsignedTransaction = { majorVersion: era.version, inputs, outputs, changeAddress, fee, unlockTime, paymentId };
  return { planned, unsigned, destinations: planned.destinations.map((paid) => destinationOf(paid, task)) };
}

/** Signs and checks every transaction of a plan, in turn. @throws SpendError */
export async function signAll(ctx: SpendContext, plan: AssembledPlan, signal: AbortSignal | undefined): Promise<Prepared> {
  const transactions: SentTransaction[] = [];
  const of = plan.transactions.length;
  for (const [i, transaction] of plan.transactions.entries()) {
    transactions.push(await signPlanned(ctx, plan, transaction, { number: i + 1, of }, signal));
  }
  const unsigned = plan.transactions.map((transaction) => transaction.unsigned);
  return { summary: summaryOf(ctx, plan, transactions), transactions, unsigned };
}

async function signPlanned(
  ctx: SpendContext,
  { rate, account }: AssembledPlan,
  { planned, unsigned, destinations }: LaidOutTransaction,
  which: { readonly number: number; readonly of: number },
  signal: AbortSignal | undefined,
): Promise<SentTransaction> {
  const { inputs, fee, paymentId, unlockTime } = unsigned;
  await begin(ctx, 'signing', signal, which);
  const signed = await ctx.signer.sign(unsigned, signal);
  await begin(ctx, 'checking', signal, which);
  const weight = verifySigned(unsigned, signed, rate, ctx.keys.viewKey, ctx.random);
  if (weight !== planned.weight) throw new SpendError('check-failed', 'expected the weight that was planned', { weight });
  const txKeys = signed.txKeys.map(bytesToHex);
  wipe(...signed.txKeys);
  return {
    txHash: bytesToHex(signed.hash) as TxHash,
    blob: bytesToHex(signed.bytes),
    txKeys,
    destinations,
    change: toAtomicAmount(planned.change),
    changeAddress: { major: account, minor: 0 },
    fee: toAtomicAmount(fee),
    weight,
    inputs: signed.inputOrder.map((i) => inputs[i]!.output.keyImage),
    account,
    subaddresses: [...new Set(inputs.map(({ output }) => output.subaddress.minor))].sort((a, b) => a - b),
    paymentId: paymentId === undefined ? undefined : bytesToHex(paymentId),
    unlockTime,
    builtAt: nowSeconds(ctx),
  };
}

function destinationOf({ address, amount }: PaidOutput, task: Task): Destination {
  return { address: task.texts.get(address)!, amount: toAtomicAmount(amount) };
}

function summaryOf(ctx: SpendContext, plan: AssembledPlan, transactions: readonly SentTransaction[]): PreparedTransfer {
  const lines = transactions.map(({ txHash, fee, weight, destinations, change }, i) => {
    const { inputs, outputs } = plan.transactions[i]!.planned;
    return { txHash, fee, weight, amount: total(destinations), change, inputs: inputs.length, outputs: outputs.length };
  });
  const totalFee = lines.reduce((sum, { fee }) => sum + fee, 0n);
  const warnings: string[] = [];
  if (transactions.some(({ unlockTime }) => unlockTime !== 0n)) warnings.push('unlock-time-not-relayed');
  if (transactions.length > 1) warnings.push('several-transactions');
  if (transactions.some(({ subaddresses }) => subaddresses.length > 1)) warnings.push('links-subaddresses');
  return { id: bytesToHex(ctx.random.bytes(16)), transactions: lines, totalFee, totalAmount: total(lines), warnings };
}
