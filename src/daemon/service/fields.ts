import {
  asArray,
  asBoolean,
  asCount,
  asObject,
  asText,
  asU64,
  bytesToHex,
  type JsonObject,
  type JsonValue,
  latin1ToBytes,
} from '../../base/index.ts';
import { ProtocolError } from '../../protocol/index.ts';

/**
 * Fields of a daemon's replies: each reads itself out of the containing object, by its name there. What a daemon omits, like old or
 * restricted ones, is empty: 0, '', false or no entries.
 */
export type Field<T> = (from: JsonObject, name: string) => T;

/** A declared shape: its fields by the names that the daemon gives them. */
export type Fields = { readonly [name: string]: Field<unknown> };

/** `top_block_hash` is `topBlockHash` here. */
export type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

/** The object that fields make, spelt out. */
export type Read<F extends Fields> = {
  [K in keyof F as Camel<K & string>]: F[K] extends Field<infer T> ? T : never;
} extends infer O
  ? { readonly [K in keyof O]: O[K] }
  : never;

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** @throws ProtocolError, FormatError where a field is of another type */
export function readFields<F extends Fields>(fields: F, from: JsonObject): Read<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [camel(name), field(from, name)])) as Read<F>;
}

/** A reply as it was read, with the daemon's names, without absent fields; bytes as hex digits. */
export function underDaemonNames(read: unknown, reply: JsonValue | undefined): JsonValue {
  if (read instanceof Uint8Array) return bytesToHex(read);
  if (Array.isArray(read)) return read.map((item, at) => underDaemonNames(item, Array.isArray(reply) ? reply[at] : undefined));
  if (typeof read !== 'object' || read === null) return read as JsonValue;
  const known = new Map(Object.entries(read));
  const names = Object.keys(typeof reply === 'object' && reply !== null ? reply : {});
  const shared = names.filter((name) => known.has(camel(name)));
  return Object.fromEntries(shared.map((name) => [name, underDaemonNames(known.get(camel(name)), (reply as JsonObject)[name])]));
}

function field<T>(read: (value: JsonValue, name: string) => T, missing: T): Field<T> {
  return (from, name) => {
    const value = from[name];
    return value === undefined ? missing : read(value, name);
  };
}

/** Empty if the daemon omits it. */
export const text = field(asText, '');
/** False if the daemon omits it. */
export const flag = field(asBoolean, false);
/** Heights, sizes, versions, seconds: below 2^53. */
export const count = field(asCount, 0);
/** Up to 2^64-1: amounts, and heights where there may be none. */
export const u64 = field(asU64, 0n);
/** A signed integer that a JavaScript number holds exactly. */
export const int = field((value, name) => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new ProtocolError('unexpected-type', `expected ${name} to be an integer`, { path: name });
}, 0);

const HEX = /^(?:[0-9a-fA-F]{64})?$/;

/** 64 hex digits; empty if there is none. */
export const hash = field((value, name) => {
  const digits = asText(value, name);
  if (!HEX.test(digits)) throw new ProtocolError('unexpected-type', `expected ${name} to be 64 hex digits`, { path: name });
  return digits;
}, '');

/** Raw bytes in a JSON text: the reply must have been read with `rawStrings`. */
export const rawBytes = field((value, name) => latin1ToBytes(asText(value, name)), new Uint8Array());

const WIDE = /^(?:0x[0-9a-fA-F]{1,32})?$/;

/**
 * A 128-bit number, which the daemon writes three times: the lower half under the name, the upper with `_top64`, and all of it in hex with
 * `wide_`. Old daemons write only the lower half.
 */
export const u128: Field<bigint> = (from, name) => {
  const low = u64(from, name);
  const whole = (u64(from, `${name}_top64`) << 64n) | low;
  const hex = text(from, `wide_${name}`);
  if (!WIDE.test(hex)) throw new ProtocolError('unexpected-type', `expected wide_${name} to be hex`, { path: name });
  if (hex !== '' && BigInt(hex) !== whole)
    throw new ProtocolError('bad-structure', `expected wide_${name} to be what its halves are`, { path: name });
  return whole;
};

/** A number of up to 128 bits written in hex, or in digits. */
export const hexNumber = field((value, name) => {
  if (typeof value !== 'string') return asU64(value, name);
  if (!WIDE.test(value) || value === '') throw new ProtocolError('unexpected-type', `expected ${name} to be hex`, { path: name });
  return BigInt(value);
}, 0n);

/** A list; each element is read from an object that has it under the field's own name. */
export function listOf<T>(element: Field<T>): Field<readonly T[]> {
  return field((value, name) => asArray(value, name).map((item) => element({ [name]: item }, name)), []);
}

/** An object in the reply; one without fields where it is missing. */
export function objectOf<F extends Fields>(fields: F): Field<Read<F>> {
  return (from, name) => readFields(fields, from[name] === undefined ? {} : asObject(from[name], name));
}

/** Concatenated ids of 32 bytes, as hex digits. */
export const packedHashes: Field<readonly string[]> = (from, name) => {
  const bytes = rawBytes(from, name);
  if (bytes.length % 32 !== 0) throw new ProtocolError('bad-length', `expected ${name} to hold ids of 32 bytes`, { path: name });
  return Array.from({ length: bytes.length / 32 }, (_, i) => bytesToHex(bytes.subarray(32 * i, 32 * i + 32)));
};

/** An id of 32 raw bytes, as hex digits; empty if there is none. */
export const rawHash: Field<string> = (from, name) => packedHashes(from, name)[0] ?? '';

/** 64-bit integers: a list of them, or eight raw bytes each, little-endian. */
export const u64List: Field<readonly bigint[]> = (from, name) => {
  if (typeof from[name] !== 'string') return listOf(u64)(from, name);
  const bytes = rawBytes(from, name);
  if (bytes.length % 8 !== 0)
    throw new ProtocolError('bad-length', `expected ${name} to hold integers of 8 bytes`, { path: name });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 8 }, (_, i) => view.getBigUint64(8 * i, true));
};
