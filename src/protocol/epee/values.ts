import { U64_MAX } from '../../base/index.ts';
import { u64sFromBytes } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';

/**
 * Values of the portable storage format (epee), typed as on the wire so that what is read can be written back byte for byte.
 * Strings are byte strings. Names of fields are byte strings too, held one byte a character.
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
 * An object of the storage: fields in the order they were read or set. The readers throw `unexpected-type` naming the field
 * when it is of another type, and when it is missing and no fallback is given. Any integer type is read as any other
 * when the value fits, as the reference converts. The reference leaves empty arrays out: a missing array is empty.
 */
export class StorageObject {
  readonly entries: ReadonlyMap<string, StorageEntry>;

  constructor(entries: ReadonlyMap<string, StorageEntry> = new Map()) {
    this.entries = entries;
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  getU64(name: string, fallback?: bigint): bigint {
    const entry = this.entries.get(name);
    if (entry === undefined && fallback !== undefined) return fallback;
    const value = integerOf(entry);
    if (value === undefined || value < 0n || value > U64_MAX) throw mismatch(name, 'an integer in 0 … 2^64-1', entry);
    return value;
  }

  /** An integer in 0 … 2^53−1: counts, heights, sizes. */
  getNumber(name: string, fallback?: number): number {
    const entry = this.entries.get(name);
    if (entry === undefined && fallback !== undefined) return fallback;
    const value = integerOf(entry);
    if (value === undefined || value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
      throw mismatch(name, 'an integer in 0 … 2^53-1', entry);
    }
    return Number(value);
  }

  getBoolean(name: string, fallback?: boolean): boolean {
    const entry = this.entries.get(name);
    if (entry === undefined && fallback !== undefined) return fallback;
    if (entry?.type !== 'bool') throw mismatch(name, 'a boolean', entry);
    return entry.value;
  }

  getDouble(name: string, fallback?: number): number {
    const entry = this.entries.get(name);
    if (entry === undefined && fallback !== undefined) return fallback;
    if (entry?.type !== 'double') throw mismatch(name, 'a double', entry);
    return entry.value;
  }

  getBytes(name: string, fallback?: Uint8Array): Uint8Array {
    const entry = this.entries.get(name);
    if (entry === undefined && fallback !== undefined) return fallback;
    if (entry?.type !== 'string') throw mismatch(name, 'a byte string', entry);
    return entry.value;
  }

  /** A byte string of exactly `size` bytes. */
  getFixedBytes(name: string, size: number): Uint8Array {
    const entry = this.entries.get(name);
    if (entry?.type !== 'string' || entry.value.length !== size) throw mismatch(name, `a byte string of ${size} bytes`, entry);
    return entry.value;
  }

  /** A byte string as UTF-8 text; bytes that are not UTF-8 become U+FFFD. */
  getText(name: string, fallback?: string): string {
    const entry = this.entries.get(name);
    if (entry === undefined && fallback !== undefined) return fallback;
    if (entry?.type !== 'string') throw mismatch(name, 'a text', entry);
    return new TextDecoder().decode(entry.value);
  }

  getObject(name: string): StorageObject {
    const entry = this.entries.get(name);
    if (entry?.type !== 'object') throw mismatch(name, 'an object', entry);
    return entry.value;
  }

  getObjects(name: string): readonly StorageObject[] {
    const entry = this.entries.get(name);
    if (entry === undefined) return [];
    if (entry.type !== 'array' || entry.value.of !== 'object') throw mismatch(name, 'an array of objects', entry);
    return entry.value.items;
  }

  getByteStrings(name: string): readonly Uint8Array[] {
    const entry = this.entries.get(name);
    if (entry === undefined) return [];
    if (entry.type !== 'array' || entry.value.of !== 'string') throw mismatch(name, 'an array of byte strings', entry);
    return entry.value.items;
  }

  /** An array of any integer type whose values are in 0 … 2^64−1. */
  getU64s(name: string): BigUint64Array {
    const entry = this.entries.get(name);
    if (entry === undefined) return new BigUint64Array();
    const values = entry.type === 'array' ? unsignedOf(entry.value) : undefined;
    if (values === undefined) throw mismatch(name, 'an array of integers in 0 … 2^64-1', entry);
    return values;
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
}

function integerOf(entry: StorageEntry | undefined): bigint | undefined {
  if (entry === undefined) return undefined;
  switch (entry.type) {
    case 'int64':
    case 'uint64':
      return entry.value;
    case 'int32':
    case 'uint32':
    case 'int16':
    case 'uint16':
    case 'int8':
    case 'uint8':
      return BigInt(entry.value);
    default:
      return undefined;
  }
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

export const u64 = (value: bigint | number): StorageEntry => ({ type: 'uint64', value: BigInt(value) });
export const u32 = (value: number): StorageEntry => ({ type: 'uint32', value });
export const u16 = (value: number): StorageEntry => ({ type: 'uint16', value });
export const u8 = (value: number): StorageEntry => ({ type: 'uint8', value });
export const i64 = (value: bigint | number): StorageEntry => ({ type: 'int64', value: BigInt(value) });
export const double = (value: number): StorageEntry => ({ type: 'double', value });
export const bool = (value: boolean): StorageEntry => ({ type: 'bool', value });
export const bytes = (value: Uint8Array): StorageEntry => ({ type: 'string', value });
export const text = (value: string): StorageEntry => ({ type: 'string', value: UTF8.encode(value) });
export const nested = (value: StorageObject): StorageEntry => ({ type: 'object', value });
export const array = (value: StorageArray): StorageEntry => ({ type: 'array', value });

/** Arrays as the reference writes them: an empty one is left out. */
export const objects = (items: readonly StorageObject[]): StorageEntry | undefined =>
  items.length === 0 ? undefined : array({ of: 'object', items });
export const byteStrings = (items: readonly Uint8Array[]): StorageEntry | undefined =>
  items.length === 0 ? undefined : array({ of: 'string', items });
export const u64s = (items: Iterable<bigint>): StorageEntry | undefined => {
  const values = BigUint64Array.from(items);
  return values.length === 0 ? undefined : array({ of: 'uint64', items: values });
};

/** Elements of equal size joined to one byte string ("container as blob"); nothing when there are none. */
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

/** 64-bit integers joined to one byte string, little-endian; nothing when there are none. */
export function packedU64s(items: readonly bigint[]): StorageEntry | undefined {
  if (items.length === 0) return undefined;
  const joined = new Uint8Array(8 * items.length);
  const view = new DataView(joined.buffer);
  for (const [i, item] of items.entries()) view.setBigUint64(8 * i, item, true);
  return bytes(joined);
}
