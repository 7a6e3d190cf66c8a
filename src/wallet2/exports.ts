import { asciiToBytes, concatBytes, equalBytes } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import type { AddressKeys } from '../protocol/address.ts';
import { ByteReader, ByteWriter } from '../protocol/bytes.ts';
import { isProtocolError } from '../protocol/errors.ts';
import { readAll, writeAll } from './archive.ts';
import { decryptWithSecret, encryptWithSecret } from './cipher.ts';
import { Wallet2Error } from './errors.ts';
import { simplify } from './simplify.ts';
import { type Compat, detailedTransfers, type ExportedTransfer, exportedTransfers, type ToldTransfers } from './transfers.ts';

const OUTPUTS_MAGIC = { words: 'Monero output export', version: 4 } as const;
const KEY_IMAGES_MAGIC = { words: 'Monero key image export', version: 3 } as const;

type Magic = typeof OUTPUTS_MAGIC | typeof KEY_IMAGES_MAGIC;

const magicBytes = ({ words, version }: Magic): Uint8Array => concatBytes(asciiToBytes(words), Uint8Array.of(version));

/** Outputs of a wallet for its other half (`export_outputs`). */
export interface OutputsExport {
  /** Public keys of the wallet's primary address. */
  readonly account: AddressKeys;
  /** Position of the first of `outputs` among the wallet's outputs. */
  readonly offset: number;
  readonly outputs: readonly ExportedTransfer[];
  /** How many outputs the wallet has in all, where the file says it: it may tell them in parts. */
  readonly total?: number | undefined;
}

/** The export in clear, behind its magic. */
export function encodeOutputsExport({ account, offset, outputs, total }: OutputsExport, compat?: Compat): Uint8Array {
  return concatBytes(account.spendKey, account.viewKey, writeAll(exportedTransfers(compat), [offset, outputs, total]));
}

/** Reads today's form, that of 0.18.0 and the older one with whole prefixes. @throws ProtocolError */
export function decodeOutputsExport(bytes: Uint8Array): OutputsExport {
  const reader = new ByteReader(bytes);
  const account = { spendKey: reader.key(), viewKey: reader.key() };
  const body = bytes.subarray(reader.offset);
  const [offset, outputs, total] = decodeTransfers(body);
  return { account, offset, outputs, total };
}

function decodeTransfers(body: Uint8Array): ToldTransfers {
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

/** @param viewKey secret view key, 32 bytes */
export async function sealOutputsExport(
  outputs: OutputsExport,
  viewKey: Uint8Array,
  random: Random,
  compat?: Compat,
): Promise<Uint8Array> {
  return concatBytes(magicBytes(OUTPUTS_MAGIC), await encryptWithSecret(encodeOutputsExport(outputs, compat), viewKey, random));
}

/** @throws Wallet2Error `bad-magic`, `unsupported-version`, `not-authentic`; ProtocolError */
export async function openOutputsExport(file: Uint8Array, viewKey: Uint8Array): Promise<OutputsExport> {
  return decodeOutputsExport(await decryptWithSecret(behindMagic(file, OUTPUTS_MAGIC), viewKey));
}

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

/** The file's content in clear: offset, public keys, 96 bytes a key image. */
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

/** The file `export_key_images` of the command line writes. @param viewKey secret view key, 32 bytes */
export async function sealKeyImagesExport(images: KeyImagesExport, viewKey: Uint8Array, random: Random): Promise<Uint8Array> {
  return concatBytes(magicBytes(KEY_IMAGES_MAGIC), await encryptWithSecret(encodeKeyImagesExport(images), viewKey, random));
}

/** @throws Wallet2Error `bad-magic`, `unsupported-version`, `not-authentic`; ProtocolError */
export async function openKeyImagesExport(file: Uint8Array, viewKey: Uint8Array): Promise<KeyImagesExport> {
  return decodeKeyImagesExport(await decryptWithSecret(behindMagic(file, KEY_IMAGES_MAGIC), viewKey));
}

function behindMagic(file: Uint8Array, { words, version }: Magic): Uint8Array {
  const expected = asciiToBytes(words);
  if (!equalBytes(file.subarray(0, expected.length), expected)) {
    throw new Wallet2Error('bad-magic', `expected a file that begins with "${words}"`, { expected: words });
  }
  const found = file[expected.length] ?? 0;
  if (found !== version) {
    throw new Wallet2Error('unsupported-version', `expected version ${version} of the export`, { version: found });
  }
  return file.subarray(expected.length + 1);
}
