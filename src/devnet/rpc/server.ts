import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type JsonValue, parseJson } from '../../base/index.ts';
import { contentType, findIntruder, readBody } from '../../http/index.ts';
import { isProtocolError } from '../../protocol/index.ts';
import { DevnetError } from '../errors.ts';
import type { Faucet } from '../faucet.ts';
import { answerBinary, isBinaryCall } from './binary.ts';
import type { RpcContext } from './context.ts';
import { JSON_RPC_METHODS, PATH_METHODS } from './methods.ts';
import { Params, ParamsError, RpcError } from './params.ts';
import { encodeReply, type Reply, type ReplyValue } from './reply.ts';

/** Bytes that a request may have, as the reference's servers allow. */
export const MAX_REQUEST_BYTES = 1_048_576;

export interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
}

const EMPTY = new Uint8Array();
const JSON_TYPE = 'application/json';
const BINARY_TYPE = 'application/octet-stream';

/** Codes of the JSON-RPC protocol itself. */
const PARSE_ERROR = { code: -32700, message: 'Parse error' };
const INVALID_REQUEST = { code: -32600, message: 'Invalid Request' };
const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' };
const INVALID_PARAMS = { code: -32602, message: 'Invalid params' };

function failure(status: number): HttpAnswer {
  return { status, type: 'text/plain', body: EMPTY };
}

function envelope(id: JsonValue, outcome: Reply): HttpAnswer {
  const echoed: ReplyValue = typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? id : 0;
  return { status: 200, type: JSON_TYPE, body: encodeReply({ id: echoed, jsonrpc: '2.0', ...outcome }) };
}

function answerJsonRpc(context: RpcContext, body: Uint8Array): HttpAnswer {
  let request: JsonValue;
  try {
    request = body.length === 0 ? null : parseJson(Buffer.from(body).toString('utf8'));
  } catch {
    return envelope(0, { error: PARSE_ERROR });
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request) || typeof request.method !== 'string') {
    return envelope(0, { error: INVALID_REQUEST });
  }
  const id = request.id ?? 0;
  const method = JSON_RPC_METHODS.get(request.method);
  if (method === undefined) return envelope(id, { error: METHOD_NOT_FOUND });
  try {
    return envelope(id, { result: method(context, new Params(request.params)) });
  } catch (error) {
    if (error instanceof RpcError) return envelope(id, { error: { code: error.code, message: error.message } });
    if (error instanceof ParamsError) return envelope(id, { error: INVALID_PARAMS });
    throw error;
  }
}

function answerPath(context: RpcContext, name: string, body: Uint8Array): HttpAnswer {
  const method = PATH_METHODS.get(name)!;
  try {
    const params = new Params(body.length === 0 ? undefined : parseJson(Buffer.from(body).toString('utf8')));
    return { status: 200, type: JSON_TYPE, body: encodeReply(method(context, params) as Reply) };
  } catch (error) {
    if (isProtocolError(error) || error instanceof ParamsError) return failure(400);
    throw error;
  }
}

/** Answers one request of the daemon's RPC. @param path with its slash, without a query */
export function answer(context: RpcContext, path: string, body: Uint8Array): HttpAnswer {
  const name = path.slice(1);
  if (name === 'json_rpc') return answerJsonRpc(context, body);
  if (PATH_METHODS.has(name)) return answerPath(context, name, body);
  if (!isBinaryCall(name)) return failure(404);
  try {
    return { status: 200, type: BINARY_TYPE, body: answerBinary(context, name, body) };
  } catch (error) {
    if (isProtocolError(error)) return failure(400);
    throw error;
  }
}

export interface ServerOptions {
  /** Answers `POST /faucet` with test coins. */
  readonly faucet?: Faucet;
  /** Further origins whose pages may call, as `https://wallet.example`. */
  readonly origins?: readonly string[];
}

function allowance(request: IncomingMessage, origins: readonly string[]): Record<string, string> {
  const { origin } = request.headers;
  if (origin === undefined || !origins.includes(origin)) return {};
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Headers': 'Content-Type', Vary: 'Origin' };
}

/** `{"address": "…"}` gets test coins: `{"status": "OK", "tx_hash": "…"}`, or a status that says why not. */
function answerFaucet(faucet: Faucet, body: Uint8Array): HttpAnswer {
  let reply: Reply;
  try {
    const params = new Params(parseJson(Buffer.from(body).toString('utf8')));
    reply = { status: 'OK', tx_hash: faucet.give(params.string('address')) };
  } catch (error) {
    if (isProtocolError(error) || error instanceof ParamsError) return failure(400);
    if (!(error instanceof DevnetError)) throw error;
    reply = { status: error.message };
  }
  return { status: 200, type: JSON_TYPE, body: encodeReply(reply) };
}

async function respond(context: RpcContext, request: IncomingMessage, { origins, faucet }: ServerOptions): Promise<HttpAnswer> {
  if (findIntruder(request, request.socket.localPort ?? 0, origins) !== undefined) return failure(403);
  if (request.method === 'OPTIONS') return failure(200);
  const body = await readBody(request, MAX_REQUEST_BYTES);
  if (body === undefined) return failure(413);
  const path = new URL(request.url ?? '/', 'http://daemon').pathname;
  if (path !== '/faucet' || faucet === undefined) return answer(context, path, body);
  return request.method === 'POST' && contentType(request) === JSON_TYPE ? answerFaucet(faucet, body) : failure(415);
}

async function handle(
  context: RpcContext,
  request: IncomingMessage,
  response: ServerResponse,
  options: ServerOptions,
): Promise<void> {
  const { status, type, body } = await respond(context, request, options);
  const closing: Record<string, string> = status === 413 ? { Connection: 'close' } : {};
  const headers = {
    ...allowance(request, options.origins ?? []),
    ...closing,
    'Content-Type': type,
    'Content-Length': body.length,
  };
  response.writeHead(status, headers);
  response.end(body);
}

/**
 * The daemon's RPC over HTTP, for loopback: pages of other origins are refused (T15). Connections are kept for long, as the
 * reference wallet reuses one after many seconds.
 */
export function createDaemonServer(context: RpcContext, options: ServerOptions = {}): Server {
  const server = createServer((request, response) => {
    handle(context, request, response, options).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'Content-Length': 0 });
      response.end();
      process.emitWarning(error instanceof Error ? error : String(error));
    });
  });
  server.keepAliveTimeout = 65_000;
  server.requestTimeout = 60_000;
  return server;
}
