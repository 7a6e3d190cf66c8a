import { bytesToHex, secondsOf, wipe } from '../../base/index.ts';
import { DaemonError, isDaemonError, type SendAnswer, wasNotProcessed } from '../../daemon/index.ts';
import { type KeyImage, type TxHash, toAtomicAmount, toTxHash } from '../../protocol/index.ts';
import type { SentTransaction } from '../model.ts';
import type { WalletEvent } from '../state/events.ts';
import type { WalletState } from '../state/state.ts';
import { holdOfImage } from './coins.ts';
import type { SpendContext } from './context.ts';
import { SpendError } from './errors.ts';
import type { PaymentPlan, PlannedTransaction } from './plan.ts';
import { reportStage } from './progress.ts';
import { subaddressesOf } from './review.ts';
import type { SignedTransaction } from './unsigned.ts';
import { requireNewOutputs, requireNewTxKeys } from './used-keys.ts';
import { verifySigned } from './verify.ts';

/** The parts of a wallet that the check needs. */
type CheckContext = Pick<SpendContext, 'state' | 'keys' | 'random' | 'clock' | 'progress'>;

/**
 * Checks signed transactions against the plan and a node's rules, from their bytes alone. It is the first half of a payment's fifth step,
 * the last that can refuse. Transaction keys are copied out and wiped. Nothing is sent.
 * @throws SpendError `check-failed` with what was expected; the signal's reason
 */
export async function checkSigned(
  ctx: CheckContext,
  plan: PaymentPlan,
  signed: readonly SignedTransaction[],
  signal?: AbortSignal,
): Promise<readonly SentTransaction[]> {
  const checked: SentTransaction[] = [];
  const of = plan.transactions.length;
  for (const [i, transaction] of plan.transactions.entries()) {
    await reportStage(ctx, 'checking', signal, { number: i + 1, of });
    checked.push(checkOne(ctx, plan, transaction, signed[i]!));
  }
  return checked;
}

function checkOne(
  ctx: CheckContext,
  { rate, account }: PaymentPlan,
  planned: PlannedTransaction,
  signed: SignedTransaction,
): SentTransaction {
  const { unsigned, destinations, change } = planned;
  const { inputs, fee, paymentId, unlockTime } = unsigned;
  const weight = verifySigned(unsigned, signed, rate, ctx.keys.viewKey, ctx.random);
  if (weight !== planned.weight) throw new SpendError('check-failed', 'expected the weight that was planned', { weight });
  const txHash = toTxHash(signed.hash);
  requireNewOutputs(ctx.state, signed.transaction, txHash);
  const txKeys = signed.txKeys.map(bytesToHex);
  wipe(...signed.txKeys);
  return {
    txHash,
    blob: bytesToHex(signed.bytes),
    txKeys,
    destinations,
    change,
    changeAddress: { major: account, minor: 0 },
    fee: toAtomicAmount(fee),
    weight,
    inputs: signed.inputOrder.map((i) => inputs[i]!.output.keyImage),
    account,
    subaddresses: subaddressesOf(planned),
    paymentId: paymentId === undefined ? undefined : bytesToHex(paymentId),
    unlockTime,
    builtAt: secondsOf(ctx.clock),
  };
}

/**
 * Sends checked transactions one after the other. Bytes, keys and the intent to send are on the disk before each is sent (T3, T16); those
 * after a failure are not sent and reserve no outputs. Returns the hashes.
 * @throws SpendError `output-not-spendable` when another transaction took an input meanwhile, `check-failed` for transaction keys that were
 *   used before: nothing is sent; `rejected` with the daemon's reasons; `perhaps-sent` when no answer came, or could not be written down:
 *   the chain will show. `data.sent` lists what was accepted before. DaemonError with `data.txHash` when the daemon did not read the first
 *   one.
 */
export function sendChecked(ctx: SpendContext, transactions: readonly SentTransaction[]): Promise<TxHash[]> {
  return ctx.leaving.run(() => sendInTurn(ctx, transactions));
}

async function sendInTurn(ctx: SpendContext, transactions: readonly SentTransaction[]): Promise<TxHash[]> {
  requireFree(ctx, transactions);
  requireNewTxKeys(ctx.state, transactions);
  const sent: TxHash[] = [];
  const of = transactions.length;
  for (const tx of transactions) {
    const { txHash } = tx;
    ctx.progress?.({ stage: 'sending', number: sent.length + 1, of });
    const leaving: WalletEvent[] = [
      { type: 'TransactionBuilt', tx },
      { type: 'TransactionSending', txHash, at: secondsOf(ctx.clock) },
    ];
    await ctx.append(leaving, 'strict').catch((cause: unknown) => {
      throw sent.length === 0 ? cause : unwritten(sent.at(-1)!, sent, cause);
    });
    const answer = await (sent.length === 0 ? sendFirst(ctx, tx) : send(ctx, tx, sent));
    if (!answer.accepted) throw await refused(ctx, tx, sent, answer);
    sent.push(txHash);
    // It was paid, even if there is no space to write that down; the chain will show it again.
    await ctx.append([{ type: 'TransactionAccepted', txHash, at: secondsOf(ctx.clock) }], 'strict').catch(() => undefined);
  }
  return sent;
}

