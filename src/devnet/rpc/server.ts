import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { asciiToBytes, type Log } from '../../base/index.ts';
import {
  ACCEPTED_REQUESTS,
  ConnectionLimiter,
  type ConnectionLimits,
  contentType,
  crossOriginHeaders,
  DigestGate,
  endIdleConnections,
  findForeignRequest,
  isAllowed,
  type Login,
  PipelineLimiter,
  readBody,
} from '../../http/index.ts';
import { DevnetError } from '../errors.ts';
import type { Faucet } from '../faucet.ts';
import { answer, failure, type HttpAnswer, JSON_TYPE } from './answer.ts';
import type { RpcContext } from './context.ts';
import { parseEpeeJson } from './epee-json.ts';
import { FairQueue } from './fair-queue.ts';
import { ParamsError, readParams, text } from './params.ts';
import { encodeReply, type Reply } from './reply.ts';
import { WaitingReplies } from './waiting.ts';

/** Maximum bytes of a request, as in the reference's servers. */
export const MAX_REQUEST_BYTES = 1_048_576;

/** Who may call the devnet's RPC, and how many at once. */
export interface ServerOptions {
  /** Answers `POST /faucet` with test coins. */
  readonly faucet?: Faucet;
  /** Further origins whose pages may call, such as `https://wallet.example`; `*` for all. */
  readonly origins?: readonly string[];
  readonly login?: Login | undefined;
  /** Limits of simultaneous connections. */
  readonly connectionLimits?: ConnectionLimits;
  /** Whether requests without an Origin may have any Host, for access from other machines. */
  readonly anyHost?: boolean;
  readonly log?: Log;
  /** Called with the server, and whether it is restricted, before it listens and before connections are counted, for TLS. */
  readonly prepare?: (server: Server, restricted: boolean) => void;
  /** Maximum bytes of all replies that wait for clients. */
  readonly maxWaiting?: number;
  /** Maximum bytes of replies that wait for one client when it sends another request; above that, the connection is closed. */
  readonly softLimit?: number | undefined;
}

/** The reference's default. */
const SOFT_LIMIT = 26_214_400;

/** Whether a request comes from a page that may not call, or with a host name that is not this machine's. */
function isIntruder(request: IncomingMessage, { origins = [], anyHost = false }: ServerOptions): boolean {
  const { origin, host } = request.headers;
  if (origin !== undefined && isAllowed(origins, origin)) return false;
  // Without a Host, it was not sent by a page in a browser.
  if (host === undefined) return origin !== undefined;
  const finding = findForeignRequest(request, request.socket.localPort ?? 0, origins);
  return finding === 'foreign-origin' || (finding === 'wrong-host' && (!anyHost || origin !== undefined));
}

/** `{"address": "…"}` gets test coins: `{"status": "OK", "tx_hash": "…"}`, or a status that says why not. */
function answerFaucet(faucet: Faucet, body: Uint8Array): HttpAnswer {
  const request = parseEpeeJson(body);
  if (request === undefined) return failure(400);
  let reply: Reply;
  try {
    reply = { status: 'OK', tx_hash: faucet.give(readParams(request, { address: text }).address) };
  } catch (error) {
    if (error instanceof ParamsError) return failure(400);
    if (!(error instanceof DevnetError)) throw error;
    reply = { status: error.message };
  }
  return { status: 200, type: JSON_TYPE, body: encodeReply(reply) };
}

async function respond(
  context: RpcContext,
  request: IncomingMessage,
  options: ServerOptions,
  doors: Doors,
): Promise<HttpAnswer & { readonly challenge?: string[] }> {
  if (isIntruder(request, options)) return failure(403);
  if (request.method === 'OPTIONS') return failure(200);
  const challenge = doors.gate?.check(request);
  if (challenge !== undefined) return { ...failure(401), challenge };
  if (doors.gate !== undefined) doors.limiter?.letIn(request.socket);
  const body = await readBody(request, MAX_REQUEST_BYTES);
  if (body === undefined) return failure(413);
  doors.limiter?.letIn(request.socket);
  const { socket } = request;
  await doors.turns.take(socket);
  // A client that keeps sending requests and reads nothing is disconnected.
  if (socket.writableLength > (options.softLimit ?? SOFT_LIMIT)) socket.destroy();
  if (socket.destroyed) return failure(503);
  const path = request.url ?? '/';
  options.log?.('INFO', 'daemon.rpc', () => `calling ${path}`);
  if (path !== '/faucet' || options.faucet === undefined) return answer(context, path, body);
  return request.method === 'POST' && contentType(request) === JSON_TYPE ? answerFaucet(options.faucet, body) : notFaucetJson();
}

/** curl sends another type by default, and a page of another origin cannot send JSON without a preflight request. */
const notFaucetJson = (): HttpAnswer => ({
  ...failure(415),
  body: asciiToBytes('expected a POST with Content-Type: application/json\n'),
});

async function handle(
  context: RpcContext,
  request: IncomingMessage,
  response: ServerResponse,
  options: ServerOptions,
  doors: Doors,
): Promise<void> {
  const { status, type, body, challenge } = await respond(context, request, options, doors);
  const headers = {
    ...crossOriginHeaders(request, options.origins ?? []),
    // As in the reference after an error of the service; and a body that was not read is in the way of the next request.
    ...(status === 413 || status === 500 ? { Connection: 'close' } : {}),
    ...(challenge === undefined ? {} : { 'WWW-Authenticate': challenge }),
    ...(request.method === 'OPTIONS' ? {} : { 'Content-Type': type }),
    'Content-Length': body.length,
  };
  response.writeHead(status, headers);
  response.end(body);
  doors.waiting.add(response, body.length);
}

/** Checks of callers. */
interface Doors {
  readonly gate: DigestGate | undefined;
  limiter?: ConnectionLimiter;
  readonly waiting: WaitingReplies;
  readonly turns: FairQueue;
}

/** Counts connections and their traffic: a request is a packet, and so is a reply. */
function countTraffic(server: Server, { service }: RpcContext): void {
  const { traffic } = service;
  server.on('connection', (socket) => {
    service.connections += 1;
    socket.once('close', () => {
      service.connections -= 1;
      traffic.bytesIn += socket.bytesRead;
      traffic.bytesOut += socket.bytesWritten;
    });
  });
  server.on('request', () => {
    traffic.packetsIn += 1;
    traffic.packetsOut += 1;
  });
}

/**
 * The daemon's RPC over HTTP: pages of other origins are refused (T15). Connections are kept open for long, because the reference wallet
 * reuses one after many seconds.
 */
export function createDaemonServer(context: RpcContext, options: ServerOptions): Server {
  const gate = options.login && new DigestGate(options.login);
  const doors: Doors = { gate, waiting: new WaitingReplies(options.maxWaiting), turns: new FairQueue() };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (!pipelines.admits(request, response)) return;
    handle(context, request, response, options, doors).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { Connection: 'close', 'Content-Length': 0 });
      response.end();
      // No warning about a client that left in the middle of its request.
      if (!request.socket.destroyed) process.emitWarning(error instanceof Error ? error : String(error));
    });
  };
  const server = createServer(ACCEPTED_REQUESTS, serve);
  // As in the reference, `Expect` is ignored.
  server.on('checkExpectation', serve);
  const pipelines = new PipelineLimiter(server);
  endIdleConnections(server);
  server.requestTimeout = 60_000;
  server.headersTimeout = 30_000;
  options.prepare?.(server, context.restricted === true);
  countTraffic(server, context);
  if (options.connectionLimits !== undefined) doors.limiter = new ConnectionLimiter(server, options.connectionLimits);
  return server;
}
