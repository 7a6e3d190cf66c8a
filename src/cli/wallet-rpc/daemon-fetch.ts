import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type ClientRequestArgs, type IncomingMessage, request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { type ConnectionOptions, connect as secureOver, type TLSSocket } from 'node:tls';
import { NoConnectionError } from '../../daemon/index.ts';
import type { DaemonTls } from '../../rpc/host.ts';
import { authoritiesOf, isPeerAccepted } from '../peer-certificate.ts';
import { connectThrough, type Endpoint } from './socks.ts';

/** How requests get to a daemon. */
export interface DaemonRoute {
  readonly tls: DaemonTls;
  readonly proxy: Endpoint | undefined;
  /** Uses one connection at a time, as digest login needs: the daemon binds its nonce to the connection. */
  readonly oneConnection: boolean;
}

/** Milliseconds after which an idle connection is closed: before a daemon closes it, which would fail the next request. */
const IDLE = 8_000;
/**
 * Most milliseconds of connecting, and of a handshake. With the proxy's they are less than the transport waits for an answer: when it gives
 * up, nobody knows any more whether anything was sent.
 */
const STEP = 15_000;

/**
 * A `fetch` that follows a route: through a proxy, with our certificate, to a daemon whose certificate is checked here before any of a
 * request is sent. For `http:` addresses TLS is tried first if it is to be detected.
 * @throws Error when a file cannot be read
 */
export function daemonFetch(route: DaemonRoute): typeof fetch {
  const way = new Way(route);
  const plain = new WayAgent(route.oneConnection, (host, port) => way.plain(host, port));
  const secure = new WayAgent(route.oneConnection, (host, port) => way.secure(host, port));
  return (input, init) => {
    const request = new Request(input, init);
    return exchange(request.url.startsWith('https:') ? secure : plain, request, init?.body);
  };
}

/** Gives prepared connections to requests of `node:http`. */
class WayAgent extends Agent {
  readonly #open: (host: string, port: number) => Promise<Socket>;

  constructor(oneConnection: boolean, open: (host: string, port: number) => Promise<Socket>) {
    super({ keepAlive: true, timeout: IDLE, ...(oneConnection ? { maxSockets: 1 } : {}) });
    this.#open = open;
  }

  override createConnection(options: ClientRequestArgs, done?: (error: Error | null, socket: Socket) => void): Duplex {
    this.#open(String(options.host), Number(options.port)).then(
      (socket) => done?.(null, socket),
      (error: Error) => done?.(new NoConnectionError(error), undefined as never),
    );
    // The socket is given later, by `done`.
    return undefined as never;
  }
}

/** Opens connections to daemons. */
class Way {
  readonly #route: DaemonRoute;
  readonly #options: ConnectionOptions;
  /** TLS is not tried again with a daemon that did not speak it once. */
  #plain: boolean;
  #reported = false;

  constructor(route: DaemonRoute) {
    const { tls } = route;
    const ca = tls.anyCertificate ? undefined : authoritiesOf(tls);
    this.#route = route;
    this.#plain = tls.mode !== 'autodetect';
    this.#options = {
      // Checked after the handshake: a pinned certificate needs no authority.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca }),
      ...(tls.keyFile === '' ? {} : { key: readFileSync(tls.keyFile) }),
      ...(tls.certificateFile === '' ? {} : { cert: readFileSync(tls.certificateFile) }),
      // Named authorities vouch for the daemon under any host name.
      ...(tls.authoritiesFile === '' ? {} : { checkServerIdentity: () => undefined }),
    };
  }

  /** @throws Error when the daemon cannot be reached, or its certificate is not accepted */
  async secure(host: string, port: number): Promise<Socket> {
    const { tls } = this.#route;
    const socket = await this.#shakeHands(await this.#reach(host, port), host);
    if (tls.anyCertificate || isPeerAccepted(socket, tls)) return socket;
    socket.destroy();
    this.#tell(`${host}:${port} showed a certificate that is none of those allowed: nothing is sent to it`);
    throw new Error("the daemon's certificate is none of those allowed, nothing was sent");
  }

  /** Plain HTTP, or TLS if it is to be detected: that prevents eavesdropping but does not prove who answers. */
  async plain(host: string, port: number): Promise<Socket> {
    const reached = await this.#reach(host, port);
    if (this.#plain) return reached;
    try {
      return await this.#shakeHands(reached, host);
    } catch {
      this.#plain = true;
      return this.#reach(host, port);
    }
  }

  /** Clients of the service only learn that there is no connection: the log has the reason, once, however often it is tried. */
  #tell(line: string): void {
    if (!this.#reported) console.error(line);
    this.#reported = true;
  }

  async #reach(host: string, port: number): Promise<Socket> {
    const { proxy } = this.#route;
    if (proxy !== undefined) return connectThrough(proxy, host, port);
    return inTime(connect(port, host), 'connect');
  }

  async #shakeHands(reached: Socket, host: string): Promise<TLSSocket> {
    const name = isIP(host) === 0 ? { servername: host } : {};
    try {
      return await inTime(secureOver({ ...this.#options, ...name, socket: reached, host }), 'secureConnect');
    } catch (error) {
      reached.destroy();
      throw error;
    }
  }
}

/** The socket, when it is ready. @throws Error when it fails, or takes too long */
async function inTime<T extends Socket>(socket: T, ready: 'connect' | 'secureConnect'): Promise<T> {
  try {
    await once(socket, ready, { signal: AbortSignal.timeout(STEP) });
    return socket;
  } catch (error) {
    // What it says after that is of no interest.
    socket.on('error', () => undefined).destroy();
    throw error;
  }
}

function exchange(agent: Agent, outgoing: Request, body: RequestInit['body']): Promise<Response> {
  return new Promise((done, fail) => {
    const { method, signal, headers } = outgoing;
    const { host, hostname, pathname, search, port, protocol } = new URL(outgoing.url);
    const options = {
      agent,
      method,
      signal,
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port || (protocol === 'https:' ? 443 : 80),
      path: pathname + search,
      headers: { ...Object.fromEntries(headers), Host: host },
    };
    const sent = request(options, (answer) => done(responseOf(answer)));
    sent.on('error', (error) => fail(signal.aborted ? signal.reason : new TypeError(error.message, { cause: error })));
    sent.end(body as Uint8Array | string | undefined);
  });
}

function responseOf(answer: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  const stream = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
  return new Response(stream, { status: answer.statusCode ?? 502, headers });
}
