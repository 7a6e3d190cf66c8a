import { ByteReader, u64sFromBytes } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { type EntryType, type StorageArray, type StorageEntry, StorageObject } from './values.ts';
import { ARRAY_FLAG, NUMBERS, STORAGE_HEADER, TYPE_NAMES } from './wire.ts';

/** Limits of a document. Field names do not count as strings. */
export interface StorageLimits {
  readonly objects: number;
  readonly fields: number;
  readonly strings: number;
  /** Nesting of objects and arrays. */
  readonly depth: number;
}

/** The reference's limits for an HTTP reply (65,536 × 3 of each, http_abstract_invoke.h). */
const HTTP_STORAGE_LIMITS: StorageLimits = { objects: 196_608, fields: 196_608, strings: 196_608, depth: 32 };

/**
 * Reads a portable storage document (portable_storage_from_bin.h). Repeated field names are refused, as in the reference.
 * @throws ProtocolError `truncated`, `bad-length`, `unknown-tag`, `too-deep`, `bad-structure`; `trailing-bytes`, which the reference ignores
 */
export function decodePortableStorage(bytes: Uint8Array, limits: StorageLimits = HTTP_STORAGE_LIMITS): StorageObject {
  const reader = new ByteReader(bytes);
  const root = readDocument(reader, limits);
  reader.expectEnd('the portable storage document');
  return root;
}

/** As {@link decodePortableStorage} for a server's requests: bytes after the document are ignored, as in the reference. */
export const decodeStorageRequest = (bytes: Uint8Array): StorageObject =>
  readDocument(new ByteReader(bytes), HTTP_STORAGE_LIMITS);

function readDocument(reader: ByteReader, limits: StorageLimits): StorageObject {
  for (const expected of STORAGE_HEADER) {
    if (reader.u8() !== expected) throw new ProtocolError('unknown-tag', 'expected the signature of portable storage, version 1');
  }
  return new Decoder(reader, limits).object(0);
}

class Decoder {
  readonly #reader: ByteReader;
  readonly #limits: StorageLimits;
  #objects = 0;
  #fields = 0;
  #strings = 0;

  constructor(reader: ByteReader, limits: StorageLimits) {
    this.#reader = reader;
    this.#limits = limits;
  }

  object(depth: number): StorageObject {
    this.#checkDepth(depth);
    const count = this.#count(2);
    this.#fields += this.#within(count, this.#limits.fields - this.#fields, 'fields');
    const entries = new Map<string, StorageEntry>();
    for (let i = 0; i < count; i++) {
      const name = this.#name();
      if (entries.has(name)) throw new ProtocolError('bad-structure', `expected each field once, "${name}" is repeated`);
      entries.set(name, this.#entry(depth));
    }
    return new StorageObject(entries);
  }

  #name(): string {
    const length = this.#reader.u8();
    if (length === 0) throw new ProtocolError('bad-structure', 'expected a field name');
    return this.#reader.latin1(length);
  }

  #entry(depth: number): StorageEntry {
    const code = this.#reader.u8();
    const type = entryType(code & ~ARRAY_FLAG);
    if (code & ARRAY_FLAG) return { type: 'array', value: this.#array(type, depth + 1) };
    switch (type) {
      case 'bool':
        return { type, value: booleanOf(this.#reader.u8()) === 1 };
      case 'string':
        this.#strings += this.#within(1, this.#limits.strings - this.#strings, 'strings');
        return { type, value: this.#string() };
      case 'object':
        this.#objects += this.#within(1, this.#limits.objects - this.#objects, 'objects');
        return { type, value: this.object(depth + 1) };
      case 'array':
        return { type, value: this.#innerArray(depth + 1) };
      default:
        return { type, value: NUMBERS[type].read(this.#reader) } as StorageEntry;
    }
  }

  /** An array that states its own element type: the element of an array of arrays. */
  #innerArray(depth: number): StorageArray {
    const code = this.#reader.u8();
    if (!(code & ARRAY_FLAG)) throw new ProtocolError('unknown-tag', 'expected the type of an array', { code });
    return this.#array(entryType(code & ~ARRAY_FLAG), depth);
  }

  #array(type: EntryType, depth: number): StorageArray {
    this.#checkDepth(depth);
    const reader = this.#reader;
    switch (type) {
      case 'uint64':
        return { of: type, items: u64sFromBytes(reader.bytes(8 * this.#count(8))) };
      case 'uint8':
        return { of: type, items: reader.bytes(this.#count(1)) };
      case 'bool':
        return { of: type, items: reader.bytes(this.#count(1)).map(booleanOf) };
      case 'string': {
        const count = this.#within(this.#count(1), this.#limits.strings - this.#strings, 'strings');
        this.#strings += count;
        return { of: type, items: this.#list(count, () => this.#string()) };
      }
      case 'object': {
        const count = this.#within(this.#count(1), this.#limits.objects - this.#objects, 'objects');
        this.#objects += count;
        return { of: type, items: this.#list(count, () => this.object(depth + 1)) };
      }
      case 'array': {
        const count = this.#within(this.#count(2), this.#limits.objects - this.#objects, 'objects');
        this.#objects += count;
        return { of: type, items: this.#list(count, () => this.#innerArray(depth + 1)) };
      }
      default: {
        const { Items, read } = NUMBERS[type];
        const items = new Items(this.#count(Items.BYTES_PER_ELEMENT));
        for (let i = 0; i < items.length; i++) items[i] = read(reader);
        return { of: type, items } as unknown as StorageArray;
      }
    }
  }

  #list<T>(count: number, read: () => T): T[] {
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(read());
    return items;
  }

  #string(): Uint8Array {
    return this.#reader.bytes(this.#count(1));
  }

  /** A size, checked against the remaining bytes at `minSize` bytes per element. */
  #count(minSize: number): number {
    const reader = this.#reader;
    const count = readSize(reader);
    if (count > reader.remaining / minSize) {
      throw new ProtocolError('bad-length', `expected ${count} elements, only ${reader.remaining} bytes remain`, {
        offset: reader.offset,
      });
    }
    return count;
  }

  #within(count: number, left: number, what: string): number {
    if (count > left) throw new ProtocolError('bad-length', `expected at most ${left} more ${what}, got ${count}`);
    return count;
  }

  #checkDepth(depth: number): void {
    if (depth > this.#limits.depth) {
      throw new ProtocolError('too-deep', `expected portable storage nested at most ${this.#limits.depth} deep`);
    }
  }
}

function entryType(code: number): EntryType {
  const type = TYPE_NAMES[code];
  if (type === undefined) throw new ProtocolError('unknown-tag', `expected a type of portable storage, got ${code}`, { code });
  return type;
}

/** A size whose lowest two bits say whether it takes 1, 2, 4 or 8 bytes; exact below 2^53. @throws ProtocolError `truncated` */
function readSize(reader: ByteReader): number {
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

/** A byte that is 0 or 1. */
function booleanOf(value: number): number {
  if (value > 1) throw new ProtocolError('bad-structure', `expected a boolean to be 0 or 1, got ${value}`);
  return value;
}
