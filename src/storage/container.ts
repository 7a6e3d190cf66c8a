import { crc32 } from '../base/index.ts';
import { damagedError, type StorageError } from './errors.ts';
import { HEADER_PREAMBLE, headerLength } from './seal/header.ts';

/**
 * The bytes of a wallet as a file: the header, then each sealed record after a frame of twelve bytes (its length, a checksum of length and
 * position, a checksum of the record). Files on disk and backups have the same bytes.
 */
export const FRAME_BYTES = 12;
/** Most bytes of a sealed record. */
const MAX_RECORD = 1 << 30;
/** Bytes that a disk writes atomically; some disks write several such blocks at once. */
const SECTOR = 512;
/** How far to look for later records after a broken frame: bytes, and number of positions. */
const LOOK_AHEAD = { bytes: 1 << 22, positions: 4096 };

/** A sealed record with its frame. @param position of the record, from 0 */
export function frame(position: number, record: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(FRAME_BYTES + record.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, record.length, true);
  view.setUint32(4, lengthCheck(record.length, position), true);
  view.setUint32(8, crc32(record), true);
  bytes.set(record, FRAME_BYTES);
  return bytes;
}

/** Frames have a checksum of their own, so that a changed length is damage and never looks like a torn end. */
function lengthCheck(length: number, position: number): number {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, length, true);
  view.setUint32(4, position, true);
  return crc32(bytes);
}

/** A journal's file or backup, split into its parts, which are still sealed. */
export interface Container {
  readonly header: Uint8Array;
  readonly records: readonly Uint8Array[];
  /** Bytes up to the end of the last complete record. What follows is the torn end of a write that was never acknowledged. */
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
 * Splits a file into header and records (views into it). A last record that is shorter than its frame says, or has parts that were never
 * written (zeros), is left out; everything else that does not match is damage.
 * @throws StorageError `damaged`, `newer-version`
 */
export function splitContainer(bytes: Uint8Array): Container {
  const { damage, ...container } = readContainer(bytes);
  if (damage !== undefined) throw damage;
  return container;
}

/**
 * As {@link splitContainer}, up to the first damaged record: returns what precedes it, and the damage.
 * @throws StorageError `damaged` for a truncated header, `newer-version`
 */
export function readContainer(bytes: Uint8Array): Container & { readonly damage: StorageError | undefined } {
  const end = headerLength(bytes.subarray(0, HEADER_PREAMBLE));
  if (bytes.length < end) throw damagedError(-1, `${end} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: Uint8Array[] = [];
  let damage: StorageError | undefined;
  let at = end;
  while (bytes.length - at >= FRAME_BYTES) {
    const length = view.getUint32(at, true);
    if (view.getUint32(at + 4, true) !== lengthCheck(length, records.length) || length > MAX_RECORD) {
      const isTorn =
        isZero(bytes.subarray(at + 8)) || (hasHole(bytes, at, at + FRAME_BYTES) && !isFollowed(bytes, at, records.length));
      if (!isTorn) damage = damagedError(records.length, 'the checksum of its length to match');
      break;
    }
    const start = at + FRAME_BYTES;
    if (bytes.length - start < length) break;
    const record = bytes.subarray(start, start + length);
    if (view.getUint32(at + 8, true) !== crc32(record)) {
      const isTorn = start + length === bytes.length && (isZero(record.subarray(-16)) || hasHole(bytes, at, bytes.length));
      if (!isTorn) damage = damagedError(records.length, 'its checksum to match');
      break;
    }
    records.push(record);
    at = start + length;
  }
  return { header: bytes.subarray(0, end), records, length: at, damage };
}

/**
 * Whether a sector of the record that begins `at` was not written before the power failed: it then reads as zeros, which sealed bytes do
 * not. A disk writes the sectors of a record in any order.
 * @param end of the bytes to look at
 */
function hasHole(bytes: Uint8Array, at: number, end: number): boolean {
  for (let sector = at - (at % SECTOR); sector < end; sector += SECTOR) {
    if (isZero(bytes.subarray(Math.max(sector, at), sector + SECTOR))) return true;
  }
  return false;
}

/**
 * Whether the frame of a later record follows a broken one: then that one was synced, and was lost since. Positions can be recovered
 * because the checksum is linear in them.
 */
function isFollowed(bytes: Uint8Array, at: number, position: number): boolean {
  const none = lengthCheck(0, 0);
  const later = new Set(Array.from({ length: LOOK_AHEAD.positions }, (_, i) => (lengthCheck(0, position + 1 + i) ^ none) >>> 0));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = Math.min(bytes.length, at + LOOK_AHEAD.bytes) - FRAME_BYTES;
  for (let frame = at + 1; frame <= end; frame++) {
    const length = view.getUint32(frame, true);
    if (length === 0 || frame + FRAME_BYTES + length > bytes.length) continue;
    if (later.has((view.getUint32(frame + 4, true) ^ lengthCheck(length, 0)) >>> 0)) return true;
  }
  return false;
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
