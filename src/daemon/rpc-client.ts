import {
  asObject,
  asText,
  type Clock,
  type JsonInput,
  type JsonObject,
  type JsonValue,
  parseJson,
  parseJsonBytes,
  stringifyJson,
  systemClock,
} from '../base/index.ts';
import { type Random, systemRandom } from '../crypto/index.ts';
import { decodePortableStorage, encodePortableStorage, isProtocolError, type StorageObject } from '../protocol/index.ts';
import { DaemonError, type DaemonErrorCode, isRetryable } from './errors.ts';
import type { DaemonRequest, DaemonTransport } from './transport/port.ts';

/** How often and with which pauses a call is retried: exponential backoff with full jitter. */
export interface RetryPolicy {
  /** Tries in total. */
  readonly attempts: number;
  /** Milliseconds: the first pause is at most this, each next one at most twice the last. */
  readonly firstPause: number;
  readonly longestPause: number;
}

/** The transport to a daemon, and how calls are retried. */
export interface DaemonClientOptions {
  readonly transport: DaemonTransport;
  readonly clock?: Clock;
  /** Jitter of retries. */
  readonly random?: Random;
  readonly retry?: Partial<RetryPolicy>;
}

const DEFAULT_RETRY: RetryPolicy = { attempts: 4, firstPause: 400, longestPause: 8_000 };
/** Milliseconds after which a failed call is not retried: each try may have taken as long as an answer may. */
const TRY_FOR = 300_000;

/** How one call is made, and how large its answer may be. */
export interface RpcCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes the answer may have. */
  readonly maxBytes: number;
  /** Do not retry: for calls with an effect. */
  readonly once?: boolean;
  readonly onBytes?: DaemonRequest['onBytes'];
  /** Pass an answer whose `status` is not "OK" to the decoder. */
  readonly anyStatus?: boolean;
  /** Strings of the answer may contain raw bytes: each byte is decoded as one character. */
  readonly rawStrings?: boolean;
}

/** Requests in the daemon's three protocols, retried where that may help; `status` is always checked. */
export class RpcClient {
  readonly #transport: DaemonTransport;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #retry: RetryPolicy;

  constructor({ transport, clock = systemClock, random = systemRandom, retry }: DaemonClientOptions) {
    this.#transport = transport;
    this.#clock = clock;
    this.#random = random;
    this.#retry = { ...DEFAULT_RETRY, ...retry };
  }

  /** JSON-RPC 2.0 at `/json_rpc`; the `result`. */
  rpc<T>(method: string, params: JsonInput, options: RpcCallOptions, decode: (result: JsonObject) => T): Promise<T> {
    return this.#json('/json_rpc', envelope(method, params), options, (reply) => {
      if (reply.error !== undefined) throw rpcError(method, reply.error);
      const result = asObject(reply.result, 'result');
      checkStatus(method, result.status, options);
      return decode(result);
    });
  }

  /** As {@link rpc}, where the result is a text. */
  rpcText(method: string, params: JsonInput, options: RpcCallOptions): Promise<string> {
    return this.#json('/json_rpc', envelope(method, params), options, (reply) => {
      if (reply.error !== undefined) throw rpcError(method, reply.error);
      return asText(reply.result, 'result');
    });
  }

  /** A path with JSON request and reply. */
  path<T>(path: string, body: JsonInput, options: RpcCallOptions, decode: (reply: JsonObject) => T): Promise<T> {
    return this.#json(path, body, options, (reply) => {
      checkStatus(path, reply.status, options);
      return decode(reply);
    });
  }

  /** A `.bin` path with portable storage in both directions. */
  binary<T>(path: string, body: StorageObject, options: RpcCallOptions, decode: (reply: StorageObject) => T): Promise<T> {
    return this.raw(path, body, options, (bytes) =>
      decoded(path, () => {
        const reply = decodePortableStorage(bytes);
        checkStatus(path, reply.getText('status'), options);
        return decode(reply);
      }),
    );
  }

  /** A `.bin` path whose answer is decoded by the caller. `begin` runs before every try. */
  raw<T>(
    path: string,
    body: StorageObject,
    options: RpcCallOptions,
    finish: (bytes: Uint8Array<ArrayBuffer>) => T,
    begin?: () => void,
  ): Promise<T> {
    const bytes = encodePortableStorage(body);
    return this.#tries(options, async () => {
      begin?.();
      return finish(await this.#post(path, bytes, 'application/octet-stream', options));
    });
  }

  #json<T>(path: string, body: JsonInput, options: RpcCallOptions, decode: (reply: JsonObject) => T): Promise<T> {
    const bytes = new TextEncoder().encode(stringifyJson(body));
    return this.#tries(options, async () => {
      const answer = await this.#post(path, bytes, 'application/json', options);
      return decoded(path, () => decode(asObject(parseAnswer(answer, options.rawStrings === true), 'the answer')));
    });
  }

  async #post(
    path: string,
    body: Uint8Array<ArrayBuffer>,
    contentType: 'application/json' | 'application/octet-stream',
    options: RpcCallOptions,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { status, body: answer } = await this.#transport.request({
      path,
      body,
      contentType,
      maxBytes: options.maxBytes,
      signal: options.signal,
      onBytes: options.onBytes,
    });
    if (status !== 200) throw statusError(status, path);
    return answer;
  }

  async #tries<T>(options: RpcCallOptions, attempt: () => Promise<T>): Promise<T> {
    const attempts = options.once ? 1 : this.#retry.attempts;
    const startedAt = this.#clock.now();
    for (let tried = 1; ; tried++) {
      try {
        return await attempt();
      } catch (error) {
        if (tried >= attempts || !isRetryable(error) || this.#clock.now() - startedAt >= TRY_FOR) throw error;
        await this.#clock.sleep(this.#pause(tried), options.signal);
        if (options.signal?.aborted) throw new DaemonError('aborted', 'the call was aborted');
      }
    }
  }

  /** A random pause up to the ceiling, so that many wallets do not retry at the same time. */
  #pause(tried: number): number {
    const ceiling = Math.min(this.#retry.longestPause, this.#retry.firstPause * 2 ** (tried - 1));
    const [low = 0, high = 0] = this.#random.bytes(2);
    return Math.round((ceiling * (low + 256 * high)) / 65_535);
  }
}

