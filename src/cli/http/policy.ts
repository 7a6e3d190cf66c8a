import type { IncomingMessage } from 'node:http';
import { type JsonValue, parseJson, stringifyJson } from '../../base/index.ts';
import { contentType } from '../../http/index.ts';
import { GatewayError } from './answer.ts';

/** Calls that pass the gateway: those that the wallet makes, and none that change a daemon (T15). */

export const JSON_TYPE = 'application/json';
const BINARY_TYPE = 'application/octet-stream';

/** Calls with a path of their own, and the content type each takes. */
const PATHS: ReadonlyMap<string, string> = new Map([
  ['/json_rpc', JSON_TYPE],
  ['/get_height', JSON_TYPE],
  ['/get_info', JSON_TYPE],
  ['/get_transactions', JSON_TYPE],
  ['/get_transaction_pool_hashes', JSON_TYPE],
  ['/get_transaction_pool', JSON_TYPE],
  ['/is_key_image_spent', JSON_TYPE],
  ['/send_raw_transaction', JSON_TYPE],
  ['/get_outs', JSON_TYPE],
  ['/get_blocks.bin', BINARY_TYPE],
  ['/get_blocks_by_height.bin', BINARY_TYPE],
  ['/get_hashes.bin', BINARY_TYPE],
  ['/get_o_indexes.bin', BINARY_TYPE],
  ['/get_outs.bin', BINARY_TYPE],
  ['/get_output_distribution.bin', BINARY_TYPE],
]);

const METHODS: ReadonlySet<string> = new Set([
  'get_block',
  'get_block_count',
  'get_block_header_by_hash',
  'get_block_header_by_height',
  'get_block_headers_range',
  'get_fee_estimate',
  'get_info',
  'get_last_block_header',
  'get_output_distribution',
  'get_output_histogram',
  'get_txpool_backlog',
  'get_version',
  'getblockheaderbyheight',
  'getblockheadersrange',
  'hard_fork_info',
]);

/**
 * Whether a request for `path` may pass, judging by everything except its body.
 * @throws GatewayError
 */
export function checkCall(request: IncomingMessage, path: string): void {
  const type = PATHS.get(path);
  if (type === undefined) throw new GatewayError('forbidden-path', `the gateway does not pass ${path}`);
  requirePost(request, type);
}

/** @throws GatewayError unless it is a POST of this content type */
export function requirePost(request: IncomingMessage, type: string): void {
  if (request.method !== 'POST') throw new GatewayError('method-not-allowed', 'expected POST');
  if (contentType(request) !== type) throw new GatewayError('wrong-content-type', `expected Content-Type: ${type}`);
}

/** A body as JSON. @throws GatewayError `malformed` */
export function readJson(body: Uint8Array, expected: string): JsonValue {
  try {
    return parseJson(Buffer.from(body).toString('utf8'));
  } catch {
    throw new GatewayError('malformed', `expected ${expected}`);
  }
}

/**
 * The body to pass on. A JSON-RPC request is serialised again, so that the daemon reads what was checked here.
 * @throws GatewayError `malformed`, `forbidden-method`
 */
export function checkBody(path: string, body: Uint8Array): Uint8Array {
  if (path !== '/json_rpc') return body;
  const request = readJson(body, 'a JSON-RPC request');
  if (typeof request !== 'object' || request === null || Array.isArray(request) || typeof request.method !== 'string') {
    throw new GatewayError('malformed', 'expected one JSON-RPC request with a method');
  }
  if (!METHODS.has(request.method)) throw new GatewayError('forbidden-method', `the gateway does not pass ${request.method}`);
  return Buffer.from(stringifyJson(request));
}
