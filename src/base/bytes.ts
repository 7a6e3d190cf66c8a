import { FormatError } from './errors.ts';
import { nodeModule } from './node-module.ts';

const DIGITS = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
/** Bytes converted at once: engines limit the number of arguments of a call. */
const PIECE = 2048;

/**
 * Lower-case hexadecimal digits, two for each byte. Made from character codes: engines store concatenated digits as a chain of pieces,
 * seven times as large.
 */
export function bytesToHex(bytes: Uint8Array): string {
  if (bytes.length <= PIECE) return digitsOf(bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += digitsOf(bytes.subarray(at, at + PIECE));
  return text;
}

/** Codes of 64 digits, the length of every hash and key: allocating them each time would be most of a restore's garbage. */
const codesOfKey: number[] = new Array(64).fill(0);

function digitsOf(bytes: Uint8Array): string {
  const codes: number[] = bytes.length === 32 ? codesOfKey : new Array(2 * bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    const value = bytes[i]!;
    codes[2 * i] = DIGITS[value >> 4]!;
    codes[2 * i + 1] = DIGITS[value & 15]!;
  }
  return String.fromCharCode.apply(null, codes);
}

const { Buffer: NodeBuffer } = nodeModule('node:buffer') ?? {};

/**
 * Returns a function that gives the digits of a part of the bytes, from a start to an end, like {@link bytesToHex}. In Node it uses native
 * code: when a wallet is opened, thousands take half the time of our own, which is hardly compiled by then. `toString('hex')` itself has as
 * much overhead as the digits take.
 */
export function hexReader(bytes: Uint8Array): (start: number, end: number) => string {
  const view = NodeBuffer?.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view?.hexSlice === undefined) return (start, end) => bytesToHex(bytes.subarray(start, end));
  return (start, end) => view.hexSlice!(start, end);
}

function nibble(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/**
 * Bytes from hexadecimal digits of either case.
 * @throws FormatError `bad-hex` for an odd number of digits or anything that is not one
 */
export function hexToBytes(text: string): Uint8Array {
  if (text.length % 2 !== 0) throw new FormatError('bad-hex', 'expected an even number of hexadecimal digits');
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const high = nibble(text.charCodeAt(2 * i));
    const low = nibble(text.charCodeAt(2 * i + 1));
    if (high < 0 || low < 0) throw new FormatError('bad-hex', 'expected hexadecimal digits only', { at: 2 * i });
    bytes[i] = high * 16 + low;
  }
  return bytes;
}

/** All parts, one after the other, in a new array. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Bytes with zeros behind them, `length` in all. @throws RangeError when there are more */
export function padBytes(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(length);
  padded.set(bytes);
  return padded;
}

/** Whether two byte strings are the same. The time depends on their lengths alone. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
  return difference === 0;
}

/** Orders by the first byte that differs; of two that begin alike the shorter comes first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return at < 0 || at >= b.length ? a.length - b.length : a[at]! - b[at]!;
}

/** Overwrites arrays with zeros, to remove secrets from memory. */
export function wipe(...arrays: readonly Uint8Array[]): void {
  for (const bytes of arrays) bytes.fill(0);
}

/** The characters of an ASCII string as bytes. */
export function asciiToBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** 2^64−1. */
export const U64_MAX = 0xffff_ffff_ffff_ffffn;

/**
 * A 64-bit integer as 8 little-endian bytes.
 * @throws FormatError `out-of-range` outside 0 … 2^64−1
 */
export function u64ToBytes(value: bigint): Uint8Array {
  if (value < 0n || value > U64_MAX) throw new FormatError('out-of-range', 'expected an integer of 0 … 2^64-1');
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

/** The 64-bit integer in the first 8 bytes, little-endian. */
export function bytesToU64(bytes: Uint8Array): bigint {
  if (bytes.length < 8) throw new FormatError('bad-length', 'expected at least 8 bytes', { expected: 8, found: bytes.length });
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true);
}

/**
 * A 32-bit integer as 4 little-endian bytes.
 * @throws FormatError `out-of-range` outside 0 … 2^32−1
 */
export function u32ToBytes(value: number): Uint8Array {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff) {
    throw new FormatError('out-of-range', 'expected an integer of 0 … 2^32-1');
  }
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

/**
 * A non-negative integer in the chain's variable-length form: 7 bits a byte, lowest first, the top bit set on all but the last.
 * @throws FormatError `out-of-range` for what is not an integer of 0 … 2^64−1
 */
export function varintBytes(value: number | bigint): Uint8Array {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new FormatError('out-of-range', 'expected a safe integer');
  }
  let rest = BigInt(value);
  if (rest < 0n || rest > U64_MAX) throw new FormatError('out-of-range', 'expected an integer of 0 … 2^64-1');
  const bytes: number[] = [];
  while (rest >= 128n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** @throws FormatError `bad-length` unless `bytes` has exactly `length` bytes */
export function requireLength(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) {
    throw new FormatError('bad-length', `expected ${length} bytes`, { expected: length, found: bytes.length });
  }
  return bytes;
}

/** One byte a character, U+0000 … U+00FF: how byte strings travel inside texts. */
export function bytesToLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return text;
}

/** The characters of a text, one a byte. @throws FormatError `out-of-range` when one is above U+00FF */
export function latin1ToBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0xff) throw new FormatError('out-of-range', 'expected characters of one byte each');
    bytes[i] = code;
  }
  return bytes;
}
