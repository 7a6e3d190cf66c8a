import { hexToBytes } from '../../base/index.ts';
import { type AddressKeys, type OutputKey, sameAddress, toAtomicAmount } from '../../protocol/index.ts';
import { type ExportedTransfer, outputsFile, TRANSFER_FLAGS, type TransfersExport, transferFlags } from '../../wallet2/index.ts';
import type { ImportedOutput } from '../model.ts';
import type { FileOptions } from '../offline-api.ts';
import type { WalletState } from '../state/state.ts';
import type { OfflineContext } from './context.ts';
import { OfflineSigningError } from './errors.ts';
import { keyImageOf, type Opener, openerOf, openOutput } from './open-output.ts';
import { mapInSlices } from './slices.ts';
import { type Transfer, transfersOf } from './transfers.ts';

/** Which outputs to export, and in which form. */
export interface ExportOptions extends FileOptions {
  /** Includes those whose key images are known. */
  readonly all?: boolean | undefined;
  /** Position of the first; needs `all` unless it is 0. */
  readonly start?: number | undefined;
  /** Most outputs, 1 or more; all by default. */
  readonly count?: number | undefined;
}

/**
 * All outputs, or those from the first whose key image the other half has not given yet (`export_outputs`, wallet2.cpp). For releases
 * before 0.18.1.1 the last output is always included: they read an export without outputs as "there are none", and forget those they have.
 * @throws OfflineSigningError `nothing-requested`, `start-without-all`
 */
export function outputsToExport(state: WalletState, options: ExportOptions = {}): TransfersExport {
  const { all = false, start = 0, count = Number.POSITIVE_INFINITY, compat } = options;
  if (count === 0) throw new OfflineSigningError('nothing-requested', 'expected a count of 1 or more');
  if (!all && start > 0) throw new OfflineSigningError('start-without-all', 'expected no start beside outputs that are new');
  const transfers = transfersOf(state);
  const unknown = transfers.findIndex(({ keyImage, requested }) => keyImage === undefined || requested);
  const first = unknown < 0 ? transfers.length : unknown;
  const offset = all ? start : compat === undefined ? first : Math.min(first, Math.max(transfers.length - 1, 0));
  const isSigner = state.multisig !== undefined;
  const exports = transfers.slice(offset, offset + count).map((transfer) => exported(transfer, isSigner));
  return { offset, outputs: exports, total: transfers.length };
}

/** @param isSigner of a group, whose key images are incomplete without the others' parts */
function exported(transfer: Transfer, isSigner: boolean): ExportedTransfer {
  const { spent, frozen, rct, requested } = transfer;
  const known = transfer.keyImage !== undefined;
  return {
    key: hexToBytes(transfer.key),
    outputIndex: BigInt(transfer.outputIndex),
    globalIndex: transfer.globalIndex,
    // The one key that opens the output: the reader needs no other key of its transaction.
    txPublicKey: hexToBytes(transfer.txPublicKey),
    flags: transferFlags({
      ...{ spent, frozen, rct, keyImageKnown: known, keyImageRequested: requested, keyImagePartial: isSigner && !known },
    }),
    amount: transfer.amount,
    additionalPublicKeys: [],
    owner: transfer.subaddress,
  };
}

/** The file that `export_outputs` writes. @throws as {@link outputsToExport} */
export async function exportOutputs(ctx: OfflineContext, options: ExportOptions = {}): Promise<Uint8Array> {
  const run = outputsToExport(ctx.state, options);
  return outputsFile.seal({ account: ctx.keys.primary, ...run }, ctx.keys.viewKey, ctx.random, options.compat);
}

/** Returns how many outputs this wallet then knows; 0 for a file without any, which changes nothing. */
export async function importOutputs(ctx: OfflineContext, file: Uint8Array): Promise<number> {
  return importTransfers(ctx, await openOutputs(ctx, file));
}

/** The outputs in a file of this wallet's other half. @throws OfflineSigningError `other-account` */
export async function openOutputs(ctx: OfflineContext, file: Uint8Array): Promise<TransfersExport> {
  const { account, ...run } = await outputsFile.open(file, ctx.keys.viewKey);
  requireAccount(ctx, account);
  return run;
}

/** @throws OfflineSigningError `other-account` */
export function requireAccount({ keys }: OfflineContext, account: AddressKeys): void {
  if (sameAddress(account, keys.primary)) return;
  throw new OfflineSigningError('other-account', 'expected a file made by this wallet, got one for a different account');
}

/**
 * Keeps known outputs after those of the file, if the file says how many there are in total.
 * @throws OfflineSigningError `view-only`, `missing-outputs`, `outputs-beyond-total`, `not-ours`, and then nothing is imported
 */
export async function importTransfers(ctx: OfflineContext, { offset, outputs, total }: TransfersExport): Promise<number> {
  if (outputs.length === 0) return 0;
  if (ctx.keys.spendKey === undefined) throw new OfflineSigningError('view-only', 'expected a wallet that holds its spend key');
  const known = transfersOf(ctx.state);
  if (offset > known.length) {
    throw new OfflineSigningError('missing-outputs', 'expected no outputs left out: export all of them', {
      offset,
      known: known.length,
    });
  }
  const end = offset + outputs.length;
  if (total !== undefined && end > total) {
    throw new OfflineSigningError('outputs-beyond-total', 'expected no more outputs than there are in all', { end, total });
  }
  const opener = openerOf(ctx, outputs);
  const imported = await mapInSlices(outputs, (output, i) => importedOutput(opener, output, known[offset + i], offset + i));
  const later = knownBehind(ctx.state, end, total);
  await ctx.append([{ type: 'OutputsImported', offset, outputs: [...imported, ...later] }], 'strict');
  return end + later.length;
}

/** Earlier imports of the outputs from `start` on. */
function knownBehind({ imported }: WalletState, start: number, total = start): ImportedOutput[] {
  const behind = imported.slice(start, total);
  const gap = behind.indexOf(undefined);
  return behind.slice(0, gap < 0 ? undefined : gap).flatMap((output) => output ?? []);
}

function importedOutput(
  opener: Opener,
  transfer: ExportedTransfer,
  known: Transfer | undefined,
  position: number,
): ImportedOutput {
  const opened = openOutput(opener, transfer, position);
  const has = (bit: number) => (transfer.flags & bit) !== 0;
  const same = known !== undefined && known.key === opened.key && known.outputIndex === opened.outputIndex;
  // For an output that both halves know, the key image must be requested explicitly; for one that is new here it always is.
  const requested = same && has(TRANSFER_FLAGS.keyImageKnown) ? has(TRANSFER_FLAGS.keyImageRequested) : true;
  return {
    key: opened.key as OutputKey,
    outputIndex: opened.outputIndex,
    globalIndex: transfer.globalIndex,
    amount: toAtomicAmount(transfer.amount),
    rct: has(TRANSFER_FLAGS.rct),
    txPublicKey: opened.txPublicKey,
    subaddress: opened.subaddress,
    keyImage: keyImageOf(opener, opened, position),
    spent: has(TRANSFER_FLAGS.spent),
    frozen: has(TRANSFER_FLAGS.frozen),
    requested: requested,
  };
}
