import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type JsonBytes, type Log, readUrl } from '../../base/index.ts';
import {
  ACCEPTED_REQUESTS,
  ConnectionLimiter,
  type ConnectionLimits,
  crossOriginHeaders,
  DigestGate,
  endIdleConnections,
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
  /** Milliseconds for which a client may read no byte of a long reply. */
  readonly stall: number;
  readonly tls: ServiceTls;
  /** Whether other names than this machine's are refused as `Host`: if only loopback is listened on, and there is no login. */
  readonly ownHostOnly?: boolean;
  readonly log?: Log;
  /** Called after a reply is sent, so that a service asked to stop still answers. */
  readonly afterReply: () => void;
}

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: JsonBytes;
}

const NO_BODY = new Uint8Array(0);

/** A `Host` has a name and perhaps a port; with a login or a path in it, a URL would have another host. */
const NAME_AND_PORT = /^[^@/\\?#]+$/;

/** Path of the service. */
const PATH = '/json_rpc';

/**
 * The service over HTTP or TLS: `/json_rpc` for every HTTP method, as in the reference.
 * @throws CliError when a TLS file cannot be used
 */
export function createRpcServer(options: RpcServerOptions): Server {
  const gate = options.login === undefined ? undefined : new DigestGate(options.login);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (!pipelines.admits(request, response)) return;
    // A request whose body was not read completely has no socket after its answer.
    const client = request.socket.remoteAddress;
    reply(options, gate, connectionLimiter, request)
      .catch((error: unknown): Reply => {
        // A client that left during its request is no reason to warn.
        if (request.complete) process.emitWarning(error instanceof Error ? error : String(error));
        return { status: 500, headers: { Connection: 'close' } };
      })
      .then((answer) => {
        options.log?.('DEBUG', 'net.http', () => `${client} ${request.method} ${pathInLog(request.url)}: ${answer.status}`);
        send(request, response, answer, options);
      });
  };
  const server = createServer(ACCEPTED_REQUESTS, serve);
  // As in the reference, `Expect` is ignored.
  server.on('checkExpectation', serve);
  const pipelines = new PipelineLimiter(server);
  // A client that half-closes its connection still reads (Node's own servers would drop its answer).
  Object.assign(server, { httpAllowHalfOpen: true });
  endIdleConnections(server);
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
  // Without Origin it is unknown which page sent a request.
  if (origin === undefined && isFromOtherSite(request) && !isAllowed(options.origins, '*'))
    return { status: 403, type: 'text/plain' };
  if (options.ownHostOnly === true && !isOwnName(host, options.origins)) return { status: 403, type: 'text/plain' };
  if (request.method === 'OPTIONS') return { status: 200 };
  const challenge = gate?.check(request);
  if (challenge !== undefined) {
    return { status: 401, type: 'text/html', headers: { 'WWW-Authenticate': challenge }, body: Buffer.from(UNAUTHORIZED) };
  }
  // A connection is trusted once it has logged in, or, without a login, has sent a complete request.
  if (gate !== undefined) connectionLimiter.letIn(request.socket);
  if (request.url !== PATH) return { status: 404, type: 'text/plain' };
  const body = await readBody(request, options.service.longestRequest);
  if (body === undefined) return { status: 413, type: 'text/plain', headers: { Connection: 'close' } };
  connectionLimiter.letIn(request.socket);
  return { status: 200, type: 'application/json', body: await answerJsonRpc(options.service, body) };
}

/**
 * Whether a Host is our own name: somebody else's page can make another name resolve to this machine (DNS rebinding), but not an address.
 * Names of allowed pages are accepted, too.
 */
function isOwnName(host: string | undefined, origins: readonly string[]): boolean {
  // Browsers always send a Host.
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

/** Anything a client sends may be a secret, its path too. */
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
 * Sends a long reply as fast as its client reads, and lets others be answered between its pieces. Its length is not known beforehand: Node
 * sends it chunked, or to an HTTP/1.0 client until the connection ends. It is cut off when it can no longer be printed, or when its client
 * stops reading.
 */
async function sendPieces(
  response: ServerResponse,
  pieces: Iterable<Uint8Array>,
  { stall, afterReply }: RpcServerOptions,
): Promise<void> {
  response.setTimeout(stall, () => response.destroy());
  try {
    for (const piece of pieces) {
      // A client that has left reads no more.
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

/** Resolves when the system has taken a piece, whose memory is then free; with false when the connection is gone. */
const isTaken = (response: ServerResponse, piece: Uint8Array): Promise<boolean> =>
  new Promise((resolve) => response.write(piece, (error) => resolve(error === undefined || error === null)));
