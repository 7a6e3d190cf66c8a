import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type JsonBytes, type Log, readUrl } from '../../base/index.ts';
import {
  ConnectionLimiter,
  type ConnectionLimits,
  crossOriginHeaders,
  DigestGate,
  isAllowed,
  isFromOtherSite,
  type Login,
  PipelineLimiter,
  readBody,
} from '../../http/index.ts';
import { answerJsonRpc } from '../../rpc/json-edge.ts';
import type { RpcService } from '../../rpc/service.ts';
import { addTls, type ServiceTls } from '../service-tls.ts';

const UNAUTHORIZED = '<html><head><title>Unauthorized Access</title></head><body><h1>401 Unauthorized</h1></body></html>';

/** Who may call the service, and how many at once. */
export interface RpcServerOptions {
  readonly service: RpcService;
  readonly login: Login | undefined;
  /** Origins of pages that may call; `*` for all. */
  readonly origins: readonly string[];
  readonly connectionLimits: ConnectionLimits;
  /** Milliseconds for which a client may take no byte of a long reply. */
  readonly stall: number;
  readonly tls: ServiceTls;
  /** Whether names other than this machine's own are refused as `Host`: nothing but loopback is listened on, and nobody logs in. */
  readonly ownHostOnly?: boolean;
  readonly log?: Log;
  /** Called when a reply is out, so that a service asked to stop does not swallow its own answer. */
  readonly afterReply: () => void;
}

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: JsonBytes;
}

const NO_BODY = new Uint8Array(0);

/** A `Host` says a name and perhaps a port; with a login or a path in it a URL would have another name. */
const NAME_AND_PORT = /^[^@/\\?#]+$/;

/** Where it answers. */
const PATH = '/json_rpc';

/**
 * The service over HTTP or TLS: `/json_rpc` for every method of HTTP, as the reference has it.
 * @throws CliError when a file of TLS cannot be used
 */
export function createRpcServer(options: RpcServerOptions): Server {
  const gate = options.login === undefined ? undefined : new DigestGate(options.login);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (!pipelines.admits(request, response)) return;
    // A request whose body was not read to its end has no socket any more once it is answered.
    const client = request.socket.remoteAddress;
    reply(options, gate, connectionLimiter, request)
      .catch((error: unknown): Reply => {
        // A client that left in the middle of its request is nothing to warn of.
        if (request.complete) process.emitWarning(error instanceof Error ? error : String(error));
        return { status: 500 };
      })
      .then((answer) => {
        options.log?.('DEBUG', 'net.http', () => `${client} ${request.method} ${pathInLog(request.url)}: ${answer.status}`);
        send(request, response, answer, options);
      });
  };
  // As the reference: a request needs no Host, and `Expect` is not looked at.
  const server = createServer({ requireHostHeader: false }, serve);
  server.on('checkExpectation', serve);
  const pipelines = new PipelineLimiter(server);
  // A client that says it has no more to ask still reads (Node's own servers leave its answer where it is).
  Object.assign(server, { httpAllowHalfOpen: true });
  // Longer than clients' own, so that no request meets a connection that is about to close.
  server.keepAliveTimeout = 65_000;
  server.headersTimeout = 30_000;
  server.requestTimeout = 300_000;
  addTls(server, options.tls);
  const connectionLimiter = new ConnectionLimiter(server, options.connectionLimits);
  return server;
}

async function reply(
  options: RpcServerOptions,
  gate: DigestGate | undefined,
  connectionLimiter: ConnectionLimiter,
  request: IncomingMessage,
): Promise<Reply> {
  const { origin, host } = request.headers;
  if (origin !== undefined && !isAllowed(options.origins, origin)) return { status: 403, type: 'text/plain' };
  // Of a request without Origin nobody knows which page sent it.
  if (origin === undefined && isFromOtherSite(request) && !isAllowed(options.origins, '*'))
    return { status: 403, type: 'text/plain' };
  if (options.ownHostOnly === true && !isOwnName(host, options.origins)) return { status: 403, type: 'text/plain' };
  if (request.method === 'OPTIONS') return { status: 200 };
  const challenge = gate?.check(request);
  if (challenge !== undefined) {
    return { status: 401, type: 'text/html', headers: { 'WWW-Authenticate': challenge }, body: Buffer.from(UNAUTHORIZED) };
  }
  // A connection is trusted once it has logged in, or, without a login, has sent a whole request.
  if (gate !== undefined) connectionLimiter.letIn(request.socket);
  if (request.url !== PATH) return { status: 404, type: 'text/plain' };
  const body = await readBody(request, options.service.longestRequest);
  if (body === undefined) return { status: 413, type: 'text/plain', headers: { Connection: 'close' } };
  connectionLimiter.letIn(request.socket);
  return { status: 200, type: 'application/json', body: await answerJsonRpc(options.service, body) };
}

/**
 * A name that somebody else's page can make point at this machine is none of ours (DNS rebinding); addresses are nobody's to make. Names of
 * pages that may call are as good.
 */
function isOwnName(host: string | undefined, origins: readonly string[]): boolean {
  // Without a Host no page of a browser sent it.
  if (host === undefined) return true;
  const name = NAME_AND_PORT.test(host) ? readUrl(`http://${host}`)?.hostname.replace(/^\[(.*)\]$/, '$1') : undefined;
  if (name === undefined) return false;
  return (
    isIP(name) !== 0 ||
    name === 'localhost' ||
    isAllowed(origins, '*') ||
    origins.some((origin) => readUrl(origin)?.hostname === name)
  );
}

/** What a client sends may be a secret, its path too. */
function pathInLog(url = ''): string {
  const path = url.replace(/\?.*/s, '');
  return path === PATH ? path : `a path of ${path.length} characters`;
}

function send(request: IncomingMessage, response: ServerResponse, answer: Reply, options: RpcServerOptions): void {
  const { body = NO_BODY } = answer;
  response.writeHead(answer.status, {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(answer.type === undefined ? {} : { 'Content-Type': answer.type }),
    ...crossOriginHeaders(request, options.origins),
    ...answer.headers,
    ...(body instanceof Uint8Array ? { 'Content-Length': body.length } : {}),
  });
  if (request.method === 'HEAD') response.end(options.afterReply);
  else if (body instanceof Uint8Array) response.end(body, options.afterReply);
  else void sendPieces(response, body, options);
}

/**
 * Sends a long reply as fast as its client takes it, and lets others be answered between its pieces. Its length is not known before: Node
 * sends it chunked, or to a client of HTTP/1.0 until the connection ends. It breaks off when it can no longer be printed, or when its client
 * takes nothing.
 */
async function sendPieces(
  response: ServerResponse,
  pieces: Iterable<Uint8Array>,
  { stall, afterReply }: RpcServerOptions,
): Promise<void> {
  response.setTimeout(stall, () => response.destroy());
  try {
    for (const piece of pieces) {
      // A client that has left takes no more.
      if (!(await isTaken(response, piece))) return;
      await yieldToEventLoop();
    }
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
    response.destroy();
    return;
  }
  response.end(afterReply);
}

/** Resolves when the system has a piece, whose memory is then free; with false when the connection is gone. */
const isTaken = (response: ServerResponse, piece: Uint8Array): Promise<boolean> =>
  new Promise((resolve) => response.write(piece, (error) => resolve(error === undefined || error === null)));
