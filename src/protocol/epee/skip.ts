import type { ByteReader } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { ARRAY_FLAG, TYPE_CODES } from './wire.ts';

/** Bytes of a value of each plain type, by type code. */
const SIZES: readonly (number | undefined)[] = [undefined, 8, 4, 2, 1, 8, 4, 2, 1, 8, undefined, 1];
/** Sections inside each other; the scan kernel goes as deep (`wasm/scan/reply.ts`). */
const DEPTH = 8;

/** A size whose lowest two bits say whether it takes 1, 2, 4 or 8 bytes; exact below 2^53. @throws ProtocolError `truncated` */
export function readSize(reader: ByteReader): number {
  switch (reader.peek() & 3) {
    case 0:
      return reader.u8() >>> 2;
    case 1:
      return reader.u16() >>> 2;
    case 2:
      return reader.u32() >>> 2;
    default:
      return Number(reader.u64() >> 2n);
  }
}

/**
 * Moves over the value of a field, whose type was read. Arrays of arrays, which no reply has, are not taken.
 * @throws ProtocolError `truncated`, `unknown-tag`, `too-deep`
 */
export function skipValue(reader: ByteReader, type: number, depth = DEPTH): void {
  if (type & ARRAY_FLAG) skipArray(reader, type & ~ARRAY_FLAG, depth);
  else skipElement(reader, type, depth);
}

function skipArray(reader: ByteReader, type: number, depth: number): void {
  const count = readSize(reader);
  const size = SIZES[type];
  if (size !== undefined) reader.skip(count * size);
  else for (let i = 0; i < count; i++) skipElement(reader, type, depth);
}

function skipElement(reader: ByteReader, type: number, depth: number): void {
  const size = SIZES[type];
  if (size !== undefined) reader.skip(size);
  else if (type === TYPE_CODES.string) reader.skip(readSize(reader));
  else if (type === TYPE_CODES.object) skipSection(reader, depth - 1);
  else throw new ProtocolError('unknown-tag', `expected a type of portable storage, got ${type}`, { code: type });
}

/** Moves over the fields of a section, inside which others may lie `depth` deep. @throws as {@link skipValue} */
export function skipSection(reader: ByteReader, depth = DEPTH): void {
  if (depth < 0) throw new ProtocolError('too-deep', `expected sections nested at most ${DEPTH} deep`);
  const fields = readSize(reader);
  for (let i = 0; i < fields; i++) {
    reader.skip(reader.u8());
    skipValue(reader, reader.u8(), depth);
  }
}