const envelope = (method: string, params: JsonInput): JsonInput => ({ jsonrpc: '2.0', id: '0', method, params });

/** Error for an HTTP status other than 200. A gateway in front of the daemon reports an unreachable one with 502 or 504 (RFC 9110, 15.6.3 and 15.6.5). */
function statusError(status: number, path: string): DaemonError {
  if (status === 502) return new DaemonError('unreachable', 'expected the gateway to reach its daemon', { status, path });
  if (status === 504) return new DaemonError('timeout', 'expected an answer while the gateway waited for it', { status, path });
  if (status === 404) return new DaemonError('not-offered', `${path} is not offered here`, { status, path });
  if (status === 400) return new DaemonError('http-status', `the daemon cannot read what ${path} was given`, { status, path });
  return new DaemonError('http-status', `expected HTTP 200 from ${path}, got ${status}`, { status, path });
}

function parseAnswer(bytes: Uint8Array, rawStrings: boolean): JsonValue {
  return rawStrings ? parseJsonBytes(bytes) : parseJson(new TextDecoder().decode(bytes));
}

function rpcError(method: string, error: JsonValue): DaemonError {
  const { code, message } = asObject(error, 'error');
  const number = typeof code === 'number' ? code : 0;
  // -9: the daemon is busy syncing.
  if (number === -9) return new DaemonError('busy', 'the daemon is busy, it may be syncing', { method });
  return new DaemonError(codeOf(number), `${method}: ${cut(asText(message ?? '', 'message'))}`, { method, code: number });
}

/** Our code for a JSON-RPC error number (core_rpc_server_error_codes.h). */
function codeOf(number: number): DaemonErrorCode {
  if (number === METHOD_NOT_FOUND) return 'not-offered';
  if (number === RESTRICTED) return 'restricted';
  return PAYMENT.has(number) ? 'payment-required' : 'rpc-error';
}

const METHOD_NOT_FOUND = -32601;
const RESTRICTED = -19;
/** Payment required, unknown client, a payment too low, repeated or too late. */
const PAYMENT = new Set([-14, -15, -16, -17, -18]);
/** Statuses by which restricted daemons refuse. */
const OF_RESTRICTED = /restricted mode|restricted RPC|use your own node|^too many outs requested$|^recent cutoff is too old$/i;

function checkStatus(what: string, status: JsonValue | undefined, options: RpcCallOptions): void {
  const text = status === undefined ? '' : asText(status, 'status');
  if (options.anyStatus !== true || text === 'BUSY') requireOk(what, text);
}

/** @throws DaemonError `busy`, `restricted`, `payment-required`, `bad-status` */
export function requireOk(what: string, status: string): void {
  if (status === 'OK') return;
  if (status === 'BUSY') throw new DaemonError('busy', 'the daemon is busy, it may be syncing', { method: what });
  if (status === 'PAYMENT REQUIRED')
    throw new DaemonError('payment-required', `${what} wants to be paid for`, { method: what, status });
  if (OF_RESTRICTED.test(status))
    throw new DaemonError('restricted', `${what}: ${cut(status)}`, { method: what, status: cut(status) });
  throw new DaemonError('bad-status', `expected status OK from ${what}, got "${cut(status)}"`, { status: cut(status) });
}

/** A stranger's text, shortened for a message. */
function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Converts a decoder's error to this room's; others pass. */
export function decoded<T>(what: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    throw new DaemonError('malformed', `the answer to ${what} is malformed: ${error.message}`, {
      path: what,
      reason: error.code,
    });
  }
}
