import * as v from 'valibot';
import { isEmptyArray, type JsonInput, LazyList, SerialQueue, WithoutEmptyArrays } from '../base/index.ts';
import { deniedError, notOpen, RpcError, toRpcError } from './errors.ts';
import type { ServiceHost } from './host.ts';
import type { Method, RpcContext } from './method.ts';
import { methodsByName } from './method-table.ts';
import { refuseInBackground } from './methods/background-sync.ts';
import { logAnswer, logCall, logFailure } from './request-log.ts';

/** Most bytes of a request. */
const USUAL_REQUEST = 1 << 20;
/** Most bytes of a request with a file in it: enough for sets to sign and exports of large wallets. */
const LONGEST_REQUEST = 64 << 20;

/** Deviations of a service from the usual one. */
export interface RpcServiceOptions {
  /** Checks every result against its schema: for tests. */
  readonly checkResults?: boolean;
}

/**
 * The wallet service without transport: methods by name on one open wallet. Readers answer at once from the current state; writers run one
 * after the other, in the order of their arrival.
 */
export class RpcService {
  readonly #host: ServiceHost;
  readonly #options: RpcServiceOptions;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #writers = new SerialQueue();

  constructor(host: ServiceHost, options: RpcServiceOptions = {}, methods = methodsByName()) {
    this.#host = host;
    this.#options = options;
    this.#methods = methods;
  }

  has(name: string): boolean {
    return this.#methods.has(name);
  }

  /** Most bytes of a request for a method: more if its parameters contain files, unless it is denied here. */
  longestRequestOf(name: string): number {
    const method = this.#methods.get(name);
    const isDenied = method?.restricted === 'denied' && this.#host.restricted;
    return method?.carriesFiles === true && !isDenied ? LONGEST_REQUEST : USUAL_REQUEST;
  }

  /** Most bytes of a request for any method. */
  get longestRequest(): number {
    return Math.max(USUAL_REQUEST, ...[...this.#methods.keys()].map((name) => this.longestRequestOf(name)));
  }

  /**
   * Whether the result of a method, with these parameters, would contain a secret of the wallet: a user interface that strangers can reach
   * asks for the password first. False for what would be refused.
   */
  revealsSecret(name: string, params: unknown): boolean {
    const method = this.#methods.get(name);
    if (method?.revealsSecret === undefined) return false;
    const parsed = v.safeParse(method.params, params ?? {});
    return parsed.success && method.revealsSecret(parsed.output);
  }

  /**
   * Runs one method.
   * @param params an object of JSON values; null and undefined are an empty one
   * @returns the result, without empty arrays as in the reference
   * @throws RpcError and nothing else
   */
  call(name: string, params: unknown): Promise<object> {
    return this.run(name, params, (result) => plain(result) as object);
  }

  /**
   * As {@link call}, with a printable result: its lists are made as they are printed, now or later, from one instant of the wallet.
   * @returns what `take` makes of it
   * @throws RpcError and nothing else
   */
  async run<T>(name: string, params: unknown, take: (result: JsonInput) => T): Promise<T> {
    const began = performance.now();
    try {
      logCall(this.#host.log, name, params);
      const answer = await this.#answer(name, params, take);
      logAnswer(this.#host.log, name, performance.now() - began);
      return answer;
    } catch (error) {
      logFailure(this.#host.log, name, error as RpcError);
      throw error;
    }
  }

  async #answer<T>(name: string, params: unknown, take: (result: JsonInput) => T): Promise<T> {
    const method = this.#methods.get(name);
    if (method === undefined) throw new RpcError('methodNotFound', 'Method not found');
    const parsed = v.safeParse(method.params, params ?? {}, { abortEarly: true });
    if (!parsed.success) throw new RpcError('invalidParams', 'Invalid params');
    const context = this.#context();
    if (method.restricted === 'denied' && this.#host.restricted) throw deniedError();
    if (method.needs !== 'nothing' && this.#host.wallet === undefined) throw notOpen();
    try {
      // Checked when a writer's turn comes: a call before it may have removed the spend key.
      const run = () => {
        if (method.needs !== 'nothing') refuseInBackground(context.wallet, method.name);
        return method.handler(context, parsed.output);
      };
      const made = method.access === 'read' ? run() : this.#writers.run(async () => run());
      const result = ((made instanceof Promise ? await made : made) ?? {}) as JsonInput;
      if (this.#options.checkResults === true) v.parse(method.result, plain(result));
      return take(method.keepsEmptyArrays === true ? result : new WithoutEmptyArrays(result));
    } catch (error) {
      throw toRpcError(error, method.fallback);
    }
  }

  /** Resolves when every running writer is done. */
  settled(): Promise<void> {
    return this.#writers.idle();
  }

  #context(): RpcContext {
    const host = this.#host;
    return {
      host,
      get wallet() {
        if (host.wallet === undefined) throw notOpen();
        return host.wallet;
      },
    };
  }
}

/**
 * A result with its lists made and empty arrays removed where required. The reference's storage does not write an array without elements
 * (epee, serialize_stl_container_t_val).
 */
function plain(value: unknown, leavesOut = false): unknown {
  if (value instanceof WithoutEmptyArrays) return plain(value.value, true);
  if (value instanceof LazyList) return plain(value.toArray(), leavesOut);
  if (Array.isArray(value)) return value.map((item) => plain(item, leavesOut));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => !(leavesOut && isEmptyArray(field)));
  return Object.fromEntries(entries.map(([name, field]) => [name, plain(field, leavesOut)]));
}
