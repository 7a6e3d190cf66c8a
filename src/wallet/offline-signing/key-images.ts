import { bytesToHex, hexToBytes, wipe } from '../../base/index.ts';
import { checkRingSignature, generateKeyImage, generateRingSignature, isInMainSubgroup } from '../../crypto/index.ts';
import type { SpentStatus } from '../../daemon/index.ts';
import { type KeyImage, toKeyImage } from '../../protocol/index.ts';
import { keyImagesFile, type SignedKeyImage } from '../../wallet2/index.ts';
import type { ImportedKeyImages } from '../offline-api.ts';
import { unscannedNoted } from '../projection/index.ts';
import type { OfflineContext, TrustedDaemon } from './context.ts';
import { OfflineSigningError } from './errors.ts';
import { secretOf } from './open-output.ts';
import { requireAccount } from './outputs.ts';
import { mapInSlices } from './slices.ts';
import { learnSpends } from './spends.ts';
import { type Transfer, transfersOf } from './transfers.ts';

/** Key images with the position of the first. */
export interface ExportedKeyImages {
  readonly offset: number;
  readonly keyImages: readonly SignedKeyImage[];
}

/** `export_key_images`, wallet2.cpp. @throws OfflineSigningError `view-only`, `one-of-several`, `not-ours` */
export async function exportKeyImages(ctx: OfflineContext, all = false): Promise<ExportedKeyImages> {
  const transfers = transfersOf(ctx.state);
  const first = all ? 0 : transfers.findIndex(({ requested }) => requested);
  const offset = first < 0 ? transfers.length : first;
  // Without outputs to export no spend key is needed.
  if (offset < transfers.length) requireWholeSpendKey(ctx);
  const keyImages = await mapInSlices(transfers.slice(offset), (transfer, i) => signedKeyImage(ctx, transfer, offset + i));
  return { offset, keyImages };
}

/** @throws OfflineSigningError `view-only`, `one-of-several` */
function requireWholeSpendKey({ keys, state }: OfflineContext): void {
  if (state.multisig !== undefined) throw new OfflineSigningError('one-of-several', 'expected a wallet of one owner');
  if (keys.spendKey === undefined) throw new OfflineSigningError('view-only', 'expected a wallet that holds its spend key');
}

function signedKeyImage(ctx: OfflineContext, transfer: Transfer, position: number): SignedKeyImage {
  const secret = secretOf(ctx, transfer, position);
  const key = hexToBytes(transfer.key);
  const keyImage = generateKeyImage(key, secret);
  const [signature] = generateRingSignature(keyImage, keyImage, [key], secret, 0, ctx.random);
  wipe(secret);
  return { keyImage, signature: signature! };
}

/** As the file that `export_key_images` of the command line writes. */
export async function exportKeyImagesFile(ctx: OfflineContext, all = false): Promise<Uint8Array> {
  const run = await exportKeyImages(ctx, all);
  return keyImagesFile.seal({ account: ctx.keys.primary, ...run }, ctx.keys.viewKey, ctx.random);
}

/** Without a daemon, only a scan finds which are spent. Nothing is imported unless all signatures are valid. */
export async function importKeyImages(
  ctx: OfflineContext,
  { offset, keyImages }: ExportedKeyImages,
  daemon: TrustedDaemon | undefined,
): Promise<Omit<ImportedKeyImages, 'count'>> {
  const transfers = transfersOf(ctx.state);
  if (offset > transfers.length) {
    throw new OfflineSigningError('missing-outputs', 'expected an offset within the known outputs', {
      offset,
      known: transfers.length,
    });
  }
  if (keyImages.length > transfers.length - offset) {
    throw new OfflineSigningError(
      'too-many-key-images',
      'expected no more key images than this wallet has outputs: it has seen less',
      {
        keyImages: keyImages.length,
        known: transfers.length,
      },
    );
  }
  if (keyImages.length === 0 && offset === 0) return { height: 0, spent: 0n, unspent: 0n, scanFrom: undefined };
  const signedFor = transfers.slice(offset, offset + keyImages.length);
  await mapInSlices(keyImages, (signed, i) => checkKeyImage(signedFor[i]!, signed, offset + i));
  const images = keyImages.map(({ keyImage }) => toKeyImage(keyImage));
  await ctx.append(
    [{ type: 'KeyImagesImported', images: signedFor.map(({ key }, i) => ({ key, keyImage: images[i]! })) }],
    'strict',
  );
  const statuses = daemon === undefined ? undefined : await learnSpends(ctx, images, daemon);
  const found = summary(ctx, transfers.slice(0, offset), signedFor, images, statuses);
  const open = unscannedNoted(ctx.state, found.scanFrom, statuses !== undefined && offset === 0);
  await ctx.append(open, 'strict');
  return found;
}

/**
 * Reads the file that `export_key_images` of the command line writes; {@link importKeyImages} checks the signatures.
 * @throws OfflineSigningError `other-account`; Wallet2Error; ProtocolError
 */
export async function openKeyImages(ctx: OfflineContext, file: Uint8Array): Promise<ExportedKeyImages> {
  const { account, offset, keyImages } = await keyImagesFile.open(file, ctx.keys.viewKey);
  requireAccount(ctx, account);
  return { offset, keyImages };
}

/** A known key image needs no proof. */
function checkKeyImage(transfer: Transfer, { keyImage, signature }: SignedKeyImage, position: number): void {
  if (transfer.keyImage === bytesToHex(keyImage)) return;
  if (!isInMainSubgroup(keyImage)) {
    throw new OfflineSigningError('bad-key-image', 'expected a key image in the prime subgroup', { position });
  }
  if (!checkRingSignature(keyImage, keyImage, [hexToBytes(transfer.key)], [signature])) {
    throw new OfflineSigningError('bad-signature', 'expected a signature by the owner of the output', {
      position,
      key: transfer.key,
    });
  }
}

function summary(
  ctx: OfflineContext,
  before: readonly Transfer[],
  transfers: readonly Transfer[],
  images: readonly KeyImage[],
  statuses: readonly SpentStatus[] | undefined,
): Omit<ImportedKeyImages, 'count'> {
  let spent = 0n;
  let unspent = 0n;
  const count = (transfer: Transfer, isSpent: boolean) => {
    if (transfer.frozen) return;
    if (isSpent) spent += transfer.amount;
    else unspent += transfer.amount;
  };
  for (const transfer of before) count(transfer, transfer.spent);
  transfers.forEach((transfer, i) => {
    count(transfer, statuses === undefined ? transfer.spent : statuses[i] !== 'unspent');
  });
  const unsure = transfers.filter(({ keyImage, height }, i) => {
    if (height === 0) return false;
    return statuses === undefined ? keyImage !== images[i] : ctx.state.unplacedSpends.has(images[i]!);
  });
  const scanFrom =
    unsure.length === 0 ? undefined : unsure.reduce((low, { height }) => Math.min(low, height), Number.MAX_SAFE_INTEGER);
  return { height: (transfers.at(-1) ?? before.at(-1))?.height ?? 0, spent, unspent, scanFrom };
}
