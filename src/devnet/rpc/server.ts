import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { contentType, findIntruder, readBody } from '../../http/index.ts';
import { DevnetError } from '../errors.ts';
import type { Faucet } from '../faucet.ts';
import { answer, failure, type HttpAnswer, JSON_TYPE } from './answer.ts';
import type { RpcContext } from './context.ts';
import { parseEpeeJson } from './epee-json.ts';
import { Params, ParamsError } from './params.ts';
import { encodeReply, type Reply } from './reply.ts';

/** Bytes that a request may have, as the reference's servers allow. */
export const MAX_REQUEST_BYTES = 1_048_576;

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
  const request = parseEpeeJson(body);
  if (request === undefined) return failure(400);
  let reply: Reply;
  try {
    reply = { status: 'OK', tx_hash: faucet.give(new Params(request, { address: 'text' }).text('address')) };
  } catch (error) {
    if (error instanceof ParamsError) return failure(400);
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
