import { type Endpoint, proxy } from 'comlink';
import type { WalletView } from '../src/wallet/index.ts';
import { type Call, serveCalls } from './calls.ts';
import type { DeviceCalls, WalletHost } from './host.ts';
import { PART_CALLS, WALLET_CALLS } from './page-wallet.ts';

/**
 * The door between the wallet worker and the page (T12): an object of functions made for the page, and nothing of the worker's own.
 * Answers are views and what the person asked for by name; a secret is given for the password alone.
 */

type HostCall = Exclude<keyof WalletHost, 'wallet' | 'device'>;

/** Every call that the page has, and no other. */
const HOST_CALLS: Readonly<Record<HostCall, true>> = {
  site: true,
  list: true,
  stayOffline: true,
  remove: true,
  create: true,
  seedLanguages: true,
  checkSeed: true,
  recognise: true,
  rename: true,
  stretchPin: true,
  expectPassword: true,
  restoreFromSeed: true,
  restoreViewOnly: true,
  restoreFromKeys: true,
  restoreFromBackup: true,
  restoreFromKeysFile: true,
  createForGroup: true,
  restoreFromGroupSeed: true,
  open: true,
  lock: true,
  checkAddress: true,
  pairingCode: true,
  revealSeed: true,
  revealTxKey: true,
  readPairing: true,
  readWalletCode: true,
  daemon: true,
  nodeHealth: true,
  readingCalls: true,
  askNode: true,
  faucet: true,
  provePayment: true,
  checkPayment: true,
  signMessage: true,
  checkMessage: true,
  proveReserve: true,
  checkReserve: true,
  proveSpend: true,
  checkSpend: true,
  rpcMethods: true,
  rpc: true,
};

/** The same about a device. */
const DEVICE_CALLS: Readonly<Record<keyof DeviceCalls, true>> = {
  link: true,
  meet: true,
  showPrimary: true,
  create: true,
  fingerprint: true,
  connect: true,
  release: true,
  showAddress: true,
  asShown: true,
  keyImages: true,
  stopKeyImages: true,
};

/** Answers the page's calls at an endpoint. */
export function servePage(host: WalletHost, endpoint: Endpoint): void {
  serveCalls(
    {
      ...calling(namesIn(HOST_CALLS), () => host),
      device: calling(namesIn(DEVICE_CALLS), () => host.device),
      wallet: {
        ...calling(WALLET_CALLS, () => host.wallet),
        addresses: calling(PART_CALLS.addresses, () => host.wallet.addresses),
        notes: calling(PART_CALLS.notes, () => host.wallet.notes),
        chain: calling(PART_CALLS.chain, () => host.wallet.chain),
        payments: calling(PART_CALLS.payments, () => host.wallet.payments),
        offline: calling(PART_CALLS.offline, () => host.wallet.offline),
        group: calling(PART_CALLS.group, () => host.wallet.group),
        subscribe: (listener: unknown) => subscribe(host, listener),
      },
    },
    endpoint,
  );
}

/** The unsubscriber is a function, which cannot be cloned: it gets a door of its own. */
async function subscribe(host: WalletHost, listener: unknown) {
  if (typeof listener !== 'function') throw new TypeError('expected a function to call');
  return proxy(await host.wallet.subscribe(listener as (view: WalletView) => void));
}

/** The names that a table has a line for each. */
const namesIn = <K extends string>(table: Readonly<Record<K, true>>): readonly K[] => Object.keys(table) as K[];

/** A function for each name, which calls the target's method of that name. The target is looked up at each call. */
function calling<K extends string>(names: readonly K[], target: () => Readonly<Record<K, Call>>): Record<K, Call> {
  const calls = names.map((name) => [name, async (...args: never[]) => target()[name](...args)]);
  return Object.fromEntries(calls) as Record<K, Call>;
}
