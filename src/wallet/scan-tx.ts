import type { DaemonClient } from '../daemon/index.ts';
import { type Height, keyImagesIn, type Transaction, type TxHash } from '../protocol/index.ts';
import type { WalletContext } from './context.ts';
import { WalletError } from './errors.ts';
import { matchOutputs } from './sync/match.ts';
import { transactionOfId } from './sync/transaction-entry.ts';

/** A daemon that was asked for transactions by name: it then knows that they are ours (T24). */
type NamedAsk = Pick<DaemonClient, 'getTransactions'>;

/**
 * Where to begin a scan that finds transactions named by the person: the lowest height of those that pay the wallet or spend from it and that
 * the scan has missed, because they are below its restore height or a daemon left them out. undefined when it has found or will find them
 * anyway. A daemon's lie can only make the wallet scan more.
 * @throws DaemonError; ProtocolError; WalletError `not-found` if the daemon does not give all of them: what it gives instead of one is not
 *   looked at, or a lie would tell the person that the payment is none of theirs; and if one is a secret key of the wallet
 */
export async function heightToScanFrom(
  ctx: Pick<WalletContext, 'state' | 'keys' | 'find' | 'ready'>,
  daemon: NamedAsk,
  hashes: readonly TxHash[],
): Promise<Height | undefined> {
  await ctx.ready();
  const answer = await daemon.getTransactions(hashes, { prune: true });
  const { transactions: known, height: scanned, description } = ctx.state;
  const passedBy = (height: Height): boolean => height < Math.max(scanned, description.restoreHeight);
  return answer.check(({ transactions }) => {
    if (transactions.length < hashes.length) throw notGiven();
    let lowest: Height | undefined;
    for (const entry of transactions) {
      const { hash, height } = entry;
      if (height === undefined || !passedBy(height) || known.has(hash)) continue;
      const tx = transactionOfId(entry);
      if (tx === undefined) throw notGiven();
      if (concerns(ctx, tx)) lowest = Math.min(lowest ?? height, height);
    }
    return lowest;
  });
}

const notGiven = () => new WalletError('not-found', 'expected the daemon to give the transactions that were asked for');

function concerns({ state, keys, find }: Pick<WalletContext, 'state' | 'keys' | 'find'>, tx: Transaction): boolean {
  const spends = keyImagesIn(tx).some((image) => state.byKeyImage.has(image));
  return spends || matchOutputs(tx, keys.viewKey, find).length > 0;
}
