import { bytesToHex, equalBytes, hexToBytes, secondsOf } from '../../base/index.ts';
import { generateKeyDerivation, isInMainSubgroup } from '../../crypto/index.ts';
import {
  absoluteOffsets,
  encryptPaymentId,
  feeOf,
  type KeyImage,
  keyImagesIn,
  keyInputs,
  type Network,
  type OutputKey,
  parseExtra,
  parseTransaction,
  paymentIdOf,
  readAddress,
  serializeTransaction,
  type TxHash,
  toAtomicAmount,
  toKeyImage,
  toOutputKey,
  toTxHash,
  transactionHash,
  transactionWeight,
} from '../../protocol/index.ts';
import { decodeTxMetadata, encodeTxMetadata, type PendingTx, type SignedTxSet, signedSetFile } from '../../wallet2/index.ts';
import type { KeyedImage, SentTransaction } from '../model.ts';
import { type PaymentPlan, type SpendContext, sendAgain, sendChecked, type UnsignedPaymentPart } from '../spend/index.ts';
import type { WalletEvent } from '../state/events.ts';
import type { WalletState } from '../state/state.ts';
import { areKeysOf, destinationsIn, realMember, requireTrueClaims } from './claims.ts';
import { changeOf, constructionOf } from './construction.ts';
import type { OfflineContext } from './context.ts';
import { OfflineSigningError } from './errors.ts';
import { keyImageText } from './sets.ts';
import { positionsOf, type Transfer, transfersOf } from './transfers.ts';

const NO_KEY_IMAGE = new Uint8Array(32);
/** The scalars 0 and 1, which a signer writes in place of the transaction key. */
const KEPT_BACK = ['00'.repeat(32), `01${'00'.repeat(31)}`];

/** As `submit_transfer`: imports the key images, then sends the transactions one by one, including those sent before. */
export async function submitSigned(ctx: OfflineContext, spend: SpendContext, file: Uint8Array): Promise<readonly TxHash[]> {
  const set = await signedSetFile.open(file, ctx.keys.viewKey);
  const transactions = set.transactions.map((pending) => sentTransactionOf(ctx, pending));
  for (const [i, pending] of set.transactions.entries()) requireTrueClaims(ctx, pending, i);
  await importSignedImages(ctx, set);
  const fresh = transactions.filter(({ txHash }) => !isSentOrMined(ctx.state, txHash));
  await thawInputs(ctx, fresh);
  for (const { txHash } of transactions) await resendPending(ctx, spend, txHash);
  await sendChecked(spend, fresh);
  return transactions.map(({ txHash }) => txHash);
}

/** Whether the daemon has accepted the transaction or a block holds it. */
export const isSentOrMined = ({ sent, transactions }: WalletState, txHash: TxHash): boolean =>
  transactions.has(txHash) || sent.get(txHash)?.phase === 'accepted';

/** Sends again transactions that were sent before and are not mined yet. @throws SpendError `rejected`, `perhaps-sent` */
export async function resendPending(
  { state }: Pick<OfflineContext, 'state'>,
  spend: SpendContext,
  txHash: TxHash,
): Promise<void> {
  const entry = state.sent.get(txHash);
  if (entry?.phase === 'accepted' && !state.transactions.has(txHash)) await sendAgain(spend, entry.tx);
}

/** Thaws the coins that were frozen while the file was out. The reference needs no thawing here either. */
async function thawInputs({ state, append }: OfflineContext, transactions: readonly SentTransaction[]): Promise<void> {
  const keys = transactions.flatMap(({ inputs }) => inputs.flatMap((image) => state.byKeyImage.get(image) ?? []));
  const thawed = keys.filter((key) => state.frozen.has(key)).map((key): WalletEvent => ({ type: 'Thawed', key }));
  await append(thawed, 'strict');
}

/**
 * Imports key images into a view-only wallet. The file is from the cold half and is believed, except for outputs with a proven key image,
 * and for key images of other outputs.
 */
