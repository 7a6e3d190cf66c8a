import { concatBytes } from '../base/index.ts';
import { type AddressKeys, ByteReader, ByteWriter, isProtocolError } from '../protocol/index.ts';
import { readAll, writeAll } from './archive.ts';
import { sealedFile } from './sealed-file.ts';
import { simplify } from './simplify.ts';
import { type Compat, detailedTransfers, exportedTransfers, type TransfersExport } from './transfers.ts';

/** Outputs of a wallet for its other half (`export_outputs`). */
export interface OutputsExport extends TransfersExport {
  /** Public keys of the wallet's primary address. */
  readonly account: AddressKeys;
}

/** The unencrypted export, without its magic. */
export function encodeOutputsExport({ account, ...outputs }: OutputsExport, compat?: Compat): Uint8Array {
  return concatBytes(account.spendKey, account.viewKey, writeAll(exportedTransfers(compat), outputs));
}

/** Reads the current form, that of 0.18.0, and the older one with whole prefixes. @throws ProtocolError */
export function decodeOutputsExport(bytes: Uint8Array): OutputsExport {
  const reader = new ByteReader(bytes);
  const account = { spendKey: reader.key(), viewKey: reader.key() };
  return { account, ...decodeTransfers(bytes.subarray(reader.offset)) };
}

function decodeTransfers(body: Uint8Array): TransfersExport {
  try {
    return readAll(exportedTransfers(), body, 'the exported outputs');
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    try {
      return simplify(readAll(detailedTransfers, body, 'the exported outputs'));
    } catch (older) {
      throw isProtocolError(older) ? error : older;
    }
  }
}

/** The file that `export_outputs` of the command line writes. */
export const outputsFile = sealedFile({ words: 'Monero output export', version: 4 }, encodeOutputsExport, decodeOutputsExport);

/** A key image with the proof that it belongs to its output: a ring signature of one member over the image itself. */
export interface SignedKeyImage {
  /** 32 bytes. */
  readonly keyImage: Uint8Array;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** Key images of a cold wallet for its other half (`export_key_images`). */
export interface KeyImagesExport {
  /** Public keys of the wallet's primary address. */
  readonly account: AddressKeys;
  /** Position of the first among the wallet's outputs, 0 … 2^32−1. */
  readonly offset: number;
  readonly keyImages: readonly SignedKeyImage[];
}

/** The file's unencrypted content: offset, public keys, 96 bytes per key image. */
export function encodeKeyImagesExport({ account, offset, keyImages }: KeyImagesExport): Uint8Array {
  const writer = new ByteWriter(68 + 96 * keyImages.length).u32(offset).key(account.spendKey).key(account.viewKey);
  for (const { keyImage, signature } of keyImages) writer.key(keyImage).fixed(signature, 64);
  return writer.finish();
}

/** @throws ProtocolError `truncated` */
export function decodeKeyImagesExport(bytes: Uint8Array): KeyImagesExport {
  const reader = new ByteReader(bytes);
  const offset = reader.u32();
  const account = { spendKey: reader.key(), viewKey: reader.key() };
  const keyImages: SignedKeyImage[] = [];
  while (reader.remaining > 0) keyImages.push({ keyImage: reader.key(), signature: reader.bytes(64) });
  return { account, offset, keyImages };
}

/** The file that `export_key_images` of the command line writes. */
export const keyImagesFile = sealedFile(
  { words: 'Monero key image export', version: 3 },
  encodeKeyImagesExport,
  decodeKeyImagesExport,
);
