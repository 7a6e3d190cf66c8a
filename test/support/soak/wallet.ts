import type { WalletApi } from '../../../src/wallet/api.ts';

/** Our wallet under the soak, wherever it runs: what a door offers, and what a test must do to it from outside. */
export interface SoakWallet {
  /** Its calls reject with an error that carries the typed error's `code`. */
  readonly api: WalletApi;
  /** The machine's clock jumps. */
  passTime(ms: number): Promise<void>;
  /** Closed and opened again from what it had written. `api` goes on working. */
  reopen(): Promise<void>;
  stop(): Promise<void>;
}

/** Makes a wallet of these words on a daemon, scanning from the first block. */
export type StartSoakWallet = (words: string, daemonUrl: string) => Promise<SoakWallet>;

export const PASSWORD = 'correct horse battery';

/** The code that a typed error of any room carries, wherever it was thrown. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Calls of the wallet by name: one object for all of its life, though what stands behind it may be opened anew. */
export function callsByName(call: (name: keyof WalletApi, args: readonly unknown[]) => Promise<unknown>): WalletApi {
  return new Proxy({} as WalletApi, {
    get: (_, name: string) =>
      name === 'then' ? undefined : (...args: readonly unknown[]) => call(name as keyof WalletApi, args),
  });
}
