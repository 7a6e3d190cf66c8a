import type { PageWallet } from '../../../workers/host.ts';

/** Our wallet in a soak test, wherever it runs: its public interface, and actions that a test performs from outside. */
export interface SoakWallet {
  /** Its calls reject with an error that carries the typed error's `code`. */
  readonly api: PageWallet;
  /** The machine's clock jumps. */
  passTime(ms: number): Promise<void>;
  /** Closed and reopened from its storage. `api` remains usable. */
  reopen(): Promise<void>;
  stop(): Promise<void>;
}

/** Makes a wallet of these words on a daemon, scanning from the first block. */
export type StartSoakWallet = (words: string, daemonUrl: string) => Promise<SoakWallet>;

export const PASSWORD = 'correct horse battery';

/** The code of a typed error, wherever it was thrown. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** A call of the wallet, or of a part of it, by its path of names. */
export type Call = (path: readonly string[], args: readonly unknown[]) => Promise<unknown>;

/** Calls of the wallet by name: one object for its whole life, although the wallet behind it may be reopened. */
export function callsByName(call: Call, path: readonly string[] = []): PageWallet {
  return new Proxy((() => undefined) as unknown as PageWallet, {
    get: (_, name: string) => (name === 'then' ? undefined : callsByName(call, [...path, name])),
    apply: (_, __, args: readonly unknown[]) => call(path, args),
  });
}

/** Makes such a call. */
export function callAt(wallet: object, path: readonly string[], args: readonly unknown[]): Promise<unknown> {
  const of = path.slice(0, -1).reduce((at, name) => Reflect.get(at, name) as object, wallet);
  return (Reflect.get(of, path.at(-1)!) as (...given: readonly unknown[]) => Promise<unknown>).call(of, ...args);
}
