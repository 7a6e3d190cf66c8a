import { U64_MAX } from '../../base/index.ts';
import { u64sFromBytes } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';

/**
 * Values of the portable storage format (epee), typed as on the wire so that what is read can be written back byte for byte. Strings are
 * byte strings. Field names are byte strings too, stored with one byte per character.
 */

export type IntegerType = 'int64' | 'int32' | 'int16' | 'int8' | 'uint64' | 'uint32' | 'uint16' | 'uint8';
/** The types that a value may have on the wire. */
export type EntryType = IntegerType | 'double' | 'string' | 'bool' | 'object' | 'array';

/** The elements of an array, by their wire type. Booleans are 0 or 1. */
export type StorageArray =
  | { readonly of: 'int64'; readonly items: BigInt64Array }
  | { readonly of: 'uint64'; readonly items: BigUint64Array }
  | { readonly of: 'int32'; readonly items: Int32Array }
  | { readonly of: 'uint32'; readonly items: Uint32Array }
  | { readonly of: 'int16'; readonly items: Int16Array }
  | { readonly of: 'uint16'; readonly items: Uint16Array }
  | { readonly of: 'int8'; readonly items: Int8Array }
  | { readonly of: 'uint8' | 'bool'; readonly items: Uint8Array }
  | { readonly of: 'double'; readonly items: Float64Array }
  | { readonly of: 'string'; readonly items: readonly Uint8Array[] }
  | { readonly of: 'object'; readonly items: readonly StorageObject[] }
  | { readonly of: 'array'; readonly items: readonly StorageArray[] };

/** A value with its wire type: 64-bit integers as bigint, other numbers as number, texts as bytes. */
export type StorageEntry =
  | { readonly type: 'int64' | 'uint64'; readonly value: bigint }
  | { readonly type: Exclude<IntegerType, 'int64' | 'uint64'> | 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: Uint8Array }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'object'; readonly value: StorageObject }
  | { readonly type: 'array'; readonly value: StorageArray };

const UTF8 = new TextEncoder();

/**
 * An object, with its fields in the order in which they were read or set. The getters throw `unexpected-type` with the field's name when it
 * has another type, or is missing without a fallback. Any integer type is read as any other when the value fits, as in the reference. The
 * reference omits empty arrays: a missing array is empty.
 */
export class StorageObject {
  readonly entries: ReadonlyMap<string, StorageEntry>;

  constructor(entries: ReadonlyMap<string, StorageEntry>) {
    this.entries = entries;
  }

  /** Whether it has a field of that name, of any type. */
  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** An integer in 0 … 2^64−1. */
  getU64(name: string, fallback?: bigint): bigint {
    return this.#get(name, 'an integer in 0 … 2^64-1', (entry) => integerOf(entry, U64_MAX), fallback);
  }

  /** An integer in 0 … 2^53−1: counts, heights, sizes. */
  getNumber(name: string, fallback?: number): number {
    const read = (entry: StorageEntry) => {
      const value = integerOf(entry, BigInt(Number.MAX_SAFE_INTEGER));
      return value === undefined ? undefined : Number(value);
    };
    return this.#get(name, 'an integer in 0 … 2^53-1', read, fallback);
  }

  /** A boolean; numbers are refused. */
  getBoolean(name: string, fallback?: boolean): boolean {
    return this.#get(name, 'a boolean', (entry) => (entry.type === 'bool' ? entry.value : undefined), fallback);
  }

  /** A byte string of any length. */
  getBytes(name: string, fallback?: Uint8Array): Uint8Array {
    return this.#get(name, 'a byte string', (entry) => (entry.type === 'string' ? entry.value : undefined), fallback);
  }

  /** A byte string of exactly `size` bytes. */
  getFixedBytes(name: string, size: number): Uint8Array {
    const read = (entry: StorageEntry) => (entry.type === 'string' && entry.value.length === size ? entry.value : undefined);
    return this.#get(name, `a byte string of ${size} bytes`, read);
  }

  /** A byte string as UTF-8 text; bytes that are not UTF-8 become U+FFFD. */
  getText(name: string): string {
    const bytes = this.#get(name, 'a text', (entry) => (entry.type === 'string' ? entry.value : undefined));
    return new TextDecoder().decode(bytes);
  }

  /** An object within this one; it has no fallback. */
  getObject(name: string): StorageObject {
    return this.#get(name, 'an object', (entry) => (entry.type === 'object' ? entry.value : undefined));
  }

  /** An array of objects; empty when missing. */
  getObjects(name: string): readonly StorageObject[] {
    const read = (entry: StorageEntry) => (entry.type === 'array' && entry.value.of === 'object' ? entry.value.items : undefined);
    return this.#get(name, 'an array of objects', read, []);
  }

  /** An array of byte strings of any length; empty when missing. */
  getByteStrings(name: string): readonly Uint8Array[] {
    const read = (entry: StorageEntry) => (entry.type === 'array' && entry.value.of === 'string' ? entry.value.items : undefined);
    return this.#get(name, 'an array of byte strings', read, []);
  }

  /** An array of any integer type whose values are in 0 … 2^64−1. */
  getU64s(name: string): BigUint64Array {
    const read = (entry: StorageEntry) => (entry.type === 'array' ? unsignedOf(entry.value) : undefined);
    return this.#get(name, 'an array of integers in 0 … 2^64-1', read, new BigUint64Array());
  }

