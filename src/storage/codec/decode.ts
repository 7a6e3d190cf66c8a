import { hexReader } from '../../base/index.ts';
import { type Maker, makerOf } from './shapes.ts';
import { MAX_DEPTH, SMALL, TAG, type Value } from './tags.ts';

/** A record whose seal is intact but whose contents are malformed. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** @throws DecodeError unless the bytes are exactly one value */
export function decodeValue(bytes: Uint8Array): Value {
  const decoder = new Decoder(bytes);
  const value = decoder.value(0);
  decoder.end();
  return value;
}

/** Values that are encoded as their tag alone, by tag. */
const CONSTANTS: readonly Value[] = [undefined, null, false, true];

/** The names of objects that several objects of a record share. */
interface Shape {
  readonly names: readonly string[];
  readonly make: Maker | undefined;
}

class Decoder {
  readonly #bytes: Uint8Array;
  readonly #digits: (start: number, end: number) => string;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #shapes: Shape[] = [];
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#digits = hexReader(bytes);
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new DecodeError('expected the end of the record');
  }

  value(depth: number): Value {
    const tag = this.#byte();
    if (tag >= SMALL) return tag & 0x7f;
    if (tag < CONSTANTS.length) return CONSTANTS[tag];
    switch (tag) {
      case TAG.whole:
        return this.#whole();
      case TAG.negative:
        return -1 - this.#whole();
      case TAG.double:
        return this.#double();
      case TAG.bigint:
        return this.#bigint();
      case TAG.negativeBigint:
        return -1n - this.#bigint();
      case TAG.text:
        return this.#text();
      case TAG.hex:
        return this.#hex();
      case TAG.bytes:
        return this.#take(this.#whole()).slice();
      case TAG.array:
        return this.#array(depth + 1);
      case TAG.newShape:
        return this.#object(this.#newShape(), depth + 1);
      case TAG.shape:
        return this.#object(this.#knownShape(), depth + 1);
      default:
        throw new DecodeError(`expected a tag of the value encoding, got ${tag}`);
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new DecodeError('expected more bytes');
    return byte;
  }

  /** Skips the next bytes, and returns where they begin. */
  #skip(count: number): number {
    const start = this.#at;
    if (count > this.#bytes.length - start) throw new DecodeError(`expected ${count} more bytes`);
    this.#at = start + count;
    return start;
  }

  #take(count: number): Uint8Array {
    const start = this.#skip(count);
    return this.#bytes.subarray(start, this.#at);
  }

  #whole(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (!(value <= Number.MAX_SAFE_INTEGER)) throw new DecodeError('expected a whole number below 2^53');
      if (byte < 0x80) return value;
    }
  }

  /** Number arithmetic is exact for up to seven bytes; longer ones are summed as bigint. */
  #bigint(): bigint {
    let low = 0;
    let scale = 1;
    for (let i = 0; i < 7; i++, scale *= 0x80) {
      const byte = this.#byte();
      low += (byte & 0x7f) * scale;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 49n; ; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
      if (shift > 512n) throw new DecodeError('expected an integer of at most 512 bits');
    }
  }

  #double(): number {
    const bytes = this.#take(8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  }

  #hex(): string {
    const start = this.#skip(this.#whole());
    return this.#digits(start, this.#at);
  }

  #text(): string {
    const bytes = this.#take(this.#whole());
    try {
      return this.#utf8.decode(bytes);
    } catch {
      throw new DecodeError('expected UTF-8');
    }
  }

  #array(depth: number): Value[] {
    const count = this.#countOf(depth);
    const items: Value[] = [];
    for (let i = 0; i < count; i++) items.push(this.value(depth));
    return items;
  }

  #newShape(): Shape {
    const count = this.#countOf(0);
    const names: string[] = [];
    for (let i = 0; i < count; i++) names.push(this.#text());
    const shape = { names, make: makerOf(names) };
    this.#shapes.push(shape);
    return shape;
  }

  #knownShape(): Shape {
    const shape = this.#shapes[this.#whole()];
    if (shape === undefined) throw new DecodeError('expected a shape that the record has');
    return shape;
  }

  #object({ names, make }: Shape, depth: number): Value {
    if (depth > MAX_DEPTH) throw new DecodeError(`expected a record nested at most ${MAX_DEPTH} deep`);
    if (make !== undefined) return make(this, depth);
    const object: Record<string, Value> = {};
    for (const name of names) {
      const value = this.value(depth);
      if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true });
      else object[name] = value;
    }
    return object;
  }

  /** Every element takes at least one byte. */
  #countOf(depth: number): number {
    if (depth > MAX_DEPTH) throw new DecodeError(`expected a record nested at most ${MAX_DEPTH} deep`);
    const count = this.#whole();
    if (count > this.#bytes.length - this.#at) throw new DecodeError(`expected ${count} more values`);
    return count;
  }
}
