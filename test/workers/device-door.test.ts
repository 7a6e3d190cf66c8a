import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { DaemonClient } from '../../src/daemon/index.ts';
import { DeviceError } from '../../src/device/errors.ts';
import type { DeviceTransport } from '../../src/device/transport/port.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { environment } from '../../src/wallet/environment.ts';
import type { WalletForm } from '../../workers/host.ts';
import { Host } from '../../workers/wallet-host.ts';
import { RemoteError, toWireError } from '../../workers/wire.ts';
import { CHEAP_KDF } from '../storage/samples.ts';
import type { MoneroApp } from '../support/ledger/app.ts';
import { liveApp, transportTo } from '../support/ledger/device.ts';

// The worker's side of a device that is plugged in at the page: a page of functions, and the double of the app behind them.

const form: WalletForm = {
  name: 'mine',
  password: 'a password',
  network: 'regtest',
  daemon: { url: '/daemon', trusted: false },
};
const TIP = { kind: 'height', height: 0 } as const;
const EXPORT_VIEW_KEY = 0x2002;

let host: Host;
let app: MoneroApp;
let transport: DeviceTransport | undefined;
let asked: number[];
let kinds: (string | undefined)[];
let failOpen: DeviceError | undefined;

beforeAll(loadCrypto);
beforeEach(async () => {
  const connect = () => DaemonClient.connect({ url: 'http://127.0.0.1:1' });
  host = new Host(environment({ store: new MemoryJournalStore({ kdf: CHEAP_KDF }), scanPool: createInlineScanPool, connect }));
  app = liveApp();
  asked = [];
  kinds = [];
  failOpen = undefined;
});

/** As errors come over from the page. */
const crossed = (error: unknown): RemoteError => new RemoteError(toWireError(new RemoteError(toWireError(error))));

const link = (): Promise<void> =>
  host.device.link(
    async () => {
      if (failOpen !== undefined) throw crossed(failOpen);
      transport = transportTo(app);
      return 'Nano X';
    },
    async (apdu, { question }) => {
      asked.push((apdu[1]! << 8) | apdu[2]!);
      kinds.push(question?.kind);
      return transport!.exchange(apdu).catch((error: unknown) => {
        throw crossed(error);
      });
    },
    async () => transport?.close(),
  );

describe('a device at the page, from the worker’s side', () => {
  it('says that there is no way before the page lends one', async () => {
    await expect(host.device.meet('regtest')).rejects.toMatchObject({ name: 'WalletError', code: 'no-device' });
  });

  it('meets it, makes a wallet once its owner has said yes, and asks for the view key that one time', async () => {
    await link();
    const met = await host.device.meet('regtest');
    expect(met).toMatchObject({ label: 'Nano X', appVersion: '2.2.0', fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) });
    await host.device.showPrimary();
    expect(app.screens.at(-1)).toEqual({ title: 'Address', text: met.address });
    await host.device.create(form, TIP);
    const view = await host.wallet.view();
    expect(view).toMatchObject({ kind: 'device', primaryAddress: met.address });
    expect(await host.device.fingerprint()).toBe(met.fingerprint);
    await host.device.showAddress({ major: 0, minor: 1 });
    expect(asked.filter((command) => command === EXPORT_VIEW_KEY)).toHaveLength(1);
    expect(kinds.filter((kind) => kind !== undefined)).toEqual(['address', 'view-key', 'address']);
    await host.lock();
  });

  it('the owner’s no makes no wallet, and can be followed by a yes', async () => {
    let word = false;
    app = liveApp({ owner: () => word });
    await link();
    await host.device.meet('regtest');
    await expect(host.device.create(form, TIP)).rejects.toMatchObject({ name: 'DeviceError', code: 'refused' });
    expect(await host.list()).toEqual([]);
    word = true;
    await host.device.create(form, TIP);
    await host.lock();
  });

  it('a device of another network, and one of other keys, are told by name and let go', async () => {
    await link();
    app = liveApp({ network: 'stagenet' });
    await expect(host.device.meet('regtest')).rejects.toMatchObject({ code: 'wrong-network', data: { network: 'stagenet' } });
    app = liveApp();
    await host.device.meet('regtest');
    await host.device.create(form, TIP);
    await host.device.release();
    app = liveApp({ account: 1 });
    await expect(host.device.connect()).rejects.toMatchObject({ code: 'wrong-device' });
    app = liveApp();
    await host.device.connect();
    await host.lock();
  });

  it('what the page’s end refuses keeps its name; whatever else comes from there is a device that went away', async () => {
    await link();
    failOpen = new DeviceError('in-use', 'expected that no other tab has the device', { tab: true });
    await expect(host.device.meet('regtest')).rejects.toMatchObject({ name: 'DeviceError', code: 'in-use', data: { tab: true } });
    failOpen = new TypeError('a fault of the page') as never;
    await expect(host.device.meet('regtest')).rejects.toMatchObject({ name: 'DeviceError', code: 'disconnected' });
  });

  it('an integrated address is told as the device writes it', async () => {
    await link();
    const { address } = await host.device.meet('regtest');
    await host.device.create(form, TIP);
    const integrated =
      '4KctcZGHivSe3J41sBdjvjaBUyz8qHohsQcGtRf63qEUTMBvmA45fpp5pSacMdSg7A3b71RejLzB8EkGbfjp5PELipMNxnGr3Wv1yGNjxV';
    expect(await host.device.asShown([integrated, address])).toEqual([address, address]);
    await host.lock();
  });
});