export async function importSignedImages(ctx: OfflineContext, set: SignedTxSet): Promise<void> {
  const { keyImages, ownOutputs } = set;
  const transfers = transfersOf(ctx.state);
  if (keyImages.length > transfers.length) {
    throw new OfflineSigningError('too-many-key-images', 'expected no more key images than this wallet has outputs', {
      keyImages: keyImages.length,
      known: transfers.length,
    });
  }
  if (ctx.keys.spendKey !== undefined) return;
  const events: WalletEvent[] = [
    { type: 'KeyImagesImported', images: unclaimed(ctx.state, [...spentImages(ctx, set), ...newImages(transfers, keyImages)]) },
    { type: 'KeyImagesForetold', images: unclaimed(ctx.state, predicted(ctx, ownOutputs)) },
  ];
  const nonEmpty = events.filter((event) => 'images' in event && event.images.length > 0);
  await ctx.append(nonEmpty, 'strict');
}

/** Omits key images that are known or claimed for another output. */
function unclaimed({ byKeyImage }: WalletState, images: readonly KeyedImage[]): KeyedImage[] {
  const claimed = new Map<KeyImage, OutputKey>();
  return images.filter(({ key, keyImage }) => {
    const owner = byKeyImage.get(keyImage) ?? claimed.get(keyImage) ?? key;
    claimed.set(keyImage, owner);
    return owner === key;
  });
}

function newImages(transfers: readonly Transfer[], keyImages: readonly Uint8Array[]): KeyedImage[] {
  return keyImages.flatMap((image, position) => {
    const { key, keyImage: known, requested } = transfers[position]!;
    const keyImage = toKeyImage(image);
    if (equalBytes(image, NO_KEY_IMAGE) || (known !== undefined && !requested)) return [];
    if (!isInMainSubgroup(image)) {
      throw new OfflineSigningError('bad-key-image', 'expected a key image in the prime subgroup', { position });
    }
    return [{ key, keyImage }];
  });
}

/**
 * Key images of the outputs that the set spends: its inputs are in the order of its sources. The list by position may lack them if the cold
 * half has forgotten outputs; without them the spends could not be recognised.
 */
function spentImages({ state }: OfflineContext, { transactions }: SignedTxSet): KeyedImage[] {
  return transactions.flatMap(({ transaction, construction }) =>
    keyInputs(transaction).flatMap(({ keyImage, keyOffsets }, i) => {
      const source = construction.sources[i];
      const ring = source?.outputs.map(({ globalIndex }) => globalIndex);
      if (source === undefined || String(ring) !== String(absoluteOffsets(keyOffsets))) return [];
      const key = toOutputKey(realMember(source).key);
      const known = state.outputs.get(key)?.output;
      if (known === undefined || known.keyImage !== undefined || !isInMainSubgroup(keyImage)) return [];
      return [{ key, keyImage: toKeyImage(keyImage) }];
    }),
  );
}

/** Key images that the set announces for outputs which are not on the chain yet. */
function predicted({ state }: OfflineContext, outputs: SignedTxSet['ownOutputs']): KeyedImage[] {
  return outputs
    .filter(([, image]) => isInMainSubgroup(image))
    .map(([key, image]) => ({ key: toOutputKey(key), keyImage: toKeyImage(image) }))
    .filter(({ key }) => state.outputs.get(key)?.output.keyImage === undefined);
}

/** Converts a pending transaction of the reference to ours, before it is sent. @throws OfflineSigningError `contradictory-set`, `empty-set` */
export function sentTransactionOf(ctx: OfflineContext, pending: PendingTx): SentTransaction {
  const { transaction, construction, change } = pending;
  const inputs = keyImagesIn(transaction);
  if (inputs.length === 0) throw new OfflineSigningError('empty-set', 'expected a transaction with inputs');
  const proofs = transaction.version === 1 ? transaction.signatures : transaction.prunable;
  if (proofs === undefined) throw new OfflineSigningError('contradictory-set', 'expected a whole transaction');
  const txKeys = [pending.txKey, ...pending.additionalTxKeys].map(bytesToHex);
  const keptBack = KEPT_BACK.includes(txKeys[0]!);
  if (!keptBack && !areKeysOf(pending))
    throw new OfflineSigningError('contradictory-set', 'expected the keys of the transaction');
  const { network } = ctx.keys;
  return {
    txHash: toTxHash(transactionHash(transaction)),
    blob: bytesToHex(serializeTransaction(transaction)),
    txKeys: keptBack ? [] : txKeys,
    destinations: destinationsIn(pending, network),
    change: toAtomicAmount(change.amount),
    changeAddress: { major: construction.account, minor: 0 },
    fee: toAtomicAmount(feeOf(transaction)),
    weight: transactionWeight(transaction),
    inputs,
    account: construction.account,
    subaddresses: construction.subaddresses,
    paymentId: integratedId(pending, network) ?? (keptBack ? undefined : encryptedId(pending)),
    unlockTime: transaction.unlockTime,
    builtAt: secondsOf(ctx.clock),
  };
}

