import type { JsonInput, JsonObject, JsonValue } from '../../base/index.ts';
import { type ConnectOptions, fetchClientOptions } from '../client.ts';
import { DaemonError } from '../errors.ts';
import { type DaemonClientOptions, decoded, RpcClient } from '../rpc-client.ts';
import type { CallOptions } from '../types.ts';
import { Untrusted } from '../untrusted.ts';
import { type Call, snake, snakeCased } from './call.ts';
import { readFields, underDaemonNames } from './fields.ts';
import { BINARY_CALLS, PATH_CALLS } from './path-calls.ts';
import { RPC_CALLS } from './rpc-calls.ts';
import { fromStorage, printable, toStorage } from './storage.ts';

/** How a call is asked: what it is given, and a signal that ends it. */
export type ServiceMethod<Given, Reply> = [Given] extends [undefined]
  ? (given?: undefined, options?: CallOptions) => Promise<Untrusted<Reply>>
  : undefined extends Given
    ? (given?: Given, options?: CallOptions) => Promise<Untrusted<Reply>>
    : (given: Given, options?: CallOptions) => Promise<Untrusted<Reply>>;

const TABLES = { ...BINARY_CALLS, ...PATH_CALLS, ...RPC_CALLS };

type MethodOf<C> = C extends Call<infer Given, infer Reply> ? ServiceMethod<Given, Reply> : never;
/** A method for each call; the calls' definitions describe them. */
type Methods = { readonly [Name in keyof typeof TABLES]: MethodOf<(typeof TABLES)[Name]> };

interface NamedCall extends Call<unknown, unknown> {
  /** Its name here. */
  readonly method: string;
  readonly name: string;
  /** Its protocol: JSON-RPC, a path with JSON, or a path with portable storage in both directions. */
  readonly kind: 'rpc' | 'path' | 'binary';
}

const named = (kind: NamedCall['kind'], table: Readonly<Record<string, Call<unknown, unknown>>>): NamedCall[] =>
  Object.entries(table).map(([method, call]) => ({ name: snake(method).replace(/_bin$/, '.bin'), ...call, method, kind }));

const CALLS = [...named('path', PATH_CALLS), ...named('binary', BINARY_CALLS), ...named('rpc', RPC_CALLS)];
/** All calls by name and by older name. One that exists as JSON-RPC method and as path is made as the method. */
const BY_NAME: ReadonlyMap<string, NamedCall> = new Map(
  CALLS.flatMap((call) => [call.name, call.also ?? call.name].map((name) => [name, call] as const)),
);

/**
 * Every call of a daemon's service (monerod's, of release 0.18 and those around it), one method each, for programs that run a node, mine,
 * or look at a chain. A wallet asks DaemonClient, which holds answers against questions.
 * Names are the daemon's, in camel case; integers up to 2^53 that count something are numbers, amounts and what may be larger are bigints,
 * and numbers that the daemon writes in two halves are one bigint. What a daemon leaves out, as old and restricted ones do, is empty.
 * Every reply has `untrusted` (the daemon asked another one), `credits` and `topHash`. All methods throw DaemonError: `bad-status` for a
 * status other than OK (`data.status`), `rpc-error` (`data.code`), `busy`, `restricted`, `payment-required`, `not-offered`, and those of the
 * way there. Calls that act are asked once, others again where that may help.
 *
 * @example
 * ```ts
 * import { DaemonService } from 'nightjar';
 *
 * const daemon = DaemonService.connect({ url: 'http://127.0.0.1:18081' });
 * const header = await daemon.getLastBlockHeader();
 * console.log(header.check(({ blockHeader }) => blockHeader.cumulativeDifficulty > 0n));
 * ```
 */
export class DaemonService extends (Object as unknown as new () => Methods) {
  readonly #client: RpcClient;

  /** @internal */
  constructor(options: DaemonClientOptions) {
    super();
    this.#client = new RpcClient(options);
    for (const call of CALLS) Object.assign(this, { [call.method]: this.#method(call) });
  }

  /** A client over `fetch`. Nothing is sent yet. @throws DaemonError `bad-url`, `mixed-content` */
  static connect(options: ConnectOptions): DaemonService {
    return new DaemonService(fetchClientOptions(options));
  }

  /**
   * Any call by its name or an older one, with what it is given as the daemon wants it (bytes as hex digits), and its reply as it comes:
   * no field is read, a `status` other than OK is part of it. Bytes are hex digits.
   * @throws DaemonError `not-offered` for a name that no daemon knows
   */
  async askByName(name: string, params: JsonInput = {}, options: CallOptions = {}): Promise<Untrusted<JsonValue>> {
    const call = callNamed(name);
    const reply = await this.#raw({ ...call, anyStatus: true }, params, options);
    return new Untrusted(call.kind === 'binary' || call.rawStrings === true ? printable(reply) : reply);
  }

  /**
   * A call by its name, as {@link askByName}, with its reply read and checked: what this client knows of it, under the daemon's names, bytes as
   * hex digits, and numbers of 128 bits whole.
   * @throws DaemonError `not-offered` for a name that no daemon knows; those of the methods
   */
  async readByName(name: string, params: JsonInput = {}, options: CallOptions = {}): Promise<Untrusted<JsonValue>> {
    const call = callNamed(name);
    const reply = await this.#raw(call, params, options);
    return new Untrusted(call.fields === undefined ? reply : underDaemonNames(readOf(call, reply), reply));
  }

  #method(call: NamedCall): ServiceMethod<JsonInput, unknown> {
    return async (params, options = {}) => new Untrusted(readOf(call, await this.#raw(call, snakeCased(params ?? {}), options)));
  }

  async #raw(call: NamedCall, params: JsonInput, { signal }: CallOptions): Promise<JsonValue> {
    const { name, kind, fields, acts = false, maxBytes, anyStatus = false, rawStrings = false } = call;
    const options = { signal, once: acts, maxBytes, anyStatus, rawStrings };
    if (fields === undefined) return this.#client.rpcText(name, params, options);
    if (kind === 'rpc') return this.#client.rpc(name, params, options, (reply) => reply);
    if (kind === 'path') return this.#client.path(`/${name}`, params, options, (reply) => reply);
    const request = toStorage(params as { readonly [name: string]: JsonInput });
    return this.#client.binary(`/${name}`, request, options, fromStorage);
  }
}

function callNamed(name: string): NamedCall {
  const call = BY_NAME.get(name.replace(/^\//, ''));
  if (call === undefined) throw new DaemonError('not-offered', `there is no call "${name}"`);
  return call;
}

/** The fields of a reply; a text unchanged. */
function readOf({ name, fields }: NamedCall, reply: JsonValue): unknown {
  return fields === undefined ? reply : decoded(name, () => readFields(fields, reply as JsonObject));
}
