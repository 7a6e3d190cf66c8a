import { bytesToHex } from '../../base/index.ts';
import { type KeyImage, keyInputs, parseTransaction, type TxHash } from '../../protocol/index.ts';
import type { ChainSpend } from '../model.ts';
import { feeOf } from '../sync/interpret.ts';
import type { ExchangeContext, TrustedDaemon } from './context.ts';
import { ExchangeError } from './errors.ts';

export type SpentStatus = 'unspent' | 'spent' | 'pool';

/** Key images of one question. */
const IMAGES_A_CALL = 1000;
/** Transactions of one question: what restricted daemons serve. */
const TRANSACTIONS_A_CALL = 100;

/**
 * Asks a trusted daemon which key images are spent, then places the spends it can: a transaction of ours that gave change is
 * known to us, and its inputs are read from the daemon. Those without change stay unplaced until a scan meets them.
 * @throws ExchangeError `bad-daemon-answer`; DaemonError
 */
export async function learnSpends(
  ctx: ExchangeContext,
  images: readonly KeyImage[],
  daemon: TrustedDaemon,
): Promise<readonly SpentStatus[]> {
  const statuses: SpentStatus[] = [];
  for (let at = 0; at < images.length; at += IMAGES_A_CALL) {
    const asked = images.slice(at, at + IMAGES_A_CALL);
    const answer = await daemon.isKeyImageSpent(asked);
    statuses.push(...answer.check((value) => requireCount(value, asked.length)));
  }
  const unknown = new Set(images.filter((image, i) => statuses[i] === 'spent' && !isPlaced(ctx, image)));
  if (unknown.size === 0) return statuses;
  const spends = await placeSpends(ctx, unknown, daemon);
  for (const { keyImage } of spends) unknown.delete(keyImage);
  await ctx.append([{ type: 'SpendsLearned', spends, unplaced: [...unknown] }], 'strict');
  return statuses;
}

function requireCount<T>(answers: readonly T[], expected: number): readonly T[] {
  if (answers.length === expected) return answers;
  throw new ExchangeError('bad-daemon-answer', `expected ${expected} answers`, { found: answers.length });
}

function isPlaced({ state }: ExchangeContext, image: KeyImage): boolean {
  const key = state.byKeyImage.get(image);
  return key === undefined || state.outputs.get(key)?.spend !== undefined;
}

async function placeSpends(
  ctx: ExchangeContext,
  unknown: ReadonlySet<KeyImage>,
  daemon: TrustedDaemon,
): Promise<readonly ChainSpend[]> {
  const spends: ChainSpend[] = [];
  const candidates = changeGivers(ctx, unknown);
  for (let at = 0; at < candidates.length; at += TRANSACTIONS_A_CALL) {
    const asked = candidates.slice(at, at + TRANSACTIONS_A_CALL);
    const answer = await daemon.getTransactions(asked, { prune: true });
    const { transactions } = answer.check((value) => value);
    for (const { hash, whole, pruned, height, timestamp } of transactions) {
      const bytes = whole ?? pruned;
      if (bytes === undefined || height === undefined || height >= ctx.state.height) continue;
      const tx = parseTransaction(bytes, { pruned: whole === undefined });
      const place = { txHash: hash, height, timestamp, fee: feeOf(tx), unlockTime: tx.unlockTime };
      for (const input of keyInputs(tx)) {
        const keyImage = bytesToHex(input.keyImage) as KeyImage;
        if (unknown.has(keyImage)) spends.push({ keyImage, ...place });
      }
    }
  }
  return spends;
}

/** Transactions that paid us and are not older than what was spent, in chain order. */
function changeGivers({ state }: ExchangeContext, unknown: ReadonlySet<KeyImage>): TxHash[] {
  let from = Number.POSITIVE_INFINITY;
  for (const image of unknown) from = Math.min(from, state.outputs.get(state.byKeyImage.get(image)!)!.output.height);
  const found: TxHash[] = [];
  for (const [txHash, { outputs }] of state.transactions) {
    const first = outputs[0];
    if (first !== undefined && !first.coinbase && first.height > from) found.push(txHash);
  }
  return found;
}
