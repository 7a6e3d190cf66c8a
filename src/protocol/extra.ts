import { bytesToHex } from '../base/index.ts';
import { keccak256 } from '../crypto/index.ts';
import { ByteReader, ByteWriter, writeBytes } from './bytes.ts';
import { isProtocolError, ProtocolError } from './errors.ts';

/** tx_extra as the reference reads and writes it (tx_extra.h, cryptonote_format_utils.cpp). */

const TAG_PADDING = 0x00;
const TAG_PUB_KEY = 0x01;
const TAG_NONCE = 0x02;
const TAG_MERGE_MINING = 0x03;
const TAG_ADDITIONAL_PUB_KEYS = 0x04;
const TAG_MINERGATE = 0xde;

const NONCE_PAYMENT_ID = 0x00;
const NONCE_ENCRYPTED_PAYMENT_ID = 0x01;

const MAX_PADDING = 255;
const MAX_NONCE = 255;
const ENCRYPTED_PAYMENT_ID_TAIL = Uint8Array.of(0x8d);

/** A field of tx_extra by its tag (`tx_extra_field`, tx_extra.h). */
export type ExtraField =
  /** Zeros up to the end; `size` counts the tag. 1 … 255. */
  | { readonly type: 'padding'; readonly size: number }
  /** The transaction's public key R, 32 bytes. */
  | { readonly type: 'pubKey'; readonly key: Uint8Array }
  /** Up to 255 free bytes, usually a payment id after a tag byte. */
  | { readonly type: 'nonce'; readonly nonce: Uint8Array }
  | { readonly type: 'mergeMining'; readonly depth: bigint; readonly merkleRoot: Uint8Array }
  /** One public key per output, 32 bytes each; there may be too few. */
  | { readonly type: 'additionalPubKeys'; readonly keys: readonly Uint8Array[] }
  /** Field of unknown meaning, written by the software of one mining pool. */
  | { readonly type: 'minergate'; readonly data: Uint8Array };

/** A parsed tx_extra: its fields, and the bytes that could not be parsed (T10). */
export interface ParsedExtra {
  readonly fields: readonly ExtraField[];
  /** Unreadable bytes from the first broken field to the end; empty when all was read. */
  readonly remainder: Uint8Array;
}

/** Reads fields up to the end or the first broken one; those before it still count. Never throws. */
export function parseExtra(extra: Uint8Array): ParsedExtra {
  const reader = new ByteReader(extra);
  const fields: ExtraField[] = [];
  let good = 0;
  try {
    while (reader.remaining > 0) {
      fields.push(readField(reader));
      good = reader.offset;
    }
  } catch (error) {
    if (!isProtocolError(error)) throw error;
  }
  return { fields, remainder: extra.slice(good) };
}

function readField(reader: ByteReader): ExtraField {
  const tag = reader.u8();
  switch (tag) {
    case TAG_PADDING:
      return readPadding(reader);
    case TAG_PUB_KEY:
      return { type: 'pubKey', key: reader.key() };
    case TAG_NONCE: {
      const nonce = reader.bytes(reader.count(1));
      if (nonce.length > MAX_NONCE) throw new ProtocolError('bad-length', `expected a nonce of at most ${MAX_NONCE} bytes`);
      return { type: 'nonce', nonce };
    }
    case TAG_MERGE_MINING: {
      const inner = new ByteReader(reader.bytes(reader.count(1)));
      const field: ExtraField = { type: 'mergeMining', depth: inner.varint(), merkleRoot: inner.key() };
      inner.expectEnd('the merge mining field');
      return field;
    }
    case TAG_ADDITIONAL_PUB_KEYS:
      return { type: 'additionalPubKeys', keys: reader.keys(reader.count(32)) };
    case TAG_MINERGATE:
      return { type: 'minergate', data: reader.bytes(reader.count(1)) };
    default:
      throw new ProtocolError('unknown-tag', `expected a field of tx_extra, got tag ${tag}`, { tag });
  }
}

/** Padding has no length: it must be the last field, all zeros, and short. */
function readPadding(reader: ByteReader): ExtraField {
  const size = reader.remaining + 1;
  if (size > MAX_PADDING) throw new ProtocolError('bad-length', `expected at most ${MAX_PADDING} bytes of padding`);
  if (reader.bytes(size - 1).some((byte) => byte !== 0)) throw new ProtocolError('bad-structure', 'expected padding of zeros');
  return { type: 'padding', size };
}

/** Serializes fields in the given order. @throws ProtocolError `bad-length` for a nonce above 255 bytes or a key that does not have 32 */
export function serializeExtra(fields: readonly ExtraField[]): Uint8Array<ArrayBuffer> {
  return writeBytes(128, (writer) => {
    for (const field of fields) writeField(writer, field);
  });
}

