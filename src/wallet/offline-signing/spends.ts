import type { SpentStatus, TransactionEntry } from '../../daemon/index.ts';
import { feeOf, type Height, type KeyImage, keyImagesIn, type TxHash, toAtomicAmount } from '../../protocol/index.ts';
import type { ChainSpend } from '../model.ts';
import { entryOfImage } from '../state/state.ts';
import { transactionOfId } from '../sync/transaction-entry.ts';
import type { OfflineContext, TrustedDaemon } from './context.ts';
import { OfflineSigningError } from './errors.ts';

/**
 * Asks a trusted daemon which key images are spent, then assigns spends to transactions where possible: a transaction of ours with change
 * is known, and its inputs are read from the daemon. Spends without change stay unassigned until a scan finds them.
 * @throws OfflineSigningError `bad-daemon-answer`; DaemonError
 */
export async function learnSpends(
  ctx: Pick<OfflineContext, 'state' | 'append'>,
  images: readonly KeyImage[],
  daemon: TrustedDaemon,
): Promise<readonly SpentStatus[]> {
  const statuses = requireCount((await daemon.isKeyImageSpent(images)).acceptUnverified('spent-status'), images.length);
  const unknown = new Set(images.filter((image, i) => statuses[i] === 'spent' && !isPlaced(ctx, image)));
  if (unknown.size === 0) return statuses;
  const spends = await placeSpends(ctx, unknown, daemon);
  for (const { keyImage } of spends) unknown.delete(keyImage);
  await ctx.append([{ type: 'SpendsLearned', spends, unplaced: [...unknown] }], 'strict');
  return statuses;
}

/**
 * Asks a trusted daemon which of the wallet's outputs are spent (`rescan_spent`). A refused payment whose inputs it calls unspent is given
 * up: until then later payments spend an input of it, so that not both can be mined.
 * @throws OfflineSigningError `bad-daemon-answer`; DaemonError
 */
export async function rescanSpent(ctx: Pick<OfflineContext, 'state' | 'append'>, daemon: TrustedDaemon): Promise<void> {
  const { byKeyImage, refused, sent } = ctx.state;
  const images = [...byKeyImage.keys()];
  if (images.length === 0) return;
  const statuses = await learnSpends(ctx, images, daemon);
  const unspent = new Set(images.filter((_, i) => statuses[i] === 'unspent'));
  const settled = [...refused].filter((txHash) => sent.get(txHash)!.tx.inputs.every((image) => unspent.has(image)));
  const events = settled.map((txHash) => ({ type: 'RefusalSettled', txHash }) as const);
  await ctx.append(events, 'strict');
}

function requireCount<T>(answers: readonly T[], expected: number): readonly T[] {
  if (answers.length === expected) return answers;
  throw new OfflineSigningError('bad-daemon-answer', `expected ${expected} answers`, { found: answers.length });
}

function isPlaced({ state }: Pick<OfflineContext, 'state'>, image: KeyImage): boolean {
  const entry = entryOfImage(state, image);
  return entry === undefined || entry.spend !== undefined;
}

async function placeSpends(
  ctx: Pick<OfflineContext, 'state' | 'append'>,
  unknown: ReadonlySet<KeyImage>,
  daemon: TrustedDaemon,
): Promise<readonly ChainSpend[]> {
  const answer = await daemon.getTransactions(changeGivers(ctx, unknown), { prune: true });
  return answer.check(({ transactions }) => transactions.flatMap((entry) => spendsIn(entry, unknown, ctx.state.height)));
}

function spendsIn(entry: TransactionEntry, unknown: ReadonlySet<KeyImage>, scannedTo: Height): readonly ChainSpend[] {
  const { hash: txHash, height, timestamp } = entry;
  const tx = height === undefined || height >= scannedTo ? undefined : transactionOfId(entry);
  if (height === undefined || tx === undefined) return [];
  const place = { txHash, height, timestamp, fee: toAtomicAmount(feeOf(tx)), unlockTime: tx.unlockTime };
  const spent = keyImagesIn(tx).filter((keyImage) => unknown.has(keyImage));
  return spent.map((keyImage) => ({ keyImage, ...place }));
}

/** Transactions that paid us and are not older than the spent outputs, in chain order. */
function changeGivers({ state }: Pick<OfflineContext, 'state'>, unknown: ReadonlySet<KeyImage>): TxHash[] {
  let from = Number.POSITIVE_INFINITY;
  for (const image of unknown) from = Math.min(from, entryOfImage(state, image)!.output.height);
  const found: TxHash[] = [];
  for (const [txHash, { outputs }] of state.transactions) {
    const first = outputs[0];
    if (first !== undefined && !first.coinbase && first.height > from) found.push(txHash);
  }
  return found;
}