/** Payment id of the integrated address among the destinations. */
function integratedId({ destinations }: PendingTx, network: Network): string | undefined {
  for (const { original, isIntegrated } of destinations) {
    const id = isIntegrated ? readAddress(original, network)?.paymentId : undefined;
    if (id !== undefined) return bytesToHex(id);
  }
  return undefined;
}

/**
 * The encrypted payment id of a sweep, whose destination the reference stores without it (`get_payment_id`, wallet2.cpp): read from the
 * transaction.
 */
function encryptedId({ transaction, destinations, txKey }: PendingTx): string | undefined {
  const [receiver, ...others] = destinations;
  const id = paymentIdOf(parseExtra(transaction.extra).fields);
  if (receiver === undefined || id?.kind !== 'encrypted') return undefined;
  if (others.some(({ viewKey }) => !equalBytes(viewKey, receiver.viewKey))) return undefined;
  const shared = generateKeyDerivation(receiver.viewKey, txKey);
  const bytes = shared && encryptPaymentId(id.bytes, shared);
  return bytes?.some((byte) => byte !== 0) ? bytesToHex(bytes) : undefined;
}

/**
 * Metadata in the form of `get_tx_metadata`, for `relay_tx` of any wallet with the same keys. Contains transaction keys: for the owner
 * only.
 */
export function txMetadata(
  ctx: Pick<OfflineContext, 'state' | 'keys'>,
  plan: PaymentPlan,
  transactions: readonly SentTransaction[],
): Uint8Array[] {
  const positions = positionsOf(ctx.state);
  return transactions.map((sent, i) => encodeTxMetadata(pendingOf(ctx, sent, plan.transactions[i]!, positions)));
}

function pendingOf(
  ctx: Pick<OfflineContext, 'keys'>,
  sent: SentTransaction,
  part: UnsignedPaymentPart,
  positions: ReadonlyMap<OutputKey, number>,
): PendingTx {
  const transaction = parseTransaction(hexToBytes(sent.blob));
  const { unsigned } = part;
  const construction = constructionOf({ ...part, network: ctx.keys.network, positions });
  const byImage = new Map(unsigned.inputs.map(({ output }) => [output.keyImage, positions.get(output.key)!]));
  const selectedTransfers = sent.inputs.map((image) => byImage.get(image)!);
  const [txKey, ...additionalTxKeys] = sent.txKeys.map(hexToBytes);
  return {
    transaction,
    dust: 0n,
    fee: sent.fee,
    // The reference sets it for every transaction of version 1, whose dust goes to the fee; ours have no dust.
    dustAddedToFee: unsigned.version === 1,
    change: changeOf(part),
    selectedTransfers,
    keyImages: keyImageText(transaction),
    txKey: txKey!,
    additionalTxKeys,
    destinations: construction.destinations,
    construction: { ...construction, selectedTransfers, extra: transaction.extra },
  };
}

/**
 * The hash of the transaction in a metadata blob if it was sent or mined before; otherwise undefined. @throws ProtocolError, Wallet2Error
 */
export function hashIfSent(state: WalletState, metadata: Uint8Array): TxHash | undefined {
  const hash = toTxHash(transactionHash(decodeTxMetadata(metadata).transaction));
  return isSentOrMined(state, hash) ? hash : undefined;
}

/** As `relay_tx`. @throws ProtocolError, Wallet2Error for anything but metadata; as {@link sentTransactionOf} and {@link sendChecked} */
export async function relayMetadata(ctx: OfflineContext, spend: SpendContext, metadata: Uint8Array): Promise<TxHash> {
  const sent = sentTransactionOf(ctx, decodeTxMetadata(metadata));
  await sendChecked(spend, [sent]);
  return sent.txHash;
}
