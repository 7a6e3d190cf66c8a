import { latin1ToBytes } from '../../base/index.ts';
import { ByteWriter } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import type { StorageArray, StorageEntry, StorageObject } from './values.ts';
import { ARRAY_FLAG, STORAGE_HEADER, TYPE_CODES } from './wire.ts';

/** `sorted`: by name, byte by byte, as the reference writes. `given`: in the order of the object's entries. */
export type FieldOrder = 'sorted' | 'given';

/**
 * Writes a portable storage document, byte for byte as the reference (portable_storage_to_bin.h).
 * @throws ProtocolError `bad-structure` for a name that is empty or longer than 254 bytes, `out-of-range` for a number that does not fit its type
 */
export function encodePortableStorage(root: StorageObject, order: FieldOrder = 'sorted'): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(8192);
  writer.bytes(STORAGE_HEADER);
  writeObject(writer, root, order);
  return writer.finish();
}

function byName([a]: [string, StorageEntry], [b]: [string, StorageEntry]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function writeObject(writer: ByteWriter, object: StorageObject, order: FieldOrder): void {
  const entries = [...object.entries];
  if (order === 'sorted') entries.sort(byName);
  writeCount(writer, entries.length);
  for (const [name, entry] of entries) {
    const bytes = latin1ToBytes(name);
    if (bytes.length === 0 || bytes.length > 254) {
      throw new ProtocolError('bad-structure', `expected a field name of 1 to 254 bytes, got ${bytes.length}`);
    }
    writer.u8(bytes.length).bytes(bytes);
    writeEntry(writer, entry, order);
  }
}

function writeEntry(writer: ByteWriter, entry: StorageEntry, order: FieldOrder): void {
  // An array is announced by the flag on its element type alone.
  if (entry.type === 'array') {
    writeArray(writer, entry.value, order);
    return;
  }
  writer.u8(TYPE_CODES[entry.type]);
  switch (entry.type) {
    case 'string':
      writeString(writer, entry.value);
      return;
    case 'object':
      writeObject(writer, entry.value, order);
      return;
    case 'bool':
      writer.u8(entry.value ? 1 : 0);
      return;
    case 'int64':
      writer.i64(inRange(entry.value, -(2n ** 63n), 2n ** 63n - 1n));
      return;
    case 'uint64':
      writer.u64(inRange(entry.value, 0n, 2n ** 64n - 1n));
      return;
    case 'double':
      writer.f64(entry.value);
      return;
    case 'int32':
      writer.u32(inRange(entry.value, -(2 ** 31), 2 ** 31 - 1));
      return;
    case 'uint32':
      writer.u32(inRange(entry.value, 0, 2 ** 32 - 1));
      return;
    case 'int16':
      writer.u16(inRange(entry.value, -(2 ** 15), 2 ** 15 - 1));
      return;
    case 'uint16':
      writer.u16(inRange(entry.value, 0, 2 ** 16 - 1));
      return;
    case 'int8':
      writer.u8(inRange(entry.value, -128, 127));
      return;
    case 'uint8':
      writer.u8(inRange(entry.value, 0, 255));
      return;
  }
}

function writeArray(writer: ByteWriter, array: StorageArray, order: FieldOrder): void {
  writer.u8(TYPE_CODES[array.of] | ARRAY_FLAG);
  writeCount(writer, array.items.length);
  switch (array.of) {
    case 'string':
      for (const item of array.items) writeString(writer, item);
      return;
    case 'object':
      for (const item of array.items) writeObject(writer, item, order);
      return;
    case 'array':
      for (const item of array.items) writeArray(writer, item, order);
      return;
    case 'uint64':
      for (const item of array.items) writer.u64(item);
      return;
    case 'int64':
      for (const item of array.items) writer.i64(item);
      return;
    case 'double':
      for (const item of array.items) writer.f64(item);
      return;
    case 'uint32':
    case 'int32':
      for (const item of array.items) writer.u32(item);
      return;
    case 'uint16':
    case 'int16':
      for (const item of array.items) writer.u16(item);
      return;
    case 'int8':
      for (const item of array.items) writer.u8(item);
      return;
    case 'uint8':
    case 'bool':
      writer.bytes(array.items);
      return;
  }
}

function writeString(writer: ByteWriter, bytes: Uint8Array): void {
  writeCount(writer, bytes.length);
  writer.bytes(bytes);
}

function writeCount(writer: ByteWriter, count: number): void {
  if (count <= 63) writer.u8(count << 2);
  else if (count <= 16_383) writer.u16((count << 2) | 1);
  else if (count <= 1_073_741_823) writer.u32(((count << 2) | 2) >>> 0);
  else writer.u64((BigInt(count) << 2n) | 3n);
}

function inRange<T extends number | bigint>(value: T, low: T, high: T): T {
  if (value >= low && value <= high && (typeof value === 'bigint' || Number.isInteger(value))) return value;
  throw new ProtocolError('out-of-range', `expected an integer in ${low} … ${high}`);
}
