import { proxy, type Remote, releaseProxy, wrap } from 'comlink';
import { proxyCallsOnly } from './comlink-calls.ts';
import type { PagePart, WalletHost } from './host.ts';
import { scriptUrl } from './trusted-types.ts';
import walletWorkerUrl from './wallet.worker.ts?worker&url';
import { RemoteError, transferTypedErrors } from './wire.ts';

export type * from './host.ts';
export { RemoteError, toWireError } from './wire.ts';

/** The page's handle on the wallet worker. */
export interface WalletClient {
  /** Every call rejects with `worker-stopped` once the worker has died. */
  readonly host: WalletHost;
  /** Terminates the worker at once, whatever it is doing: the journal is designed for that. */
  terminate(): void;
}

transferTypedErrors();
proxyCallsOnly();

/**
 * Starts the wallet worker.
 * @param onCrash called once if the worker dies by itself; the caller starts another one and asks for the password again.
 */
export function startWallet(onCrash: (reason: string) => void): WalletClient {
  const worker = new Worker(scriptUrl(walletWorkerUrl), { type: 'module', name: 'nightjar wallet' });
  const remote = wrap<WalletHost>(worker);
  let alive = true;
  let die: (error: RemoteError) => void = () => undefined;
  const death = new Promise<never>((_, reject) => {
    die = reject;
  });
  death.catch(() => undefined);

  const end = (reason: string): void => {
    if (!alive) return;
    alive = false;
    die(new RemoteError({ room: 'page', code: 'worker-stopped', message: reason, data: undefined }));
    remote[releaseProxy]();
    worker.terminate();
  };
  worker.addEventListener('error', (event) => {
    if (!alive) return;
    end(event.message || 'the wallet worker stopped');
    onCrash(event.message);
  });

  return { host: guarded(remote, death), terminate: () => end('ended by the page') };
}

/** Names of objects that have calls themselves. */
const PARTS: Readonly<Record<PagePart | 'wallet' | 'device' | 'paper', true>> = {
  ...{ wallet: true, device: true, paper: true },
  ...{ addresses: true, notes: true, chain: true, payments: true, offline: true, group: true },
};

/** The remote host as a plain `WalletHost`: calls race with the worker's death, and callbacks are proxied. */
function guarded(remote: Remote<WalletHost>, death: Promise<never>): WalletHost {
  const caller = (target: object): object =>
    new Proxy(target, {
      get: (_, method) => {
        if (method === 'then') return undefined;
        if (Object.hasOwn(PARTS, method)) return caller(Reflect.get(target, method) as object);
        return (...args: readonly unknown[]) => {
          const call = Reflect.get(target, method) as (...args: unknown[]) => Promise<unknown>;
          return Promise.race([call(...args.map(toRemote)), death]);
        };
      },
    });
  return caller(remote) as WalletHost;
}

const toRemote = (argument: unknown): unknown =>
  typeof argument === 'function' ? proxy(argument as (...args: never[]) => void) : argument;
