import { concatBytes } from '../base/index.ts';
import { UrError } from './errors.ts';

/** The part of CBOR (RFC 8949) that uniform resources need: unsigned integers of 32 bits, byte strings, one array. */

const UNSIGNED = 0;
const BYTE_STRING = 2;
const ARRAY = 4;
/** Smaller values are in the first byte itself. */
const SHORT = 24;
const MAX_U32 = 0xffff_ffff;

/** One part of a message. Numbers of 32 bits. */
export interface Part {
  /** Its number, from 1; those above `seqLen` are made of several fragments. */
  readonly seqNum: number;
  /** Number of fragments of the message. */
  readonly seqLen: number;
  readonly messageLen: number;
  /** CRC-32 of the message. */
  readonly checksum: number;
  readonly fragment: Uint8Array;
}

function head(major: number, value: number): Uint8Array {
  const first = major << 5;
  if (value < SHORT) return Uint8Array.of(first | value);
  if (value < 0x100) return Uint8Array.of(first | 24, value);
  if (value < 0x1_0000) return Uint8Array.of(first | 25, value >>> 8, value);
  return Uint8Array.of(first | 26, value >>> 24, value >>> 16, value >>> 8, value);
}

/** A bare byte string, the form of a message. */
export const byteString = (bytes: Uint8Array): Uint8Array => concatBytes(head(BYTE_STRING, bytes.length), bytes);

/** A part as an array of four numbers and its fragment. */
export function encodePart({ seqNum, seqLen, messageLen, checksum, fragment }: Part): Uint8Array {
  const numbers = [seqNum, seqLen, messageLen, checksum].map((value) => head(UNSIGNED, value));
  return concatBytes(head(ARRAY, 5), ...numbers, byteString(fragment));
}

/** Reads from the front; reading more than there is throws `torn`. */
class Reader {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  /** The number that follows a first byte of this major type. */
  head(major: number): number {
    const first = this.#take(1)[0]!;
    if (first >>> 5 !== major) throw torn();
    const short = first & 31;
    if (short < SHORT) return short;
    if (short > 27) throw torn();
    let value = 0;
    for (const byte of this.#take(1 << (short - SHORT))) value = value * 256 + byte;
    if (value > MAX_U32) throw torn();
    return value;
  }

  byteString(): Uint8Array {
    return this.#take(this.head(BYTE_STRING));
  }

  end(): void {
    if (this.#at !== this.bytes.length) throw torn();
  }

  #take(length: number): Uint8Array {
    const from = this.#at;
    if (length > this.bytes.length - from) throw torn();
    this.#at += length;
    return this.bytes.subarray(from, this.#at);
  }
}

const torn = (): UrError => new UrError('torn', 'expected a byte string, or an array of four numbers and a byte string');

/** The bytes of a bare byte string and nothing else. @throws UrError `torn` */
export function readByteString(bytes: Uint8Array): Uint8Array {
  const reader = new Reader(bytes);
  const inside = reader.byteString();
  reader.end();
  return inside;
}

/** @throws UrError `torn` */
export function decodePart(bytes: Uint8Array): Part {
  const reader = new Reader(bytes);
  if (reader.head(ARRAY) !== 5) throw torn();
  const number = () => reader.head(UNSIGNED);
  const [seqNum, seqLen, messageLen, checksum] = [number(), number(), number(), number()];
  const fragment = reader.byteString();
  reader.end();
  return { seqNum, seqLen, messageLen, checksum, fragment };
}
