import { latin1ToBytes } from '../../base/index.ts';
import { type ByteWriter, writeBytes } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import type { StorageArray, StorageEntry, StorageObject } from './values.ts';
import { ARRAY_FLAG, NUMBERS, type NumberForm, STORAGE_HEADER, TYPE_CODES } from './wire.ts';

/**
 * Writes a portable storage document, byte for byte like the reference (portable_storage_to_bin.h): fields sorted by name.
 * @throws ProtocolError `bad-structure` for a name that is empty or longer than 254 bytes, `out-of-range` for a number that does not fit its type
 */
export function encodePortableStorage(root: StorageObject): Uint8Array<ArrayBuffer> {
  return writeBytes(8192, (writer) => writeObject(writer.bytes(STORAGE_HEADER), root));
}

function byName([a]: [string, StorageEntry], [b]: [string, StorageEntry]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function writeObject(writer: ByteWriter, object: StorageObject): void {
  const entries = [...object.entries].sort(byName);
  writeCount(writer, entries.length);
  for (const [name, entry] of entries) {
    const bytes = latin1ToBytes(name);
    if (bytes.length === 0 || bytes.length > 254) {
      throw new ProtocolError('bad-structure', `expected a field name of 1 to 254 bytes, got ${bytes.length}`);
    }
    writer.u8(bytes.length).bytes(bytes);
    writeEntry(writer, entry);
  }
}

function writeEntry(writer: ByteWriter, entry: StorageEntry): void {
  // An array is marked only by the flag on its element type.
  if (entry.type === 'array') {
    writeArray(writer, entry.value);
    return;
  }
  writer.u8(TYPE_CODES[entry.type]);
  switch (entry.type) {
    case 'string':
      writeString(writer, entry.value);
      return;
    case 'object':
      writeObject(writer, entry.value);
      return;
    case 'bool':
      writer.u8(entry.value ? 1 : 0);
      return;
    case 'double':
      writer.f64(entry.value);
      return;
    default: {
      const form = NUMBERS[entry.type];
      form.write(writer, integerFor(form, entry.value));
    }
  }
}

function writeArray(writer: ByteWriter, array: StorageArray): void {
  writer.u8(TYPE_CODES[array.of] | ARRAY_FLAG);
  writeCount(writer, array.items.length);
  switch (array.of) {
    case 'string':
      for (const item of array.items) writeString(writer, item);
      return;
    case 'object':
      for (const item of array.items) writeObject(writer, item);
      return;
    case 'array':
      for (const item of array.items) writeArray(writer, item);
      return;
    case 'uint8':
    case 'bool':
      writer.bytes(array.items);
      return;
    default:
      for (const item of array.items) NUMBERS[array.of].write(writer, item);
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

function integerFor({ low, high }: NumberForm, value: number | bigint): number | bigint {
  if (value >= low && value <= high && (typeof value === 'bigint' || Number.isInteger(value))) return value;
  throw new ProtocolError('out-of-range', `expected an integer in ${low} … ${high}`);
}
