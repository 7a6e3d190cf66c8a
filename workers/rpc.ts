import { changedCategories, isJsonObject, type JsonInput, type JsonObject, parseJson, stringifyJson } from '../src/base/index.ts';
import type { DaemonClient } from '../src/daemon/index.ts';
import type { Network } from '../src/protocol/index.ts';
import type { RpcError } from '../src/rpc/errors.ts';
import type { ServiceHost } from '../src/rpc/host.ts';
import { METHODS } from '../src/rpc/method-table.ts';
import { jsonSchemaOf } from '../src/rpc/openrpc.ts';
import { RpcService } from '../src/rpc/service.ts';
import type { DaemonSettings, Wallet, WalletEnvironment } from '../src/wallet/index.ts';
import type { RpcAnswer, RpcField, RpcMethodInfo } from './host.ts';

/** The wallet service inside the worker, loaded at its first use. */

/** The parts of the worker's host that the service needs. */
export interface PageWallet {
  readonly env: WalletEnvironment;
  wallet(): Wallet | undefined;
  daemon(): DaemonSettings;
  /** Closes the open wallet; the page learns it from the answer. */
  close(): Promise<void>;
}

/** Gives the service the page's one open wallet. There is no folder: the page decides which wallet is open. */
class PageServiceHost implements ServiceHost {
  readonly #page: PageWallet;
  readonly restricted = false;
  readonly offline = false;
  readonly proxied = false;
  readonly walletFolder = undefined;
  readonly concurrency = navigator.hardwareConcurrency || 1;
  readonly random: ServiceHost['random'];
  readonly clock: ServiceHost['clock'];
  readonly requestStop: () => void;
  autoRefresh = true;
  #log = '';

  constructor(page: PageWallet, onStop: () => void) {
    this.#page = page;
    this.random = page.env.random;
    this.clock = page.env.clock;
    this.requestStop = onStop;
  }

  get network(): Network {
    return this.wallet?.description.network ?? 'mainnet';
  }

  get wallet(): Wallet | undefined {
    return this.#page.wallet();
  }

  get daemon(): DaemonSettings {
    return this.#page.daemon();
  }

  get daemonClient(): DaemonClient | undefined {
    return this.wallet?.daemon;
  }

  get trusted(): boolean {
    return this.daemon.trusted;
  }

  async setDaemon(settings: DaemonSettings): Promise<void> {
    await this.wallet?.setDaemon(settings);
  }

  async leaveDaemon(): Promise<void> {
    await this.wallet?.leaveDaemon();
  }

  async setAutoRefresh(enabled: boolean): Promise<void> {
    this.autoRefresh = enabled;
    await (enabled ? this.wallet?.resume() : this.wallet?.pause());
  }

  closeWallet(): Promise<void> {
    return this.#page.close();
  }

  setLog(change: number | string): string {
    this.#log = changedCategories(this.#log, String(change));
    return this.#log;
  }
}

/** Runs the service's methods on the page's wallet. */
export class PageRpc {
  readonly #page: PageWallet;
  readonly #service: RpcService;
  /** A method asked the service to stop, which here means to close the wallet. */
  #stopping = false;

  constructor(page: PageWallet) {
    this.#page = page;
    this.#service = new RpcService(
      new PageServiceHost(page, () => {
        this.#stopping = true;
      }),
    );
  }

  /** Whether the answer would contain a key or the seed. */
  revealsSecret(method: string, params: string): boolean {
    return this.#service.revealsSecret(method, readParams(params));
  }

  /** @param params JSON text of an object; empty for none */
  async call(method: string, params: string): Promise<RpcAnswer> {
    const parsed = readParams(params);
    if (parsed === undefined) return { open: true, code: -32700, message: 'Parse error' };
    try {
      const result = stringifyJson((await this.#service.call(method, parsed)) as JsonInput, 2);
      if (this.#stopping) await this.#page.close();
      this.#stopping = false;
      return { open: this.#page.wallet() !== undefined, result };
    } catch (error) {
      const { code, message } = error as RpcError;
      return { open: this.#page.wallet() !== undefined, code, message };
    }
  }
}

function readParams(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The methods, formatted for people. */
export function rpcMethods(): readonly RpcMethodInfo[] {
  return METHODS.flatMap((method) => {
    const params = fieldsOf(jsonSchemaOf(method.params));
    const info = {
      summary: method.summary,
      writes: method.access === 'write',
      params,
      result: fieldsOf(jsonSchemaOf(method.result)),
      template: stringifyJson(templateOf(jsonSchemaOf(method.params)), 2),
    };
    return [method.name, ...(method.aliases ?? [])].map((name) => ({ name, ...info }));
  });
}

/** The parts of a JSON Schema that are shown. */
interface Shape {
  readonly type?: string;
  readonly default?: JsonInput;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

function fieldsOf(shape: Shape, depth = 0): readonly RpcField[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const inner = field.type === 'array' ? (field.items ?? {}) : field;
    const type = `${inner.type ?? 'any'}${field.type === 'array' ? '[]' : ''}`;
    return [{ name, type, depth }, ...fieldsOf(inner, depth + 1)];
  });
}

/** Every parameter with its default, as a template. */
function templateOf(shape: Shape): JsonInput {
  if (shape.default !== undefined) return shape.default;
  if (shape.type === 'object') {
    const fields = Object.entries(shape.properties ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, templateOf(field)]));
  }
  if (shape.type === 'array') return shape.items?.type === 'object' ? [templateOf(shape.items)] : [];
  if (shape.type === 'boolean') return false;
  return shape.type === 'integer' ? 0 : '';
}
