import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { LedgerDevice } from '../../src/device/index.ts';
import { connectByName } from '../../src/device/transport/by-name.ts';
import { walletFromDevice } from '../../src/wallet/device/make-wallet.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import type { MoneroApp } from '../support/ledger/app.ts';
import { liveApp, type ServedApp, serveApp } from '../support/ledger/device.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { quickEnvironment } from '../support/quick-environment.ts';
import { ledgerOfOurs, ledgerOfReference, refreshToTip } from '../support/two-wallets.ts';

// One wallet on a device, and the same keys in the reference's software: a day of payments between them and somebody else.

const XMR = 1_000_000_000_000n;
const STEPS = process.env.LONG === '1' ? 50 : 7;

let app: MoneroApp;
let served: ServedApp;
let daemon: Monerod;
let theirs: MoneroWalletRpc;
let somebody: MoneroWalletRpc;
let ours: Wallet;
let connections: LedgerDevice[];

beforeAll(async () => {
  await loadCrypto();
  app = liveApp();
  served = await serveApp(app);
  daemon = await startMonerod();
  [theirs, somebody] = await Promise.all([startWalletRpc({ daemon: daemon.url }), startWalletRpc({ daemon: daemon.url })]);
  connections = [];
  const connect = async () => {
    const device = await LedgerDevice.connect(await connectByName(served.name), { random: systemRandom });
    connections.push(device);
    return device;
  };
  const device = await connect();
  const made = await walletFromDevice(device, 'regtest', { height: 0 }, Math.floor(Date.now() / 1000));
  await device.close();
  ours = await Wallet.create(quickEnvironment(), 'device', 'pw', made);
  ours.device.use(connect);
  const { primaryAddress } = ours.description;
  const keys = { address: primaryAddress, spendkey: bytesToHex(app.keys.spendKey), viewkey: bytesToHex(app.keys.viewKey) };
  await theirs.rpc('generate_from_keys', { filename: 'software', password: '', restore_height: 0, ...keys });
  await somebody.rpc('create_wallet', { filename: 'somebody', password: '', language: 'English' });
  await daemon.generateBlocks(20, primaryAddress);
  await daemon.generateBlocks(70, await somebody.address());
  await ours.setDaemon({ url: daemon.url, trusted: false });
});

afterAll(async () => {
  await ours?.close();
  await Promise.all([theirs?.stop(), somebody?.stop(), served?.stop()]);
  await daemon?.stop();
});

async function agree(): Promise<void> {
  await refreshToTip(ours, await daemon.height());
  await ours.device.learnKeyImages();
  await refreshToTip(ours, await daemon.height());
  await theirs.refreshToHeight(daemon);
  const [mine, reference] = [await ledgerOfOurs(ours), await ledgerOfReference(theirs)];
  expect(mine.outputs).toEqual(reference.outputs);
  expect(mine.accounts).toEqual(reference.accounts);
}

async function mine(blocks = 1): Promise<void> {
  await daemon.generateBlocks(blocks, await somebody.address());
}

const destinations = async (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const made = await somebody.rpc<{ address: string }>('create_address', { account_index: 0, label: '' });
      return { address: i % 2 === 0 ? made.address : await somebody.address(), amount: (XMR / BigInt(3 + i)) as never };
    }),
  );

const request = { account: 0, priority: 1 } as const;

const steps: readonly [string, () => Promise<void>][] = [
  [
    'a payment to a primary address',
    async () => {
      const { id } = await ours.prepareTransfer({
        ...request,
        destinations: [{ address: await somebody.address(), amount: XMR as never }],
      });
      await ours.send(id);
    },
  ],
  [
    'a payment to a subaddress',
    async () => {
      const { id } = await ours.prepareTransfer({ ...request, destinations: await destinations(1) });
      await ours.send(id);
    },
  ],
  [
    'a payment to an integrated address',
    async () => {
      const { integrated_address: address } = await somebody.rpc<{ integrated_address: string }>('make_integrated_address', {
        payment_id: '1122334455667788',
      });
      const { id } = await ours.prepareTransfer({ ...request, destinations: [{ address, amount: XMR as never }] });
      await ours.send(id);
    },
  ],
  [
    'a payment to five, with keys of their own',
    async () => {
      const { id } = await ours.prepareTransfer({ ...request, destinations: await destinations(5) });
      await ours.send(id);
    },
  ],
  [
    'money for a subaddress of another account',
    async () => {
      if ((await ours.view()).accounts.length < 2) {
        await ours.addAccount('second');
        await theirs.rpc('create_account', { label: 'second' });
      }
      await somebody.refreshToHeight(daemon);
      await somebody.transfer([{ address: (await ours.subaddresses(1))[0]!.address, amount: 2n * XMR }]);
    },
  ],
  [
    'a payment to ourselves',
    async () => {
      const { address } = await ours.addSubaddress(0, 'own');
      await theirs.rpc('create_address', { account_index: 0, label: 'own' });
      const { id } = await ours.prepareTransfer({ ...request, destinations: [{ address, amount: (XMR / 7n) as never }] });
      await ours.send(id);
    },
  ],
  [
    'a sweep of the second account, with its dummy output',
    async () => {
      const account = (await ours.view()).accounts[1];
      if (account === undefined || account.balance.unlocked === 0n) return;
      const { id } = await ours.prepareSweep({ ...request, account: 1, address: await somebody.address() });
      await ours.send(id);
    },
  ],
];

describe('a day with a device', () => {
  it('the reference opens what the device gave: the same address', async () => {
    expect(await theirs.address()).toBe(ours.description.primaryAddress);
    await agree();
  });

  it(`${STEPS} steps: balances, coins and key images are those of the same keys in software`, async () => {
    for (let step = 0; step < STEPS; step++) {
      const at = STEPS > steps.length ? Math.floor(Math.random() * steps.length) : step;
      await refreshToTip(ours, await daemon.height());
      const [name, act] = steps[at]!;
      try {
        await act();
      } catch (error) {
        throw new Error(`step ${step}, ${name}: ${String(error)}`, { cause: error });
      }
      await mine(11);
      await agree();
    }
  }, 1_800_000);

  it('a proof of payment by the device holds for the reference', async () => {
    const sent = (await ours.history()).find(({ direction, destinations }) => direction === 'out' && destinations.length === 1)!;
    const [{ address } = { address: '' }] = sent.destinations;
    const signature = await ours.proofs.txProof({ txHash: sent.txHash, address, message: 'for the coffee' });
    const asked = { txid: sent.txHash, address, message: 'for the coffee', signature };
    expect(await somebody.rpc('check_tx_proof', asked)).toMatchObject({ good: true });
  });
});