  /** A byte string that packs elements of `size` bytes each ("container as blob"): views into it. */
  getPacked(name: string, size: number): Uint8Array[] {
    const bytes = this.getBytes(name, new Uint8Array());
    if (bytes.length % size !== 0) throw mismatch(name, `a byte string of a multiple of ${size} bytes`, this.entries.get(name));
    return Array.from({ length: bytes.length / size }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
  }

  /** A byte string that packs 64-bit little-endian integers. */
  getPackedU64s(name: string): BigUint64Array {
    const bytes = this.getBytes(name, new Uint8Array());
    if (bytes.length % 8 !== 0) throw mismatch(name, 'a byte string of a multiple of 8 bytes', this.entries.get(name));
    return u64sFromBytes(bytes);
  }

  /** A field converted by `read`, which returns undefined for another type. */
  #get<T>(name: string, expected: string, read: (entry: StorageEntry) => T | undefined, fallback?: T): T {
    const entry = this.entries.get(name);
    const value = entry === undefined ? fallback : read(entry);
    if (value === undefined) throw mismatch(name, expected, entry);
    return value;
  }
}

/** The value of any integer type, 0 … `most`. */
function integerOf({ type, value }: StorageEntry, most: bigint): bigint | undefined {
  if (type === 'double' || (typeof value !== 'number' && typeof value !== 'bigint')) return undefined;
  const integer = BigInt(value);
  return integer < 0n || integer > most ? undefined : integer;
}

function unsignedOf(array: StorageArray): BigUint64Array | undefined {
  switch (array.of) {
    case 'uint64':
      return array.items;
    case 'uint32':
    case 'uint16':
    case 'uint8':
      return BigUint64Array.from(array.items, BigInt);
    case 'int64':
      return array.items.every((item) => item >= 0n) ? BigUint64Array.from(array.items) : undefined;
    case 'int32':
    case 'int16':
    case 'int8': {
      const items = Array.from(array.items);
      return items.every((item) => item >= 0) ? BigUint64Array.from(items, BigInt) : undefined;
    }
    default:
      return undefined;
  }
}

function kindOf(entry: StorageEntry | undefined): string {
  if (entry === undefined) return 'nothing';
  return entry.type === 'array' ? `an array of ${entry.value.of}` : entry.type;
}

function mismatch(name: string, expected: string, entry: StorageEntry | undefined): ProtocolError {
  return new ProtocolError('unexpected-type', `expected field "${name}" to be ${expected}, got ${kindOf(entry)}`, {
    field: name,
  });
}

/** Writers of entries: `object({ height: u64(5n), blob: bytes(b), txs: objects([...]) })`. */
export function object(fields: Readonly<Record<string, StorageEntry | undefined>>): StorageObject {
  const entries = new Map<string, StorageEntry>();
  for (const [name, entry] of Object.entries(fields)) if (entry !== undefined) entries.set(name, entry);
  return new StorageObject(entries);
}

/** 0 … 2^64−1. */
export const u64 = (value: bigint | number): StorageEntry => ({ type: 'uint64', value: BigInt(value) });
/** 0 … 2^32−1. */
export const u32 = (value: number): StorageEntry => ({ type: 'uint32', value });
/** 0 … 65,535. */
export const u16 = (value: number): StorageEntry => ({ type: 'uint16', value });
/** 0 … 255. */
export const u8 = (value: number): StorageEntry => ({ type: 'uint8', value });
/** −2^63 … 2^63−1. */
export const i64 = (value: bigint | number): StorageEntry => ({ type: 'int64', value: BigInt(value) });
/** 64 bits, IEEE 754. */
export const double = (value: number): StorageEntry => ({ type: 'double', value });
/** One byte. */
export const bool = (value: boolean): StorageEntry => ({ type: 'bool', value });
/** Raw bytes: the format's only type for them is its string. */
export const bytes = (value: Uint8Array): StorageEntry => ({ type: 'string', value });
/** The same type as {@link bytes}, in UTF-8. */
export const text = (value: string): StorageEntry => ({ type: 'string', value: UTF8.encode(value) });
/** A section within a section. */
export const nested = (value: StorageObject): StorageEntry => ({ type: 'object', value });
/** A list whose elements are all of one type. */
export const array = (value: StorageArray): StorageEntry => ({ type: 'array', value });

/** Arrays as the reference writes them: empty ones are omitted. */
export const objects = (items: readonly StorageObject[]): StorageEntry | undefined =>
  items.length === 0 ? undefined : array({ of: 'object', items });
/** A list of strings, each raw bytes of any length; omitted when empty. */
export const byteStrings = (items: readonly Uint8Array[]): StorageEntry | undefined =>
  items.length === 0 ? undefined : array({ of: 'string', items });
/** A list of numbers, each 0 … 2^64−1; omitted when empty. */
export const u64s = (items: Iterable<bigint>): StorageEntry | undefined => {
  const values = BigUint64Array.from(items);
  return values.length === 0 ? undefined : array({ of: 'uint64', items: values });
};

/** Elements of equal size joined into one byte string ("container as blob"); omitted when there are none. */
export function packed(items: readonly Uint8Array[]): StorageEntry | undefined {
  if (items.length === 0) return undefined;
  const size = items[0]!.length;
  const joined = new Uint8Array(size * items.length);
  items.forEach((item, i) => {
    if (item.length !== size) throw new ProtocolError('bad-structure', `expected elements of ${size} bytes`);
    joined.set(item, i * size);
  });
  return bytes(joined);
}

/** 64-bit integers joined into one byte string, little-endian; omitted when there are none. */
export function packedU64s(items: readonly bigint[]): StorageEntry | undefined {
  if (items.length === 0) return undefined;
  const joined = new Uint8Array(8 * items.length);
  const view = new DataView(joined.buffer);
  for (const [i, item] of items.entries()) view.setBigUint64(8 * i, item, true);
  return bytes(joined);
}
