import { beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { ledgerConnector } from '../../src/device/index.ts';
import { MemoryJournalStore, restoreWallet } from '../../src/index.ts';
import { encodeAddress } from '../../src/protocol/index.ts';
import type { PricedRequest } from '../../src/wallet/api.ts';
import { type DeviceHost, WalletDevice } from '../../src/wallet/device/wallet-device.ts';
import { planPayment, readRequest } from '../../src/wallet/spend/index.ts';
import { reviewPayment } from '../../src/wallet/spend/review.ts';
import { liveApp, transportTo } from '../support/ledger/device.ts';
import { recordedSpend } from '../support/ledger/recorded-spend.ts';
import { traces } from '../support/ledger/traces.ts';
import { COIN, failsWith, pay, world } from './spend/payer.ts';

beforeAll(loadCrypto);

describe('a device with a small screen', () => {
  const small = (coins = 3) => {
    const { ctx } = world(Array.from({ length: coins }, () => ({ amount: 20n * COIN })));
    const device = { isNeeded: true, learnKeyImages: async () => 0, recipientsAtOnce: async () => 3 };
    return { ...ctx, device } as unknown as typeof ctx;
  };
  const planned = (ctx: ReturnType<typeof small>, request: PricedRequest) => planPayment(ctx, readRequest(request, ctx));
  const request = (recipients: number) =>
    ({ kind: 'transfer', destinations: Array.from({ length: recipients }, () => pay(COIN)), account: 0, priority: 1 }) as const;

  it('more recipients than it holds are paid by several transactions, and the review says why', async () => {
    const plan = await planned(small(), { ...request(5), severalTransactions: true });
    expect(plan.transactions.map(({ destinations }) => destinations.length)).toEqual([3, 2]);
    expect(reviewPayment(plan).warnings).toContain('device-shows-few');
    const few = await planned(small(), request(3));
    expect(few.transactions).toHaveLength(1);
    expect(reviewPayment(few).warnings).not.toContain('device-shows-few');
  });

  it('a payment in one transaction is refused when the device cannot show all recipients', async () => {
    await expect(planned(small(), request(5))).rejects.toMatchObject({
      code: 'too-many-destinations',
      data: { destinations: 5, most: 3 },
    });
    const sweep = { kind: 'sweep', address: pay(COIN).address, account: 0, priority: 1, outputs: 4 } as const;
    await expect(planned(small(), sweep)).rejects.toMatchObject(failsWith('bad-output-count'));
  });
});

describe('T6 a stranger’s coin', () => {
  it.each([
    ['has few multiples', `01${'00'.repeat(31)}`],
    ['is no point', `02${'00'.repeat(31)}`],
  ])('whose public key %s, over which the app would end, keeps it from telling no other', async (_, txPublicKey) => {
    const app = liveApp();
    const { unsigned } = recordedSpend(traces().find(({ name }) => name === '06b-send-2in-primary')!);
    const coins = unsigned.inputs.map(({ output }) => ({ ...output, keyImage: undefined, height: 1 }));
    const hostile = { ...coins[0]!, key: coins[0]!.key, txPublicKey };
    const outputs = new Map([hostile, ...coins].map((output, i) => [i, { output }]));
    const appended: (readonly { type: string; images: unknown[] }[])[] = [];
    const host = {
      state: { description: { kind: 'device' }, outputs, attributes: new Map(), height: 9 },
      keys: { primary: app.publicKeys, viewKey: app.keys.viewKey, network: 'mainnet' },
      random: systemRandom,
      trusted: true,
      append: async (events: readonly never[]) => void appended.push(events),
      still: (work: () => unknown) => work(),
      waitUntilSynced: async () => {},
    } as unknown as DeviceHost;
    const device = new WalletDevice(host);
    device.use(ledgerConnector(async () => transportTo(app), { random: systemRandom }));
    expect(await device.learnKeyImages()).toBe(coins.length);
    expect(app.alive).toBe(true);
    // One entry of the journal: a crash between the two would hide what spent the coins before.
    expect(appended.map((events) => events.map(({ type }) => type))).toEqual([['KeyImagesImported', 'RestoreHeightSet']]);
    expect(appended[0]![1]).toEqual({ type: 'RestoreHeightSet', height: 1 });
    expect(appended[0]![0]!.images).toEqual(unsigned.inputs.map(({ output: { key, keyImage } }) => ({ key, keyImage })));
    // The double ends over it, as the app does.
    await expect((await device.connect()).keyImages([hostile as never])).rejects.toMatchObject({ code: 'app-stopped' });
  });
});

it('the library makes a wallet of a device, which it lets go and reaches again when it needs it', async () => {
  const app = liveApp();
  const device = ledgerConnector(async () => transportTo(app), { random: systemRandom });
  const place = { store: new MemoryJournalStore(), name: 'on a device', password: 'correct horse' };
  const wallet = await restoreWallet({ ...place, network: 'mainnet', from: { device } });
  const primaryAddress = encodeAddress({ network: 'mainnet', kind: 'standard', ...app.publicKeys, paymentId: undefined });
  expect(wallet.description).toMatchObject({ kind: 'device', primaryAddress, restoreHeight: 0 });
  expect(wallet.device.connected).toBeUndefined();
  expect(await wallet.device.showAddress({ major: 0, minor: 0 })).toBe(primaryAddress);
  expect(wallet.device.connected?.appVersion).toBe('2.2.0');
  await expect(restoreWallet({ ...place, name: 'other', network: 'stagenet', from: { device } })).rejects.toMatchObject({
    code: 'wrong-network',
  });
  await wallet.close();
});
