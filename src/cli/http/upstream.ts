import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { readUrl, SerialQueue } from '../../base/index.ts';
import { systemRandom } from '../../crypto/index.ts';
import { DigestLogin } from '../../daemon/transport/digest.ts';
import { answer, type RpcContext } from '../../devnet/index.ts';
import type { Login } from '../../http/index.ts';
import { CliError } from '../errors.ts';
import { GatewayError } from './answer.ts';

/** A daemon's reply on its way to the page. */
export interface UpstreamReply {
  readonly status: number;
  readonly type: string;
  /** All bytes at once, or a stream. */
  readonly body: Uint8Array | IncomingMessage;
  /** Length of a streamed body, if the daemon gives it. */
  readonly length: string | undefined;
}

/** The daemon behind the gateway. */
export interface Upstream {
  readonly kind: 'devnet' | 'monerod';
  /** @throws GatewayError */
  call(path: string, type: string, body: Uint8Array): Promise<UpstreamReply>;
  close(): void;
}

/** The daemon in this process. */
export function devnetUpstream(context: RpcContext): Upstream {
  return {
    kind: 'devnet',
    call: async (path, _type, body) => {
      const { status, type, body: reply } = await answer(context, path, body);
      return { status, type, body: reply, length: undefined };
    },
    close: () => {},
  };
}

/** The daemon behind the gateway. */
export interface MonerodOptions {
  /** Absolute, http or https. */
  readonly url: URL;
  readonly login?: Login | undefined;
  /** Milliseconds without a byte. */
  readonly timeout?: number;
}

/**
 * A daemon's address as people write it.
 * @throws CliError
 */
export function daemonUrl(text: string): URL {
  const absolute = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  const url = readUrl(absolute);
  if (url === undefined) throw new CliError(`--daemon wants an address such as http://127.0.0.1:18081, not "${text}"`);
  if (url.username !== '' || url.password !== '') throw new CliError('--daemon takes no name and password: use --daemon-login');
  url.search = '';
  url.hash = '';
  return url;
}

/** A monerod anywhere, over a single connection if it has a login (the reference counts requests for each connection). */
export class MonerodUpstream implements Upstream {
  readonly kind = 'monerod';
  readonly #url: URL;
  readonly #timeout: number;
  readonly #agent: HttpAgent;
  readonly #login: DigestLogin | undefined;
  readonly #queue = new SerialQueue();

  constructor({ url, login, timeout = 60_000 }: MonerodOptions) {
    this.#url = url;
    this.#timeout = timeout;
    const options = { keepAlive: true, maxSockets: login === undefined ? 8 : 1 };
    this.#agent = url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
    if (login !== undefined) this.#login = new DigestLogin(login.name, login.password, systemRandom);
  }

  close(): void {
    this.#agent.destroy();
  }

  async call(path: string, type: string, body: Uint8Array): Promise<UpstreamReply> {
    const login = this.#login;
    if (login === undefined) return replyOf(await this.#send(path, type, body, undefined));
    // The next request waits until this reply was read completely.
    return replyOf(await this.#queue.run(() => this.#withLogin(path, type, body, login), whenRead));
  }

  async #withLogin(path: string, type: string, body: Uint8Array, login: DigestLogin): Promise<IncomingMessage> {
    for (let attempt = 0; attempt < 3; attempt++) {
      const response = await this.#send(path, type, body, login.authorize('POST', this.#path(path)));
      if (response.statusCode !== 401) return response;
      await drain(response);
      login.accept(response.headers['www-authenticate'] ?? null);
    }
    throw new GatewayError('daemon-login', 'the daemon refused the name and password of --daemon-login');
  }

  #path(path: string): string {
    return this.#url.pathname.replace(/\/+$/, '') + path;
  }

  #send(path: string, type: string, body: Uint8Array, authorization: string | undefined): Promise<IncomingMessage> {
    const { hostname, port, protocol } = this.#url;
    const options: RequestOptions = {
      agent: this.#agent,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: this.#path(path),
      method: 'POST',
      timeout: this.#timeout,
      headers: {
        'Content-Type': type,
        'Content-Length': body.length,
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      },
    };
    return new Promise((resolve, reject) => {
      const request = (protocol === 'https:' ? httpsRequest : httpRequest)(options, resolve);
      request.once('timeout', () => request.destroy(new GatewayError('daemon-timeout', 'the daemon does not answer')));
      request.once('error', (error: NodeJS.ErrnoException) => {
        if (error instanceof GatewayError) return reject(error);
        reject(new GatewayError('daemon-unreachable', `no connection to the daemon (${error.code ?? 'failed'})`));
      });
      request.end(body);
    });
  }
}

function replyOf(response: IncomingMessage): UpstreamReply {
  if (response.statusCode === 401) {
    response.resume();
    throw new GatewayError('daemon-login', 'the daemon wants a name and password: give them with --daemon-login name:password');
  }
  return {
    status: response.statusCode ?? 502,
    type: response.headers['content-type'] ?? 'application/octet-stream',
    body: response,
    length: response.headers['content-length'],
  };
}

function whenRead(response: IncomingMessage): Promise<void> {
  if (response.complete) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('close', () => resolve());
  });
}

async function drain(response: IncomingMessage): Promise<void> {
  response.resume();
  await whenRead(response);
}
