import {
  encodeJson,
  isEmptyArray,
  type JsonBytes,
  type JsonInput,
  type JsonObject,
  type JsonValue,
  parseJson,
  U64_MAX,
} from '../base/index.ts';
import { isProtocolError } from '../protocol/errors.ts';
import { RpcError } from './errors.ts';
import type { RpcService } from './service.ts';

/**
 * JSON-RPC 2.0 as the reference implements it (epee, http_server_handlers_map2.h): bytes in, bytes out (in pieces), one request at a time.
 * Every request has an answer; failures are error objects in it.
 */

/** Deepest nesting of a request, whose id is returned unchanged: the reference's parser has the same limit. */
const MAX_DEPTH = 100;
/** Fields of one object: methods have some twenty. */
const MAX_FIELDS = 1000;
/** Most values of a request: three for each of the most key images. */
const MAX_VALUES = 500_000;
const I64_MIN = -0x8000_0000_0000_0000n;

/** Id of the answer to a request without a readable id. */
const NO_ID = 0;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Answers one request. Never throws; a long reply is printed as its pieces are consumed, from the wallet's state at the request. */
export async function answerJsonRpc(service: RpcService, request: Uint8Array): Promise<JsonBytes> {
  const body = read(request);
  if (body === undefined) return failure(NO_ID, new RpcError('parse', 'Parse error'));
  const { method } = body;
  if (typeof method !== 'string') return failure(NO_ID, new RpcError('invalidRequest', 'Invalid Request'));
  if (!service.has(method)) return failure(body.id ?? '', new RpcError('methodNotFound', 'Method not found'));
  if (request.length > service.longestRequestOf(method)) return failure(NO_ID, new RpcError('invalidRequest', 'Invalid Request'));
  if (body.jsonrpc !== undefined && typeof body.jsonrpc !== 'string')
    return failure(NO_ID, new RpcError('invalidParams', 'Invalid params'));
  const id = body.id ?? NO_ID;
  try {
    return await service.run(method, body.params, (result) => print({ id, jsonrpc: '2.0', result }));
  } catch (error) {
    return failure(id, error as RpcError);
  }
}

const print = (reply: JsonInput): JsonBytes => encodeJson(reply, { maxDepth: MAX_DEPTH });

function read(bytes: Uint8Array): JsonObject | undefined {
  let value: JsonValue;
  try {
    const text = decoder.decode(bytes);
    // The reference takes an empty body, or one of white space, for an empty object.
    if (/^[ \t\r\n]*$/.test(text)) return {};
    value = parseJson(text, { maxDepth: MAX_DEPTH, maxFields: MAX_FIELDS, maxValues: MAX_VALUES });
  } catch (error) {
    if (isProtocolError(error) || error instanceof TypeError) return undefined;
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return isReadable(value) ? (asKept(value) as JsonObject) : undefined;
}

/** Drops fields that the reference's storage does not keep: null, an empty array, or no name (epee, portable_storage_from_json.h). */
function asKept(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asKept);
  const entries = Object.entries(value).filter(([name, field]) => name !== '' && field !== null && !isEmptyArray(field));
  return Object.fromEntries(entries.map(([name, field]) => [name, asKept(field)]));
}

/**
 * Whether the reference's parser accepts a well-formed value: it refuses integers beyond 64 bits, arrays in arrays, arrays and objects in a
 * field without a name, and arrays of mixed kinds, where signed integers, unsigned ones, and numbers with a fraction are different kinds.
 */
function isReadable(value: JsonValue): boolean {
  if (typeof value === 'bigint') return value <= U64_MAX && value >= I64_MIN;
  if (typeof value !== 'object' || value === null) return true;
  if (!Array.isArray(value))
    return Object.entries(value).every(([name, field]) => (name !== '' || isSingle(field)) && isReadable(field));
  const kinds = new Set(value.map(kindOf));
  return kinds.size <= 1 && !kinds.has('array') && !kinds.has('null') && value.every(isReadable);
}

/** Whether a field without a name may have the value. Such a field is checked and dropped. */
const isSingle = (value: JsonValue): boolean => typeof value !== 'object' || value === null || isEmptyArray(value);

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'fraction';
  return typeof value === 'bigint' || typeof value === 'number' ? (value < 0 ? 'signed' : 'unsigned') : typeof value;
}

function failure(id: JsonValue, { code, message, data }: RpcError): JsonBytes {
  return print({ error: { code, message, ...(data === undefined ? {} : { data: { ...data } }) }, id, jsonrpc: '2.0' });
}
