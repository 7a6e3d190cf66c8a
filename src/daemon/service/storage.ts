import {
  asciiToBytes,
  bytesToHex,
  bytesToLatin1,
  hexToBytes,
  type JsonInput,
  type JsonObject,
  type JsonValue,
} from '../../base/index.ts';
import { ProtocolError, type StorageArray, type StorageEntry, type StorageObject, storage } from '../../protocol/index.ts';

/**
 * Requests and replies of the `.bin` paths, as the JSON that the others have: integers as they are, ids and other bytes of a request as hex
 * digits, bytes of a reply as texts of one byte a character.
 */

/** Lists of ids, which lie one behind the other in one string. */
const PACKED = new Set(['block_ids', 'txids']);

/** A request. Every integer is one of 64 bits, which the daemon takes where it wants a smaller one. @throws ProtocolError */
export function toStorage(from: { readonly [name: string]: JsonInput }): StorageObject {
  return storage.object(Object.fromEntries(Object.entries(from).map(([name, value]) => [name, entryOf(name, value)])));
}

function entryOf(name: string, value: JsonInput): StorageEntry | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return storage.bool(value);
  if (typeof value === 'number' || typeof value === 'bigint') return storage.u64(value);
  if (typeof value === 'string') return storage.bytes(bytesOf(name, value));
  if (!Array.isArray(value)) throw new ProtocolError('unexpected-type', `expected ${name} to be a list or plain`, { path: name });
  if (PACKED.has(name)) return storage.packed(value.map((item) => bytesOf(name, String(item))));
  if (value.every((item) => typeof item === 'number' || typeof item === 'bigint')) return storage.u64s(value.map(BigInt));
  return storage.objects(value.map((item) => toStorage(item as { readonly [name: string]: JsonInput })));
}

function bytesOf(name: string, text: string): Uint8Array {
  try {
    return hexToBytes(text);
  } catch {
    throw new ProtocolError('unexpected-type', `expected ${name} to be bytes as hex digits`, { path: name });
  }
}

/** A reply. */
export function fromStorage(from: StorageObject): JsonObject {
  return Object.fromEntries([...from.entries].map(([name, entry]) => [name, valueIn(entry)]));
}

function valueIn(entry: StorageEntry): JsonValue {
  if (entry.type === 'object') return fromStorage(entry.value);
  if (entry.type === 'array') return listOf(entry.value);
  if (entry.type === 'string') return bytesToLatin1(entry.value);
  return typeof entry.value === 'bigint' ? plain(entry.value) : entry.value;
}

function listOf(array: StorageArray): JsonValue[] {
  if (array.of === 'object') return array.items.map(fromStorage);
  if (array.of === 'array') return array.items.map(listOf);
  if (array.of === 'string') return array.items.map(bytesToLatin1);
  if (array.of === 'bool') return Array.from(array.items, (item) => item !== 0);
  return Array.from(array.items as Iterable<number | bigint>, (item) => (typeof item === 'bigint' ? plain(item) : item));
}

/** Integers in the form that the JSON parser gives: a number where it is exact, else a bigint. */
const plain = (value: bigint): number | bigint => (value <= Number.MAX_SAFE_INTEGER && value >= 0n ? Number(value) : value);

/** A value for display: binary strings are shown as hex digits. */
export function printable(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(printable);
  if (typeof value === 'string') return /^[\x20-\x7e\s]*$/.test(value) ? value : bytesToHex(asciiToBytes(value));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, printable(field)]));
}
