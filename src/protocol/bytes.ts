import { bytesToLatin1, varintBytes } from '../base/index.ts';
import { ProtocolError } from './errors.ts';

const U32 = 0x1_0000_0000;
const MAX_VARINT_BYTES = 10;

/**
 * Reads the chain's binary formats from a buffer, left to right. Every read checks the bytes that remain first,
 * so a hostile length costs nothing. Byte strings are copies: values never alias the input, which may be transferred away.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #view: DataView | undefined;
  #offset: number;
  readonly #end: number;
  readonly #takesCutVarint: boolean;

  /** @param takesCutVarint whether a varint that is cut short by the end counts as complete, as in the reference */
  constructor(bytes: Uint8Array, offset = 0, end = bytes.length, takesCutVarint = false) {
    // Node's Buffer is a Uint8Array whose slice() returns a view; that of a plain Uint8Array returns a copy.
    this.#bytes = bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#offset = offset;
    this.#end = end;
    this.#takesCutVarint = takesCutVarint;
  }

  /** Position from the start of the buffer. */
  get offset(): number {
    return this.#offset;
  }

  /** Bytes from here to the end. */
  get remaining(): number {
    return this.#end - this.#offset;
  }

  #take(count: number): number {
    const start = this.#offset;
    if (!(count <= this.#end - start)) {
      throw new ProtocolError('truncated', `expected ${count} more bytes at offset ${start}, ${this.#end - start} remain`, {
        offset: start,
      });
    }
    this.#offset = start + count;
    return start;
  }

  get #data(): DataView {
    this.#view ??= new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    return this.#view;
  }

  /**
   * Integers and doubles are little-endian, with the number of bits in the method's name.
   * @throws ProtocolError `truncated`, like every read
   */
  u8(): number {
    return this.#bytes[this.#take(1)]!;
  }

  /** The next byte, without consuming it. */
  peek(): number {
    const start = this.#take(1);
    this.#offset = start;
    return this.#bytes[start]!;
  }

  u16(): number {
    return this.#data.getUint16(this.#take(2), true);
  }

  u32(): number {
    return this.#data.getUint32(this.#take(4), true);
  }

  u64(): bigint {
    return this.#data.getBigUint64(this.#take(8), true);
  }

  i8(): number {
    return this.#data.getInt8(this.#take(1));
  }

  i16(): number {
    return this.#data.getInt16(this.#take(2), true);
  }

  i32(): number {
    return this.#data.getInt32(this.#take(4), true);
  }

  i64(): bigint {
    return this.#data.getBigInt64(this.#take(8), true);
  }

  f64(): number {
    return this.#data.getFloat64(this.#take(8), true);
  }

  /** A copy of the next `count` bytes. */
  bytes(count: number): Uint8Array<ArrayBuffer> {
    const start = this.#take(count);
    return this.#bytes.slice(start, start + count);
  }

  /** `count` byte strings of `size` bytes each, as copies. Checks that all of them are present before allocating. */
  byteStrings(count: number, size: number): Uint8Array[] {
    const start = this.#take(count * size);
    const strings = new Array<Uint8Array>(count);
    for (let i = 0; i < count; i++) strings[i] = this.#bytes.slice(start + i * size, start + (i + 1) * size);
    return strings;
  }

  /** The next `count` bytes, one per character. */
  latin1(count: number): string {
    const start = this.#take(count);
    return bytesToLatin1(this.#bytes.subarray(start, start + count));
  }

  /** 32 bytes: a key, point, scalar or hash. */
  key(): Uint8Array {
    return this.bytes(32);
  }

  /** `count` times 32 bytes, as copies. */
  keys(count: number): Uint8Array[] {
    return this.byteStrings(count, 32);
  }

  /** Skips `count` bytes. */
  skip(count: number): void {
    this.#take(count);
  }

  /**
   * A varint of at most `bits` bits: seven bits per byte, lowest first, in its shortest form (common/varint.h). Unlike in the reference,
   * one that is cut short by the end of the buffer is an error, unless the reader takes those.
   */
  varint(bits = 64): bigint {
    let low = 0;
    let high = 0n;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      if (i > 0 && this.#takesCutVarint && this.remaining === 0) return high | BigInt(low);
      const byte = this.u8();
      const shift = 7 * i;
      if (shift + 7 >= bits && byte >= 2 ** (bits - shift)) return this.#badVarint(`a varint of at most ${bits} bits`);
      if (byte === 0 && i !== 0) return this.#badVarint('a varint in its shortest form');
      if (i < 4) low += (byte & 0x7f) << shift;
      else high |= BigInt(byte & 0x7f) << BigInt(shift);
      if (byte < 0x80) return high | BigInt(low);
    }
    return this.#badVarint(`a varint of at most ${bits} bits`);
  }

  /** A varint as a number. @throws `out-of-range` above 2^53−1 */
  varintNumber(bits = 64): number {
    const value = this.varint(bits);
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
      throw new ProtocolError('out-of-range', 'expected a varint below 2^53', { offset: this.#offset });
    }
    return Number(value);
  }

  /** A count of elements that take at least `minSize` bytes each: refused when that exceeds the remaining bytes. */
  count(minSize: number): number {
    const count = this.varint();
    if (count * BigInt(minSize) > BigInt(this.remaining)) {
      throw new ProtocolError('bad-length', `expected ${count} elements, only ${this.remaining} bytes remain`, {
        offset: this.#offset,
      });
    }
    return Number(count);
  }

  /** A count, and that many elements of at least `minSize` bytes, each read by `read`. @throws ProtocolError as {@link count} */
  list<T>(minSize: number, read: (reader: ByteReader) => T): T[] {
    const count = this.count(minSize);
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(read(this));
    return items;
  }

  /** @throws `trailing-bytes` when bytes remain */
  expectEnd(what: string): void {
    if (this.remaining !== 0) {
      throw new ProtocolError('trailing-bytes', `expected the end of ${what}, ${this.remaining} bytes are left over`, {
        offset: this.#offset,
      });
    }
  }

  #badVarint(expected: string): never {
    throw new ProtocolError('bad-varint', `expected ${expected} before offset ${this.#offset}`, { offset: this.#offset });
  }
}

/** Writes the chain's binary formats into a buffer that grows. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(Math.max(capacity, 16));
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  #reserve(count: number): number {
    const start = this.#length;
    const needed = start + count;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, start));
      this.#bytes.fill(0);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    this.#length = needed;
    return start;
  }

  /** Integers and doubles are written little-endian, with the number of bits in the method's name; higher bits of the value are dropped. */
  u8(value: number): this {
    const start = this.#reserve(1);
    this.#bytes[start] = value;
    return this;
  }

  u16(value: number): this {
    const start = this.#reserve(2); // first: growing replaces the view
    this.#view.setUint16(start, value, true);
    return this;
  }

  u32(value: number): this {
    const start = this.#reserve(4); // first: growing replaces the view
    this.#view.setUint32(start, value, true);
    return this;
  }

  u64(value: bigint): this {
    const start = this.#reserve(8); // first: growing replaces the view
    this.#view.setBigUint64(start, value, true);
    return this;
  }

  i64(value: bigint): this {
    const start = this.#reserve(8); // first: growing replaces the view
    this.#view.setBigInt64(start, value, true);
    return this;
  }

  f64(value: number): this {
    const start = this.#reserve(8); // first: growing replaces the view
    this.#view.setFloat64(start, value, true);
    return this;
  }

  /** Raw bytes, without their length. */
  bytes(value: Uint8Array): this {
    const start = this.#reserve(value.length);
    this.#bytes.set(value, start);
    return this;
  }

  /** Exactly `size` bytes. @throws `bad-structure` when there are more or fewer */
  fixed(value: Uint8Array, size: number): this {
    if (value.length !== size) throw new ProtocolError('bad-structure', `expected ${size} bytes, got ${value.length}`);
    return this.bytes(value);
  }

  /** 32 bytes: a key, point, scalar or hash. */
  key(value: Uint8Array): this {
    return this.fixed(value, 32);
  }

  /** 32 bytes each, without their number. @throws `bad-structure` when one has another length */
  keys(values: readonly Uint8Array[]): this {
    for (const value of values) this.key(value);
    return this;
  }

  /** 0 … 2^64−1. @throws `out-of-range` */
  varint(value: bigint | number): this {
    if (typeof value === 'number') {
      if (!Number.isSafeInteger(value) || value < 0) throw outOfRange();
      let rest = value;
      while (rest >= 0x80) {
        this.u8((rest % 0x80) | 0x80);
        rest = rest < U32 ? rest >>> 7 : Math.floor(rest / 0x80);
      }
      return this.u8(rest);
    }
    if (value < 0n || value >> 64n !== 0n) throw outOfRange();
    return this.bytes(varintBytes(value));
  }

  /** A copy of what has been written. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** Wipes what has been written; call it after {@link finish} when that contains secrets. */
  wipe(): void {
    this.#bytes.fill(0);
    this.#length = 0;
  }
}

/** Collects the bytes that `write` writes. @param capacity expected number of bytes */
export function writeBytes(capacity: number, write: (writer: ByteWriter) => unknown): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(capacity);
  write(writer);
  return writer.finish();
}

function outOfRange(): ProtocolError {
  return new ProtocolError('out-of-range', 'expected a number in 0 … 2^64-1');
}

const LITTLE_ENDIAN_HOST = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** 64-bit little-endian integers of a byte string whose length is a multiple of 8. */
export function u64sFromBytes(bytes: Uint8Array): BigUint64Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes);
  if (LITTLE_ENDIAN_HOST) return new BigUint64Array(copy.buffer);
  const view = new DataView(copy.buffer);
  return BigUint64Array.from({ length: copy.length / 8 }, (_, i) => view.getBigUint64(8 * i, true));
}

/** Bytes of a varint: 1 … 10. */
export function varintLength(value: bigint | number): number {
  let rest = BigInt(value);
  let length = 1;
  while (rest >= 0x80n) {
    rest >>= 7n;
    length++;
  }
  return length;
}
