import type { ByteReader, ByteWriter } from '../bytes.ts';
import type { EntryType, IntegerType } from './values.ts';

/** Signature 0x01011101, 0x01020101 and version 1, as stored (portable_storage_base.h). */
export const STORAGE_HEADER = Uint8Array.of(0x01, 0x11, 0x01, 0x01, 0x01, 0x01, 0x02, 0x01, 0x01);

/** Bit of a type byte: a count and that many values follow instead of one (`SERIALIZE_FLAG_ARRAY`). */
export const ARRAY_FLAG = 0x80;

/** The type byte before each value (`SERIALIZE_TYPE_*`, portable_storage_base.h). */
export const TYPE_CODES: Readonly<Record<EntryType, number>> = {
  int64: 1,
  int32: 2,
  int16: 3,
  int8: 4,
  uint64: 5,
  uint32: 6,
  uint16: 7,
  uint8: 8,
  double: 9,
  string: 10,
  bool: 11,
  object: 12,
  array: 13,
};

/** Types by their byte, 1 … 13; 0 is not used. */
export const TYPE_NAMES: readonly (EntryType | undefined)[] = (() => {
  const names: (EntryType | undefined)[] = [];
  for (const [name, code] of Object.entries(TYPE_CODES)) names[code] = name as EntryType;
  return names;
})();

/** How numbers of a type are read and written, the typed array for them, and their range. */
export interface NumberForm {
  readonly Items: {
    new (length: number): { readonly length: number; [index: number]: number | bigint };
    readonly BYTES_PER_ELEMENT: number;
  };
  read(reader: ByteReader): number | bigint;
  write(writer: ByteWriter, value: number | bigint): unknown;
  readonly low: number | bigint;
  readonly high: number | bigint;
}

const form = (
  Items: NumberForm['Items'],
  read: 'u8' | 'u16' | 'u32' | 'u64' | 'i8' | 'i16' | 'i32' | 'i64' | 'f64',
  write: 'u8' | 'u16' | 'u32' | 'u64' | 'i64' | 'f64',
  low: number | bigint,
  high: number | bigint,
): NumberForm => ({
  Items,
  read: (reader) => reader[read](),
  write: (writer, value) => writer[write](value as never),
  low,
  high,
});

/** How each number type is written: little-endian, read as `number` up to 32 bits and as `bigint` for 64. */
export const NUMBERS: Readonly<Record<IntegerType | 'double', NumberForm>> = {
  int64: form(BigInt64Array, 'i64', 'i64', -(2n ** 63n), 2n ** 63n - 1n),
  uint64: form(BigUint64Array, 'u64', 'u64', 0n, 2n ** 64n - 1n),
  int32: form(Int32Array, 'i32', 'u32', -(2 ** 31), 2 ** 31 - 1),
  uint32: form(Uint32Array, 'u32', 'u32', 0, 2 ** 32 - 1),
  int16: form(Int16Array, 'i16', 'u16', -(2 ** 15), 2 ** 15 - 1),
  uint16: form(Uint16Array, 'u16', 'u16', 0, 2 ** 16 - 1),
  int8: form(Int8Array, 'i8', 'u8', -128, 127),
  uint8: form(Uint8Array, 'u8', 'u8', 0, 255),
  double: form(Float64Array, 'f64', 'f64', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
};
