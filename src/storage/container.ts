import { crc32 } from '../base/index.ts';
import { damaged, type StorageError } from './errors.ts';
import { HEADER_PREAMBLE, headerLength } from './seal/header.ts';

/**
 * The bytes of a wallet as a file: the header, then each sealed record behind a frame of twelve bytes (its length, a checksum
 * of the length and the position, a checksum of the record). Files on disk and backups are the same bytes.
 */
export const FRAME = 12;
/** A record's sealed bytes at most. */
const MAX_RECORD = 1 << 30;

/** A sealed record behind its frame. @param position of the record, from 0 */
export function frame(position: number, record: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(FRAME + record.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, record.length, true);
  view.setUint32(4, lengthCheck(record.length, position), true);
  view.setUint32(8, crc32(record), true);
  bytes.set(record, FRAME);
  return bytes;
}

/** Frames are checked apart from records, so that a changed length is damage and never looks like a torn end. */
function lengthCheck(length: number, position: number): number {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, length, true);
  view.setUint32(4, position, true);
  return crc32(bytes);
}

/** A journal's file or backup, cut into its parts. Nothing in it is opened yet. */
export interface Container {
  readonly header: Uint8Array;
  readonly records: readonly Uint8Array[];
  /** Bytes up to the end of the last whole record. What lies behind is the torn end of a write that was never acknowledged. */
  readonly length: number;
}

/** A header and sealed records as one file. */
export function joinContainer(header: Uint8Array, records: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const framed = records.map((record, position) => frame(position, record));
  const whole = new Uint8Array(framed.reduce((sum, { length }) => sum + length, header.length));
  whole.set(header);
  let at = header.length;
  for (const bytes of framed) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}

/**
 * Cuts a file into header and records (views into it). An end that is shorter than its frame says, or was never written
 * (zeros), is left out; everything else that does not match is damage.
 * @throws StorageError `damaged`, `newer-version`
 */
export function splitContainer(bytes: Uint8Array): Container {
  const { damage, ...container } = readContainer(bytes);
  if (damage !== undefined) throw damage;
  return container;
}

/**
 * As {@link splitContainer}, up to the first damaged record: what comes before it is there, and the damage is said.
 * @throws StorageError `damaged` for a header that is cut short, `newer-version`
 */
export function readContainer(bytes: Uint8Array): Container & { readonly damage: StorageError | undefined } {
  const end = headerLength(bytes.subarray(0, HEADER_PREAMBLE));
  if (bytes.length < end) throw damaged(-1, `${end} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: Uint8Array[] = [];
  let damage: StorageError | undefined;
  let at = end;
  while (bytes.length - at >= FRAME) {
    const length = view.getUint32(at, true);
    if (view.getUint32(at + 4, true) !== lengthCheck(length, records.length) || length > MAX_RECORD) {
      if (!isZero(bytes.subarray(at + 8))) damage = damaged(records.length, 'the checksum of its length to match');
      break;
    }
    const start = at + FRAME;
    if (bytes.length - start < length) break;
    const record = bytes.subarray(start, start + length);
    if (view.getUint32(at + 8, true) !== crc32(record)) {
      if (start + length !== bytes.length || !isZero(record.subarray(-16)))
        damage = damaged(records.length, 'its checksum to match');
      break;
    }
    records.push(record);
    at = start + length;
  }
  return { header: bytes.subarray(0, end), records, length: at, damage };
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
