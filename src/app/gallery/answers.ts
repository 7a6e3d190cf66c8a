import { RemoteError, type WalletHost } from '../../../workers/client.ts';
import type { WalletView } from '../../wallet/index.ts';
import { session } from '../managers/session.svelte.ts';
import { wallet } from '../managers/wallet.svelte.ts';
import { coins, contacts, group, history, site, subaddresses, view } from './values.ts';

/**
 * Canned answers to a component's calls. A call without one stays pending, which shows the waiting state.
 */
type Answers = Readonly<Record<string, unknown>>;

const never = (): Promise<never> => new Promise(() => undefined);
const at = (value: unknown) => (): Promise<unknown> => Promise.resolve(value);
const open = (known: Answers): unknown =>
  new Proxy(known, { get: (target, name) => (name === 'then' ? undefined : (target[String(name)] ?? never)) });

/** A call that fails with an error the page has a text for. */
export const refusing =
  (room: string, code: string, data: unknown = {}) =>
  (): Promise<never> =>
    Promise.reject(new RemoteError({ room, code, message: code, data }));

/** Gives every wallet a passkey or a PIN. */
export function hasAll(of: object): void {
  Object.defineProperty(of, 'has', { value: () => true });
}

/** View of the open wallet. */
function walletOf(shown: WalletView, more: Answers): unknown {
  const { group: ofGroup, offline, payments, addresses, ...rest } = more as Readonly<Record<string, Answers>>;
  const known: Answers = {
    view: at(shown),
    subscribe: at(() => undefined),
    history: at(history()),
    subaddresses: at(subaddresses),
    contacts: at(contacts),
    drafts: at([]),
    outputs: at(coins),
    group: open({ message: at(group.message), earlierMessages: at([group.message]), exportInfo: at(group.exported), ...ofGroup }),
    offline: open({ ...offline }),
    payments: open({ ...payments }),
    addresses: open({ ...addresses }),
    notes: open({}),
    ...rest,
  };
  return open(known);
}

/** Opens this wallet. */
export async function enter(shown: WalletView = view(), more: Answers = {}): Promise<void> {
  await wallet.enter(walletOf(shown, more) as typeof wallet.api);
}

/** Sets answers of the worker. */
export function host(more: Answers = {}): void {
  const { device, ...rest } = more as { readonly device?: Answers };
  const known: Answers = {
    site: at(site),
    daemon: at({ url: '/daemon', trusted: true }),
    device: open({
      fingerprint: at('8e4f27b1'),
      asShown: (addresses: readonly string[]) => Promise.resolve(addresses),
      ...device,
    }),
    ...rest,
  };
  Object.defineProperty(session, 'host', { value: open(known) as WalletHost, configurable: true });
}
