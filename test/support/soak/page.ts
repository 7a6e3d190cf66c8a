import { type RemoteError, startWallet, type WalletHost } from '../../../workers/client.ts';
import { callAt } from './wallet.ts';

/** A page without a user interface: the page's own client and workers, called by name from the test. */

/** The outcome of a call, in a form that can be passed to the test: a typed error keeps its code. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly error: { readonly name: string; readonly code: string | undefined; readonly message: string } };

export interface SoakPage {
  host(name: keyof WalletHost, args: readonly unknown[]): Promise<Outcome>;
  wallet(path: readonly string[], args: readonly unknown[]): Promise<Outcome>;
  /** Why the wallet worker died by itself; undefined while it is alive. */
  crash(): string | undefined;
}

let crash: string | undefined;
const { host } = startWallet((reason) => {
  crash = reason;
});

async function outcome(target: object, path: readonly string[], args: readonly unknown[]): Promise<Outcome> {
  try {
    return { value: await callAt(target, path, args) };
  } catch (error) {
    const { name: room, code, message } = error as RemoteError;
    return { error: { name: room, code, message } };
  }
}

const soakPage: SoakPage = {
  host: (name, args) => outcome(host, [name], args),
  wallet: (path, args) => outcome(host.wallet, path, args),
  crash: () => crash,
};

Object.assign(globalThis, { soakPage });
