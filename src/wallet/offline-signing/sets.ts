import { bytesToHex, hexToBytes, wipe } from '../../base/index.ts';
import { type KeyImage, keyInputs, type Transaction, type TxHash, toOutputKey, toTxHash, totalOf } from '../../protocol/index.ts';
import { type PendingTx, signedSetFile, type TxConstruction, type UnsignedTxSet, unsignedSetFile } from '../../wallet2/index.ts';
import { ANY_RATE } from '../spend/fees.ts';
import { type SignedTransaction, sign, signedTransactions } from '../spend/index.ts';
import { verifySigned } from '../spend/verify.ts';
import type { WalletEvent } from '../state/events.ts';
import { matchOutputs } from '../sync/match.ts';
import { destinationsIn } from './claims.ts';
import { readConstruction } from './construction.ts';
import type { OfflineContext } from './context.ts';
import { OfflineSigningError } from './errors.ts';
import { keyImageOf, type Opener, openerOf } from './open-output.ts';
import { importTransfers } from './outputs.ts';
import { transfersOf } from './transfers.ts';

/** A transaction that the cold half has signed. */
export interface OfflineSignedTransaction {
  readonly txHash: TxHash;
  /** Whole, hex. */
  readonly blob: string;
  /** Transaction secret keys, hex, main first: stored by the cold half, not in the file. */
  readonly txKeys: readonly string[];
}

/** The result of signing in the half with the spend key. */
export interface OfflineSignedSet {
  /** Signed set for the view-only half to submit. */
  readonly file: Uint8Array;
  readonly transactions: readonly OfflineSignedTransaction[];
}

/** Placeholder for the transaction key, which the view-only half must not learn. */
const KEPT_BACK = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0));

/**
 * As `sign_transfer`: imports the set's outputs, checks every transaction completely before the first signature, and stores the transaction
 * keys.
 * @throws SpendError `check-failed`; as {@link importOutputs} and {@link readConstruction}
 */
export async function signUnsigned(ctx: OfflineContext, file: Uint8Array): Promise<OfflineSignedSet> {
  const cannotSign = new OfflineSigningError('view-only', 'expected a wallet that holds its spend key');
  if (ctx.keys.spendKey === undefined && ctx.state.multisig === undefined) throw cannotSign;
  const set = await unsignedSetFile.open(file, ctx.keys.viewKey);
  // The reference reads a signer's file of a group before it refuses.
  if (ctx.keys.spendKey === undefined) throw cannotSign;
  const opener = openerOf(ctx, set.outputs);
  const readings = set.transactions.map((construction, i) => ({
    unsigned: readConstruction(opener, construction, i),
    destinations: destinationsIn(construction, ctx.keys.network),
  }));
  await importTransfers(ctx, set);
  const signed = signedTransactions(await sign(ctx, { transactions: readings }));
  for (const [i, { unsigned }] of readings.entries()) verifySigned(unsigned, signed[i]!, ANY_RATE, ctx.keys.viewKey, ctx.random);
  const transactions = signed.map(({ hash, bytes, txKeys }) => ({
    txHash: toTxHash(hash),
    blob: bytesToHex(bytes),
    txKeys: txKeys.map(bytesToHex),
  }));
  await ctx.append(transactions.map(signedEvent), 'strict');
  wipe(...signed.flatMap(({ txKeys }) => txKeys));
  return { file: await sealed(ctx, opener, set, signed), transactions };
}

const signedEvent = ({ txHash, txKeys }: OfflineSignedTransaction): WalletEvent => ({
  type: 'TransactionSigned',
  txHash,
  txKeys,
});

function sealed(
  ctx: OfflineContext,
  opener: Opener,
  set: UnsignedTxSet,
  signed: readonly SignedTransaction[],
): Promise<Uint8Array> {
  const transactions = signed.map((one, i) => pendingOf(set.transactions[i]!, one));
  const keyImages = transfersOf(ctx.state).map(({ keyImage }) => hexToBytes(keyImage ?? '0'.repeat(64)));
  const ownOutputs = signed.flatMap(({ transaction }) => ownOutputsOf(opener, transaction));
  return signedSetFile.seal({ transactions, keyImages, ownOutputs }, ctx.keys.viewKey, ctx.random);
}

function pendingOf(unordered: TxConstruction, { transaction, inputOrder, outputOrder }: SignedTransaction): PendingTx {
  const construction = {
    ...unordered,
    sources: inputOrder.map((i) => unordered.sources[i]!),
    splitDestinations: outputOrder.map((i) => unordered.splitDestinations[i]!),
  };
  return {
    transaction,
    dust: 0n,
    fee: totalOf(unordered.sources) - totalOf(unordered.splitDestinations),
    dustAddedToFee: false,
    change: unordered.change,
    selectedTransfers: unordered.selectedTransfers,
    keyImages: keyImageText(transaction),
    txKey: KEPT_BACK,
    additionalTxKeys: [],
    destinations: unordered.destinations,
    construction,
  };
}

/** A key image as the reference prints it. */
export function keyImageText(transaction: Transaction): string {
  return keyInputs(transaction)
    .map(({ keyImage }) => `<${bytesToHex(keyImage)}> `)
    .join('');
}

/** Outputs to ourselves, with their key images, so that the view-only half sees when they are spent. */
function ownOutputsOf(ctx: Opener, transaction: Transaction): (readonly [Uint8Array, Uint8Array])[] {
  return matchOutputs(transaction, ctx.keys.viewKey, ctx.find).map(({ outputIndex, subaddress, derivation, publicKey }) => {
    const { key } = transaction.outputs[outputIndex]!;
    wipe(derivation);
    const opened = { key: toOutputKey(key), outputIndex, subaddress, txPublicKey: bytesToHex(publicKey) };
    const image: KeyImage = keyImageOf(ctx, opened, outputIndex);
    return [key, hexToBytes(image)] as const;
  });
}
