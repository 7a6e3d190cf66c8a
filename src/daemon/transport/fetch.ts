import { type Clock, SerialQueue } from '../../base/index.ts';
import type { Random } from '../../crypto/index.ts';
import { DaemonError, NoConnectionError } from '../errors.ts';
import { callUrl, daemonBase, isLocalAddress, isLoopback, pageOrigin } from './address.ts';
import { BodyCollector } from './body.ts';
import { DigestLogin } from './digest.ts';
import { oneConnectionFetch } from './one-connection.ts';
import type { DaemonRequest, DaemonResponse, DaemonTransport } from './port.ts';
import { Watchdog, type WatchdogLimits } from './watchdog.ts';

/** URL of the daemon, its login, and time limits. */
export interface FetchTransportOptions {
  /** Absolute URL, or a path of the page's own origin. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly limits?: Partial<WatchdogLimits>;
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Milliseconds and bytes per second. A page of blocks over an onion route must pass; a daemon that drips must not. Small answers have five
 * minutes, the distribution of outputs half an hour, of which mainnet's takes all at 2.5 kB/s, and blocks an hour.
 */
const DEFAULT_LIMITS: WatchdogLimits = {
  ...{ firstByte: 60_000, idle: 30_000, grace: 30_000, minRate: 1024 },
  ...{ total: 300_000, fullRate: 40 * 1024 },
};

const STALE_ATTEMPTS = 4;
/** Every call is a POST. */
const METHOD = 'POST';

/** The daemon's HTTP through `fetch`, in browsers, workers and Node alike. */
export class FetchTransport implements DaemonTransport {
  readonly #base: URL;
  readonly #options: FetchTransportOptions;
  readonly #fetch: typeof fetch;
  readonly #login: DigestLogin | undefined;
  /** Requests with a login go one after the other, because digest authentication counts them. */
  readonly #queue = new SerialQueue();

  /** @throws DaemonError `bad-url`, `mixed-content` */
  constructor(options: FetchTransportOptions) {
    this.#base = daemonBase(options.url);
    this.#options = options;
    const oneConnection = options.username ? oneConnectionFetch(this.#base.protocol) : undefined;
    this.#fetch = options.fetch ?? oneConnection ?? ((input, init) => globalThis.fetch(input, init));
    if (options.username) this.#login = new DigestLogin(options.username, options.password ?? '', options.random);
  }

  request(request: DaemonRequest): Promise<DaemonResponse> {
    const login = this.#login;
    if (login === undefined) return this.#exchange(request, undefined);
    return this.#queue.run(() => this.#withLogin(request, login));
  }

  async #withLogin(request: DaemonRequest, login: DigestLogin): Promise<DaemonResponse> {
    const uri = callUrl(this.#base, request.path).pathname;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#exchange(request, login.authorize(METHOD, uri));
      } catch (error) {
        if (!(error instanceof LoginAsked)) throw error;
        const { stale, answered } = login.accept(error.challenge);
        // Refused outright, or the connection (and with it the nonce) was renewed during every try.
        if ((answered && !stale) || attempt === STALE_ATTEMPTS) {
          throw new DaemonError('login-refused', 'the daemon refused this name and password', { host: this.#base.host });
        }
      }
    }
  }

  async #exchange(request: DaemonRequest, authorization: string | undefined): Promise<DaemonResponse> {
    if (request.signal?.aborted) throw aborted();
    const limits = { ...DEFAULT_LIMITS, ...this.#options.limits };
    const watchdog = new Watchdog(limits, request.maxBytes, this.#options.clock, request.signal);
    try {
      const answer = this.#fetch(callUrl(this.#base, request.path), {
        method: METHOD,
        headers: { 'Content-Type': request.contentType, ...(authorization && { Authorization: authorization }) },
        body: request.body,
        signal: watchdog.signal,
        redirect: 'error',
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      });
      const response = await watchdog.during(answer);
      watchdog.headers();
      const body = await readBody(response, request, watchdog);
      if (response.status === 401) throw this.#unauthorized(response);
      return { status: response.status, body };
    } catch (error) {
      if (error instanceof DaemonError || error instanceof LoginAsked) throw error;
      if (request.signal?.aborted) throw aborted();
      if (watchdog.fired !== undefined) throw watchdog.fired;
      throw await this.#diagnose(error);
    } finally {
      watchdog.stop();
    }
  }

  #unauthorized(response: Response): LoginAsked | DaemonError {
    if (this.#login === undefined) {
      return new DaemonError('login-needed', 'the daemon wants a name and a password', { host: this.#base.host });
    }
    return new LoginAsked(response.headers.get('www-authenticate'));
  }

  /** `fetch` reports "failed" for everything: find out which of the known reasons it was. */
  async #diagnose(error: unknown): Promise<DaemonError> {
    const page = pageOrigin();
    const { host, hostname, origin } = this.#base;
    if (page !== undefined && page.origin !== origin) {
      if (await this.#reachableWithoutReading()) {
        const what = `the daemon at ${host} answers, but does not allow this page to read it`;
        return new DaemonError('cors', `${what}: start it with --rpc-access-control-origins ${page.origin}, or use the gateway`, {
          host,
          origin: page.origin,
        });
      }
      if (isLocalAddress(hostname) && !isLoopback(page.hostname)) {
        const what = `the browser did not let this page reach the local address ${host}`;
        return new DaemonError('local-network', `${what}: allow access to the local network for this site`, { host });
      }
    }
    const reason = causeOf(error);
    const data = { host, ...(hadNoConnection(error) && { refused: true }) };
    return new DaemonError('unreachable', `no connection to ${host}${reason === '' ? '' : ` (${reason})`}`, data, error);
  }

  async #reachableWithoutReading(): Promise<boolean> {
    try {
      const init = { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(5_000) } as const;
      await this.#fetch(callUrl(this.#base, '/get_height'), init);
      return true;
    } catch {
      return false;
    }
  }
}

class LoginAsked extends Error {
  readonly challenge: string | null;
  constructor(challenge: string | null) {
    super('login asked');
    this.challenge = challenge;
  }
}

async function readBody(response: Response, request: DaemonRequest, watchdog: Watchdog): Promise<Uint8Array<ArrayBuffer>> {
  const announced = announcedLength(response);
  const collector = new BodyCollector(request.maxBytes, announced);
  const reader = response.body?.getReader();
  if (reader === undefined) return collector.finish();
  try {
    for (;;) {
      const { done, value } = await watchdog.during(reader.read());
      if (done) break;
      watchdog.progress(value.length);
      collector.add(value);
      if (response.status === 200) request.onBytes?.(collector.soFar, announced);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error;
  }
  return collector.finish();
}

/** A compressed answer's length says nothing about the decompressed size. */
function announcedLength(response: Response): number | undefined {
  const text = response.headers.get('content-length');
  if (text === null || !/^\d{1,15}$/.test(text) || response.headers.has('content-encoding')) return undefined;
  return Number(text);
}

function aborted(): DaemonError {
  return new DaemonError('aborted', 'the call was aborted');
}

/** Failures of name resolution, refused connections, and those of Node's `fetch` that were not ready in time, their TLS included. */
const NOT_TAKEN: ReadonlySet<string> = new Set(['EAI_AGAIN', 'ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT']);

const hadNoConnection = (error: unknown): boolean =>
  NOT_TAKEN.has(causeOf(error)) || (error instanceof Error && error.cause instanceof NoConnectionError);

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (typeof cause === 'object' && cause !== null && 'code' in cause && cause.code !== undefined) return String(cause.code);
  return error instanceof Error ? error.message : '';
}
