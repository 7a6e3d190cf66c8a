import type { SendAnswer } from '../../daemon/index.ts';
import type { TxHash } from '../../protocol/index.ts';
import type { WalletEvent } from '../events.ts';
import type { SentTransaction } from '../model.ts';
import { holdOf } from '../outputs.ts';
import { nowSeconds, type SpendContext } from './context.ts';
import { SpendError } from './errors.ts';
import type { Prepared } from './prepare.ts';

/** Why the rest of several transactions is not sent after one failed. */
const NOT_SENT = 'not sent';

/**
 * Sends what was prepared, in turn. Bytes and keys are on the disk before the first byte leaves, and that each is about to
 * leave before it does (T3, T16). Returns the hashes.
 * @throws SpendError `output-not-spendable` when an input was taken meanwhile: nothing is sent; `rejected` with the daemon's reasons;
 *   `perhaps-sent` when no answer came: the chain will tell. `data.sent` lists what was accepted before.
 */
export async function submitPrepared(ctx: SpendContext, prepared: Prepared, signal?: AbortSignal): Promise<TxHash[]> {
  checkInputs(ctx, prepared.transactions);
  const built = prepared.transactions.map((tx): WalletEvent => ({ type: 'TransactionBuilt', tx }));
  const sent: TxHash[] = [];
  for (const [i, tx] of prepared.transactions.entries()) {
    const sending: WalletEvent = { type: 'TransactionSending', txHash: tx.txHash, at: nowSeconds(ctx) };
    await ctx.append(i === 0 ? [...built, sending] : [sending], 'strict');
    const rest = prepared.transactions.slice(i + 1);
    const answer = await send(ctx, tx, rest, sent, signal);
    if (!answer.accepted) await refused(ctx, tx, rest, sent, answer);
    await ctx.append([{ type: 'TransactionAccepted', txHash: tx.txHash, at: nowSeconds(ctx) }], 'strict');
    sent.push(tx.txHash);
  }
  return sent;
}

function checkInputs(ctx: SpendContext, transactions: readonly SentTransaction[]): void {
  for (const keyImage of transactions.flatMap(({ inputs }) => inputs)) {
    const key = ctx.state.byKeyImage.get(keyImage);
    const entry = key === undefined ? undefined : ctx.state.outputs.get(key);
    const hold = entry === undefined ? 'unknown' : holdOf(ctx.state, entry, nowSeconds(ctx));
    if (hold !== undefined) {
      throw new SpendError('output-not-spendable', 'expected the inputs to be free still: prepare the transfer again', { hold });
    }
  }
}

async function send(
  ctx: SpendContext,
  tx: SentTransaction,
  rest: readonly SentTransaction[],
  sent: readonly TxHash[],
  signal: AbortSignal | undefined,
): Promise<SendAnswer> {
  try {
    return await broadcast(ctx, tx, signal);
  } catch (cause) {
    await abandon(ctx, rest);
    const data = { txHash: tx.txHash, sent };
    throw new SpendError('perhaps-sent', 'expected an answer to the transaction: the chain will tell whether it arrived', data, {
      cause,
    });
  }
}

async function broadcast(ctx: SpendContext, tx: SentTransaction, signal: AbortSignal | undefined): Promise<SendAnswer> {
  const answer = await ctx.daemon.sendRawTransaction(tx.blob, signal === undefined ? {} : { signal });
  return answer.check((value) => value);
}

async function refused(
  ctx: SpendContext,
  tx: SentTransaction,
  rest: readonly SentTransaction[],
  sent: readonly TxHash[],
  answer: SendAnswer,
): Promise<never> {
  const reason = answer.reasons.join(', ') || answer.reason || 'refused';
  await ctx.append([{ type: 'TransactionFailed', txHash: tx.txHash, reason, at: nowSeconds(ctx) }], 'strict');
  await abandon(ctx, rest);
  throw new SpendError('rejected', 'expected the daemon to accept the transaction', {
    txHash: tx.txHash,
    reasons: answer.reasons,
    reason: answer.reason,
    sent,
  });
}

/** Frees the inputs of transactions that will not be sent. */
async function abandon(ctx: SpendContext, transactions: readonly SentTransaction[]): Promise<void> {
  if (transactions.length === 0) return;
  const at = nowSeconds(ctx);
  await ctx.append(
    transactions.map(({ txHash }): WalletEvent => ({ type: 'TransactionFailed', txHash, reason: NOT_SENT, at })),
    'strict',
  );
}

/**
 * Sends a transaction of ours again, byte for byte (T3): one that is perhaps sent, or has left the pool. The daemon's answer is
 * returned as it is: a refusal proves nothing about a copy that arrived earlier.
 * @throws SpendError `nothing-prepared` when there is no such transaction; DaemonError when no answer came
 */
export async function rebroadcast(ctx: SpendContext, txHash: TxHash, signal?: AbortSignal): Promise<SendAnswer> {
  const entry = ctx.state.sent.get(txHash);
  if (entry === undefined || entry.phase === 'failed') {
    throw new SpendError('nothing-prepared', 'expected a transaction of ours that has not failed');
  }
  await ctx.append([{ type: 'TransactionSending', txHash, at: nowSeconds(ctx) }], 'strict');
  const answer = await broadcast(ctx, entry.tx, signal);
  if (answer.accepted) await ctx.append([{ type: 'TransactionAccepted', txHash, at: nowSeconds(ctx) }], 'strict');
  return answer;
}