function requireFree(ctx: SpendContext, transactions: readonly SentTransaction[]): void {
  for (const { txHash, inputs } of transactions) {
    for (const keyImage of inputs) {
      const hold = holdOfImage(ctx, keyImage);
      if (hold === undefined || waitsAlready(ctx.state, keyImage, txHash)) continue;
      throw new SpendError('output-not-spendable', 'expected the inputs to be free still: prepare the transfer again', { hold });
    }
  }
}

/** Whether the transaction that spends an input is this one, already sent by somebody else. */
const waitsAlready = ({ pool, committed }: WalletState, keyImage: KeyImage, txHash: TxHash): boolean =>
  pool.spends.get(keyImage) === txHash && !committed.has(keyImage);

async function send(ctx: SpendContext, { txHash, blob }: SentTransaction, sent: readonly TxHash[]): Promise<SendAnswer> {
  try {
    return (await ctx.daemon.sendRawTransaction(blob)).acceptUnverified('send-answer');
  } catch (cause) {
    const message = 'expected an answer to the transaction: the chain will tell whether it arrived';
    throw new SpendError('perhaps-sent', message, { txHash, sent }, cause);
  }
}

/**
 * Sends the first transaction of a payment: if the daemon did not read it, it reserves no inputs. Later ones are to follow one that was
 * sent.
 */
async function sendFirst(ctx: SpendContext, tx: SentTransaction): Promise<SendAnswer> {
  const { txHash } = tx;
  try {
    return await send(ctx, tx, []);
  } catch (error) {
    const cause = error instanceof SpendError ? error.cause : undefined;
    if (!isDaemonError(cause) || !wasNotProcessed(cause)) throw error;
    const events: WalletEvent[] = [{ type: 'TransactionFailed', txHash, reason: 'not sent', at: secondsOf(ctx.clock) }];
    // That there was no connection is certain; anything else is the daemon's word, and treated like a refusal.
    if (cause.code === 'unreachable') events.push({ type: 'RefusalSettled', txHash });
    await ctx.append(events, 'strict').catch((full: unknown) => {
      throw unwritten(txHash, [], full);
    });
    throw new DaemonError(cause.code, cause.message, { ...cause.data, txHash }, cause);
  }
}

async function refused(
  ctx: SpendContext,
  { txHash }: SentTransaction,
  sent: readonly TxHash[],
  { reasons, reason }: SendAnswer,
): Promise<SpendError> {
  const words = reasons.join(', ') || reason || 'refused';
  try {
    await ctx.append([{ type: 'TransactionFailed', txHash, reason: words, at: secondsOf(ctx.clock) }], 'strict');
  } catch (cause) {
    return unwritten(txHash, sent, cause);
  }
  return new SpendError('rejected', 'expected the daemon to accept the transaction', { txHash, reasons, reason, sent });
}

/** Error for a journal that fails after a transaction was sent: a person who only sees a full disk would pay again. */
function unwritten(txHash: TxHash, sent: readonly TxHash[], cause: unknown): SpendError {
  return new SpendError(
    'perhaps-sent',
    'expected room to write down what became of it: the chain will tell',
    { txHash, sent },
    cause,
  );
}

/**
 * Sends an earlier transaction again, byte for byte: the daemon's pool may have dropped it. A refusal changes nothing, because it proves
 * nothing about the first copy.
 * @throws SpendError `rejected`, `perhaps-sent`
 */
export async function sendAgain(ctx: SpendContext, tx: SentTransaction): Promise<void> {
  const { txHash } = tx;
  const { accepted, reasons, reason } = await send(ctx, tx, []);
  if (!accepted) throw new SpendError('rejected', 'expected the daemon to accept the transaction', { txHash, reasons, reason });
}

/**
 * Gives up transactions of older journals that were built and never sent: their inputs are free again, their rings stay. Nothing writes
 * `TransactionBuilt` without `TransactionSending` any more.
 * @param at unix seconds
 */
export function unsentGivenUp({ sent }: WalletState, at: number): WalletEvent[] {
  const unsent = [...sent.values()].filter(({ phase }) => phase === 'built');
  return unsent.map(({ tx }) => ({ type: 'TransactionFailed', txHash: tx.txHash, reason: 'not sent', at }));
}
