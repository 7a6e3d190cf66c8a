/**
 * Portable storage (epee), as far as a reply needs it: reads fields of a section in order, and skips those that are not needed. Uses the open
 * reader.
 */
import { fail, failed, readU8, readU16, readU32, readU64, skip, skipBack, skipMany } from './reader';

export const TYPE_U64: u32 = 5;
export const TYPE_STRING: u32 = 10;
export const TYPE_BOOL: u32 = 11;
export const TYPE_OBJECT: u32 = 12;
export const ARRAY: u32 = 0x80;

/** Signature and format version: 9 bytes. */
export function readHeader(): void {
  if (readU32() != 0x01011101 || readU32() != 0x01020101 || readU8() != 1) fail();
}

/** A storage varint: the two low bits of the first byte give its size, 1, 2, 4 or 8 bytes. */
export function readSize(): u64 {
  const first = readU8();
  const kind = first & 3;
  if (kind == 0) return first >> 2;
  skipBack();
  if (kind == 1) return readU16() >> 2;
  if (kind == 2) return readU32() >> 2;
  return readU64() >> 2;
}

/** The name and the type of the field last read. */
let name: usize = 0;
let nameSize: u32 = 0;
export let type: u32 = 0;

/** Reads a field's name and type; the value follows. */
export function readField(): void {
  nameSize = readU8();
  name = skip(nameSize);
  type = readU8();
  if (failed) nameSize = 0;
}

/** Whether the field last read has this name. */
export function named(text: string): bool {
  if (nameSize != <u32>text.length) return false;
  for (let i: u32 = 0; i < nameSize; i++) if (<i32>load<u8>(name + i) != text.charCodeAt(i)) return false;
  return true;
}

/** Bytes of a value of fixed size, 0 for other types. */
function sizeOf(kind: u32): u64 {
  switch (kind) {
    case 1:
    case 5:
    case 9:
      return 8;
    case 2:
    case 6:
      return 4;
    case 3:
    case 7:
      return 2;
    case 4:
    case 8:
    case TYPE_BOOL:
      return 1;
    default:
      return 0;
  }
}

/** Skips a value. Sections may be nested `depth` deep; arrays of arrays are not accepted. */
export function skipValue(kind: u32, depth: i32): void {
  if (kind & ARRAY) {
    const element = kind & ~ARRAY;
    const count = readSize();
    const size = sizeOf(element);
    if (size) skipMany(count, size);
    else for (let i: u64 = 0; i < count && !failed; i++) skipValue(element, depth);
    return;
  }
  const size = sizeOf(kind);
  if (size) skip(size);
  else if (kind == TYPE_STRING) skip(readSize());
  else if (kind == TYPE_OBJECT && depth > 0) skipSection(depth - 1);
  else fail();
}

/** Skips the fields of a section. */
export function skipSection(depth: i32): void {
  const count = readSize();
  for (let i: u64 = 0; i < count && !failed; i++) {
    readField();
    skipValue(type, depth);
  }
}
