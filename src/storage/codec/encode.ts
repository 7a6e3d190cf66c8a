import { sameItems } from '../../base/index.ts';
import { ByteWriter } from '../../protocol/bytes.ts';
import { MAX_DEPTH, SMALL, TAG, type Value } from './tags.ts';

/** Least number of hex digits from which a text is stored as bytes. */
const LEAST_HEX = 8;
const NO_DIGIT = 16;
/** Value of a lower-case hex digit, by its character code. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code));
  return digit < 0 ? NO_DIGIT : digit;
});

/**
 * Encodes a value; the names of objects of the same shape are written once in a record. The result is the only copy; the caller wipes it.
 */
export function encodeValue(value: Value): Uint8Array<ArrayBuffer> {
  return new Encoder().encode(value);
}

class Encoder {
  readonly #writer = new ByteWriter(1024);
  readonly #utf8 = new TextEncoder();
  readonly #shapes: (readonly string[])[] = [];
  #scratch = new Uint8Array(64);

  encode(value: Value): Uint8Array<ArrayBuffer> {
    try {
      this.#value(value, 0);
      return this.#writer.finish();
    } finally {
      this.#writer.wipe();
      this.#scratch.fill(0);
    }
  }

  #value(value: Value, depth: number): void {
    if (depth > MAX_DEPTH) throw new RangeError(`expected a value nested at most ${MAX_DEPTH} deep`);
    switch (typeof value) {
      case 'undefined':
        this.#writer.u8(TAG.undefined);
        return;
      case 'boolean':
        this.#writer.u8(value ? TAG.true : TAG.false);
        return;
      case 'number':
        this.#number(value);
        return;
      case 'bigint':
        this.#bigint(value);
        return;
      case 'string':
        this.#string(value);
        return;
      default:
        if (value === null) this.#writer.u8(TAG.null);
        else if (value instanceof Uint8Array) this.#writer.u8(TAG.bytes).varint(value.length).bytes(value);
        else if (isArray(value)) this.#array(value, depth);
        else this.#object(value, depth);
    }
  }

  #number(value: number): void {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) this.#writer.u8(TAG.double).f64(value);
    else if (value < 0) this.#writer.u8(TAG.negative).varint(-1 - value);
    else if (value < SMALL) this.#writer.u8(SMALL | value);
    else this.#writer.u8(TAG.whole).varint(value);
  }

  #bigint(value: bigint): void {
    const negative = value < 0n;
    let rest = negative ? -1n - value : value;
    this.#writer.u8(negative ? TAG.negativeBigint : TAG.bigint);
    if (rest <= BigInt(Number.MAX_SAFE_INTEGER)) {
      this.#writer.varint(Number(rest));
      return;
    }
    for (; rest >= 0x80n; rest >>= 7n) this.#writer.u8(Number(rest & 0x7fn) | 0x80);
    this.#writer.u8(Number(rest));
  }

  #string(value: string): void {
    const bytes = this.#fromHex(value);
    if (bytes !== undefined) this.#writer.u8(TAG.hex).varint(bytes.length).bytes(bytes);
    else {
      this.#writer.u8(TAG.text);
      this.#text(value);
    }
  }

  /** The bytes that a text of hex digits encodes, in scratch memory of this encoder; undefined for any other text. */
  #fromHex(value: string): Uint8Array | undefined {
    if (value.length < LEAST_HEX || value.length % 2 !== 0) return undefined;
    const length = value.length / 2;
    if (length > this.#scratch.length) {
      this.#scratch.fill(0);
      this.#scratch = new Uint8Array(length);
    }
    const bytes = this.#scratch;
    for (let i = 0; i < length; i++) {
      const high = DIGITS[value.charCodeAt(2 * i)] ?? NO_DIGIT;
      const low = DIGITS[value.charCodeAt(2 * i + 1)] ?? NO_DIGIT;
      if (high === NO_DIGIT || low === NO_DIGIT) return undefined;
      bytes[i] = (high << 4) | low;
    }
    return bytes.subarray(0, length);
  }

  #text(value: string): void {
    const bytes = this.#utf8.encode(value);
    this.#writer.varint(bytes.length).bytes(bytes);
  }

  #array(items: readonly Value[], depth: number): void {
    this.#writer.u8(TAG.array).varint(items.length);
    for (const item of items) this.#value(item, depth + 1);
  }

  #object(object: { readonly [name: string]: Value }, depth: number): void {
    const names = Object.keys(object);
    const shape = this.#shapes.findIndex((known) => sameItems(known, names));
    if (shape >= 0) this.#writer.u8(TAG.shape).varint(shape);
    else {
      this.#shapes.push(names);
      this.#writer.u8(TAG.newShape).varint(names.length);
      for (const name of names) this.#text(name);
    }
    for (const name of names) this.#value(object[name], depth + 1);
  }
}

function isArray(value: object): value is readonly Value[] {
  return Array.isArray(value);
}
