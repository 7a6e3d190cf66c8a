import { type Endpoint, proxy } from 'comlink';
import type { WalletView } from '../src/wallet/index.ts';
import { type Call, serveCalls } from './comlink-calls.ts';
import type { DeviceCalls, PaperCalls, WalletHost } from './host.ts';
import { PART_CALLS, WALLET_CALLS } from './page-wallet.ts';

/**
 * The wallet worker's API for the page (T12): an explicit list of calls, so that nothing else in the worker can be reached. Answers contain no
 * secrets, except in calls that require the password.
 */

type HostCall = Exclude<keyof WalletHost, 'wallet' | 'device' | 'paper'>;

/** All calls of the host itself. */
const HOST_CALLS: Readonly<Record<HostCall, true>> = {
  site: true,
  list: true,
  setOffline: true,
  remove: true,
  create: true,
  seedLanguages: true,
  checkSeed: true,
  findSeedWord: true,
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
  readOnlyCalls: true,
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

/** All calls of a hardware device. */
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

/** All calls about a paper wallet. */
const PAPER_CALLS: Readonly<Record<keyof PaperCalls, true>> = { open: true, price: true, take: true, close: true };

/** Serves the API at an endpoint. */
export function servePage(host: WalletHost, endpoint: Endpoint): void {
  serveCalls(
    {
      ...calling(namesIn(HOST_CALLS), () => host),
      device: calling(namesIn(DEVICE_CALLS), () => host.device),
      paper: calling(namesIn(PAPER_CALLS), () => host.paper),
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

/** The unsubscribe function cannot be cloned, so it is passed as a comlink proxy. */
async function subscribe(host: WalletHost, listener: unknown) {
  if (typeof listener !== 'function') throw new TypeError('expected a function to call');
  return proxy(await host.wallet.subscribe(listener as (view: WalletView) => void));
}

const namesIn = <K extends string>(table: Readonly<Record<K, true>>): readonly K[] => Object.keys(table) as K[];

/** A forwarding function for each name. The target is looked up at each call, as wallets open and close. */
function calling<K extends string>(names: readonly K[], target: () => Readonly<Record<K, Call>>): Record<K, Call> {
  const calls = names.map((name) => [
    name,
    async (...args: never[]) => {
      try {
        return await target()[name](...args);
      } finally {
        forgetLastMatch();
      }
    },
  ]);
  return Object.fromEntries(calls) as Record<K, Call>;
}

/** Engines keep the whole text in which a regular expression last found something (`RegExp.input`), seed words included. */
function forgetLastMatch(): void {
  /^/.test('');
}