function writeField(writer: ByteWriter, field: ExtraField): void {
  switch (field.type) {
    case 'padding':
      writer.bytes(new Uint8Array(field.size));
      return;
    case 'pubKey':
      writer.u8(TAG_PUB_KEY).key(field.key);
      return;
    case 'nonce':
      if (field.nonce.length > MAX_NONCE) throw new ProtocolError('bad-length', `expected a nonce of at most ${MAX_NONCE} bytes`);
      writer.u8(TAG_NONCE).varint(field.nonce.length).bytes(field.nonce);
      return;
    case 'mergeMining': {
      const inner = new ByteWriter(48).varint(field.depth).key(field.merkleRoot).finish();
      writer.u8(TAG_MERGE_MINING).varint(inner.length).bytes(inner);
      return;
    }
    case 'additionalPubKeys':
      writer.u8(TAG_ADDITIONAL_PUB_KEYS).varint(field.keys.length).keys(field.keys);
      return;
    case 'minergate':
      writer.u8(TAG_MINERGATE).varint(field.data.length).bytes(field.data);
      return;
  }
}

/** Payment id in a nonce. */
export type PaymentId =
  /** 8 bytes, encrypted for the receiver. */
  | { readonly kind: 'encrypted'; readonly bytes: Uint8Array }
  /** 32 bytes in the clear, as old transactions have. */
  | { readonly kind: 'clear'; readonly bytes: Uint8Array };

/** Parts of tx_extra to build. */
export interface ExtraParts {
  /** The transaction's public key R, 32 bytes. */
  readonly pubKey: Uint8Array;
  /** One per output where subaddresses require it, otherwise none. */
  readonly additionalPubKeys?: readonly Uint8Array[];
  readonly paymentId?: PaymentId | undefined;
}

/** The tx_extra of our own transactions, with the reference's fields in its order (T21). */
export function buildExtra(parts: ExtraParts): Uint8Array<ArrayBuffer> {
  const fields: ExtraField[] = [{ type: 'pubKey', key: parts.pubKey }];
  const additional = parts.additionalPubKeys ?? [];
  if (additional.length > 0) fields.push({ type: 'additionalPubKeys', keys: additional });
  if (parts.paymentId !== undefined) fields.push({ type: 'nonce', nonce: paymentIdNonce(parts.paymentId) });
  return serializeExtra(fields);
}

/** The nonce that carries a payment id: 9 or 33 bytes. */
export function paymentIdNonce({ kind, bytes }: PaymentId): Uint8Array<ArrayBuffer> {
  const [tag, size] = kind === 'encrypted' ? [NONCE_ENCRYPTED_PAYMENT_ID, 8] : [NONCE_PAYMENT_ID, 32];
  return new ByteWriter(33).u8(tag).fixed(bytes, size).finish();
}

/** All transaction public keys in order, without duplicates; any of them may pay us. */
export function txPublicKeys(fields: readonly ExtraField[]): Uint8Array[] {
  const seen = new Set<string>();
  const keys: Uint8Array[] = [];
  for (const field of fields) {
    if (field.type !== 'pubKey') continue;
    const id = bytesToHex(field.key);
    if (!seen.has(id)) keys.push(field.key);
    seen.add(id);
  }
  return keys;
}

/** The additional keys of the first such field, one per output; empty without one. */
export function additionalPublicKeys(fields: readonly ExtraField[]): readonly Uint8Array[] {
  for (const field of fields) if (field.type === 'additionalPubKeys') return field.keys;
  return [];
}

/** The payment id in the first nonce, if it contains one. */
export function paymentIdOf(fields: readonly ExtraField[]): PaymentId | undefined {
  const nonce = fields.find((field) => field.type === 'nonce')?.nonce;
  if (nonce?.length === 33 && nonce[0] === NONCE_PAYMENT_ID) return { kind: 'clear', bytes: nonce.slice(1) };
  if (nonce?.length === 9 && nonce[0] === NONCE_ENCRYPTED_PAYMENT_ID) return { kind: 'encrypted', bytes: nonce.slice(1) };
  return undefined;
}

/**
 * Encrypts or decrypts (it is its own inverse) an 8-byte payment id with the derivation 8·r·A = 8·a·R, 32 bytes
 * (device_default.cpp, encrypt_payment_id).
 */
export function encryptPaymentId(paymentId: Uint8Array, derivation: Uint8Array): Uint8Array {
  if (paymentId.length !== 8) throw new ProtocolError('bad-length', `expected a payment id of 8 bytes, got ${paymentId.length}`);
  const mask = keccak256(derivation, ENCRYPTED_PAYMENT_ID_TAIL);
  return paymentId.map((byte, i) => byte ^ mask[i]!);
}
