import * as v from 'valibot';
import { isEmptyArray, type JsonInput, WithoutEmptyArrays } from '../protocol/json.ts';
import { denied, notOpen, RpcError, toRpcError } from './errors.ts';
import type { WalletHost } from './host.ts';
import type { Method, RpcContext } from './method.ts';
import { methodsByName } from './table.ts';

/** How a service differs from the usual one. */
export interface RpcServiceOptions {
  /** Checks every result against its schema: for tests. */
  readonly checkResults?: boolean;
}

/**
 * The wallet service without a wire: methods by name over one open wallet. Readers answer at once from the last state;
 * writers run one after the other, in the order of their arrival.
 */
export class RpcService {
  readonly #host: WalletHost;
  readonly #options: RpcServiceOptions;
  readonly #methods: ReadonlyMap<string, Method>;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(host: WalletHost, options: RpcServiceOptions = {}, methods = methodsByName()) {
    this.#host = host;
    this.#options = options;
    this.#methods = methods;
  }

  has(name: string): boolean {
    return this.#methods.has(name);
  }

  /**
   * Runs one method.
   * @param params an object of JSON values; null and undefined are an empty one
   * @returns the result, empty arrays left out as the reference does
   * @throws RpcError and nothing else
   */
  async call(name: string, params: unknown): Promise<object> {
    const result = await this.toPrint(name, params);
    return result instanceof WithoutEmptyArrays ? withoutEmptyArrays(result.value as object) : (result as object);
  }

  /**
   * The same for those who print the result: it is left as it is, and its empty arrays to the printer.
   * @throws RpcError and nothing else
   */
  async toPrint(name: string, params: unknown): Promise<JsonInput> {
    const method = this.#methods.get(name);
    if (method === undefined) throw new RpcError('methodNotFound', 'Method not found');
    const given = v.safeParse(method.params, params ?? {});
    if (!given.success) throw new RpcError('invalidParams', 'Invalid params');
    const context = this.#context();
    if (method.needs !== 'nothing' && this.#host.wallet === undefined) throw notOpen();
    if (method.restricted === 'denied' && this.#host.restricted) throw denied();
    try {
      const run = async () => method.handler(context, given.output);
      const result = await (method.access === 'read' ? run() : this.#inTurn(run));
      if (this.#options.checkResults === true) v.parse(method.result, result);
      return method.keepsEmptyArrays === true ? (result as JsonInput) : new WithoutEmptyArrays(result as JsonInput);
    } catch (error) {
      throw toRpcError(error, method.fallback);
    }
  }

  /** Resolves when every writer that has begun is done. */
  async settled(): Promise<void> {
    await this.#writing;
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

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => undefined);
    return done;
  }
}

/** The reference's storage does not write an array without elements (epee, serialize_stl_container_t_val). */
function withoutEmptyArrays<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutEmptyArrays) as T;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, field]) => !isEmptyArray(field));
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutEmptyArrays(field)])) as T;
}
