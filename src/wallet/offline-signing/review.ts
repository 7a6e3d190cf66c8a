import { decodeAddress, isProtocolError, type Network, type OutputKey, totalOf } from '../../protocol/index.ts';
import { openSignedTxSet, openUnsignedTxSet, type TxConstruction } from '../../wallet2/index.ts';
import type { SentTransaction } from '../model.ts';
import type { SetReview, SignedReview } from '../offline-api.ts';
import { warningsOf } from '../spend/index.ts';
import { indexKey, type WalletState } from '../state/state.ts';
import { realKeys, realMember, requireTrueWords } from './claims.ts';
import { readConstruction } from './construction.ts';
import type { OfflineContext } from './context.ts';
import { describeSet, recipientsOf } from './describe.ts';
import { OfflineSigningError } from './errors.ts';
import { type Opener, openerOf, openOutput } from './open-output.ts';
import { sentOf } from './submit.ts';

/**
 * What a set to sign would do, for a person to say yes to. A wallet that can sign checks every word of it first, as signing does; a
 * view-only one shows what it wrote.
 * @throws Wallet2Error, ProtocolError for a file that cannot be read; OfflineSigningError as `readConstruction` and `describeSet`, `empty-set`,
 *   `wrong-network`, `already-spent`
 */
export async function reviewUnsigned(ctx: OfflineContext, file: Uint8Array): Promise<SetReview> {
  const { transactions, outputs } = await openUnsignedTxSet(file, ctx.keys.viewKey);
  const opener = openerOf(ctx, outputs);
  const review = reviewOf(opener, transactions);
  if (ctx.keys.spendKey !== undefined) {
    for (const [i, construction] of transactions.entries()) readConstruction(opener, construction, i);
  }
  requireUnspent(ctx.state, transactions.flatMap(realKeys));
  return review;
}

/**
 * What a signed set would do, for a person to send or not. The amounts that leave are those of the transactions themselves: what they
 * take, less the fee and what comes back, must be what the set says is paid. To whom, only the signer knows.
 * @throws Wallet2Error, ProtocolError for a file that cannot be read; OfflineSigningError `empty-set`, `wrong-network`, `already-sent`,
 *   `already-spent`, `not-ours`, `contradictory-set` and those of `describeSet`
 */
export async function reviewSigned(ctx: OfflineContext, file: Uint8Array): Promise<SignedReview> {
  const { transactions } = await openSignedTxSet(file, ctx.keys.viewKey);
  const constructions = transactions.map(({ construction }) => construction);
  const review = reviewOf(ctx, constructions);
  const sent = transactions.map((pending) => sentOf(ctx, pending));
  for (const transaction of sent) requireNew(ctx.state, transaction);
  requireUnspent(ctx.state, constructions.flatMap(realKeys));
  for (const [i, pending] of transactions.entries()) requireTrueWords(ctx, pending, i);
  return { ...review, txHashes: sent.map(({ txHash }) => txHash) };
}

function reviewOf(ctx: Opener, transactions: readonly TxConstruction[]): SetReview {
  const { network } = ctx.keys;
  if (transactions.length === 0) throw new OfflineSigningError('empty-set', 'expected transactions');
  for (const { splitDestinations } of transactions) {
    for (const { original } of splitDestinations) requireNetwork(original, network);
  }
  const described = describeSet(transactions, network);
  const recipients = recipientsOf(described);
  const { fee, changeAmount } = described.summary;
  const warnings = warningsOf({
    transactions: transactions.length,
    isLocked: transactions.some(({ unlockTime }) => unlockTime !== 0n),
    linksSubaddresses: transactions.some((construction, i) => spentFrom(ctx, construction, i).size > 1),
    fee,
    amount: totalOf(recipients),
  });
  return { recipients, fee, change: changeAmount, transactions: transactions.length, warnings };
}

/** Subaddresses whose outputs are spent together, as `major/minor` (T11). @throws OfflineSigningError `not-ours` */
function spentFrom(ctx: Opener, { sources }: TxConstruction, index: number): ReadonlySet<string> {
  const opened = sources.map((source) => openOutput(ctx, { ...source, key: realMember(source).key }, index));
  return new Set(opened.map(({ subaddress }) => indexKey(subaddress)));
}

/** Keys are the same on all networks; only the address as it was written tells for which one the set was made. */
function requireNetwork(address: string, network: Network): void {
  if (address === '') return;
  try {
    decodeAddress(address, network);
  } catch (error) {
    if (!isProtocolError(error) || error.code !== 'wrong-network') return;
    throw new OfflineSigningError('wrong-network', `expected addresses of ${network}`, { ...error.data });
  }
}

function requireUnspent(state: WalletState, keys: readonly OutputKey[]): void {
  for (const key of keys) {
    const entry = state.outputs.get(key);
    const image = entry?.output.keyImage;
    const taken =
      entry?.spend !== undefined ||
      (image !== undefined && (state.unplacedSpends.has(image) || state.committed.has(image) || state.pool.spends.has(image)));
    if (taken) throw new OfflineSigningError('already-spent', 'expected outputs that are not spent');
  }
}

function requireNew(state: WalletState, { txHash }: SentTransaction): void {
  const known = state.sent.get(txHash);
  if (state.transactions.has(txHash) || (known !== undefined && known.phase !== 'failed')) {
    throw new OfflineSigningError('already-sent', 'expected transactions that were not sent', { txHash });
  }
}
