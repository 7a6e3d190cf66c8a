import { decodeAddress, isProtocolError, type Network, type OutputKey } from '../../protocol/index.ts';
import { signedSetFile, type TxConstruction, unsignedSetFile } from '../../wallet2/index.ts';
import type { SentTransaction, SubaddressIndex } from '../model.ts';
import type { SetReview, SignedReview } from '../offline-api.ts';
import { isSpent } from '../projection/index.ts';
import type { WalletState } from '../state/state.ts';
import { realKeys, realMember, requireTrueClaims } from './claims.ts';
import { readConstruction } from './construction.ts';
import type { OfflineContext } from './context.ts';
import { reviewOfSet } from './describe.ts';
import { OfflineSigningError } from './errors.ts';
import { type Opener, openerOf, openOutput } from './open-output.ts';
import { sentTransactionOf } from './submit.ts';

/** Review of an unsigned set. A view-only wallet shows what it wrote; one that can sign checks every claim first. */
export async function reviewUnsigned(ctx: OfflineContext, file: Uint8Array): Promise<SetReview> {
  const { transactions, outputs } = await unsignedSetFile.open(file, ctx.keys.viewKey);
  const opener = openerOf(ctx, outputs);
  const review = reviewOf(opener, transactions);
  if (ctx.keys.spendKey !== undefined) {
    for (const [i, construction] of transactions.entries()) readConstruction(opener, construction, i);
  }
  requireUnspent(ctx.state, transactions.flatMap(realKeys));
  return review;
}

/**
 * Review of a signed set. The amounts are checked against the transactions: inputs less fee and change must be what the set claims to pay.
 * Only the signer knows to whom.
 */
export async function reviewSigned(ctx: OfflineContext, file: Uint8Array): Promise<SignedReview> {
  const { transactions } = await signedSetFile.open(file, ctx.keys.viewKey);
  const constructions = transactions.map(({ construction }) => construction);
  const review = reviewOf(ctx, constructions);
  const sent = transactions.map((pending) => sentTransactionOf(ctx, pending));
  for (const transaction of sent) requireNew(ctx.state, transaction);
  requireUnspent(ctx.state, constructions.flatMap(realKeys));
  for (const [i, pending] of transactions.entries()) requireTrueClaims(ctx, pending, i);
  return { ...review, txHashes: sent.map(({ txHash }) => txHash) };
}

function reviewOf(ctx: Opener, transactions: readonly TxConstruction[]): SetReview {
  const { network } = ctx.keys;
  if (transactions.length === 0) throw new OfflineSigningError('empty-set', 'expected transactions');
  for (const { splitDestinations } of transactions) {
    for (const { original } of splitDestinations) requireNetwork(original, network);
  }
  return reviewOfSet(transactions, network, (construction, i) => spentFrom(ctx, construction, i));
}

/** Subaddresses whose outputs are spent together. @throws OfflineSigningError `not-ours` */
function spentFrom(ctx: Opener, { sources }: TxConstruction, index: number): SubaddressIndex[] {
  return sources.map((source) => openOutput(ctx, { ...source, key: realMember(source).key }, index).subaddress);
}

/** Keys are the same on all networks; only the address text shows for which one the set was made. */
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
    if (entry !== undefined && isSpent(state, entry))
      throw new OfflineSigningError('already-spent', 'expected outputs that are not spent');
  }
}

function requireNew(state: WalletState, { txHash }: SentTransaction): void {
  const known = state.sent.get(txHash);
  if (state.transactions.has(txHash) || (known !== undefined && known.phase !== 'failed')) {
    throw new OfflineSigningError('already-sent', 'expected transactions that were not sent', { txHash });
  }
}
