import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import type { MoneroApp } from '../support/ledger/app.ts';
import { connectDouble, liveApp, type ServedApp, serveApp } from '../support/ledger/device.ts';
import type { Shown } from '../support/ledger/screen.ts';
import { type NightjarService, startNightjar, startWalletService } from '../support/nightjar.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { callRpc } from '../support/rpc.ts';

// The command line and the service with a device behind a socket, on monerod.

const PASSWORD = 'pw';
/** The whole journey; the short form leaves out what is tested without programs too. */
const LONG = process.env.LONG === '1';
let folder: string;
let app: MoneroApp;
let device: ServedApp;
let daemon: Monerod;
let somebody: MoneroWalletRpc;
let service: NightjarService;
let refuses: Shown['title'] | undefined;
/** What happens while its owner looks at the fee. */
let meanwhile: (() => Promise<void>) | undefined;

const call = <T = Record<string, unknown>>(method: string, params: unknown = {}) =>
  callRpc(service.url, method, params) as Promise<T>;

beforeAll(async () => {
  await loadCrypto();
  folder = mkdtempSync(join(tmpdir(), 'nightjar-device-'));
  const owner = async ({ title }: Shown) => {
    if (title === 'Fee') await meanwhile?.();
    return title !== refuses;
  };
  app = liveApp({ owner });
  device = await serveApp(app);
  daemon = await startMonerod();
  somebody = await startWalletRpc({ daemon: daemon.url });
  await somebody.createWallet('somebody');
  const made = generate();
  const [, address] = await made.line(/Generated new wallet on hw device: (\S+)/);
  expect(await made.ended).toBe(0);
  await daemon.generateBlocks(5, address!);
  await daemon.generateBlocks(70, await somebody.address());
  await start();
});

/** `nightjar generate-from-device`, for the wallet that the tests open. */
const generate = (name = 'mine') =>
  startNightjar([
    ...['generate-from-device', '--wallet-file', join(folder, name), '--hw-device', device.name, '--password', PASSWORD],
  ]);

/** The service, with the wallet open and at the tip. */
async function start(name = device.name): Promise<void> {
  service = await startWalletService([
    ...['--wallet-dir', folder, '--hw-device', name, '--disable-rpc-login', '--daemon-address', daemon.url],
  ]);
  await call('open_wallet', { filename: 'mine', password: PASSWORD });
  await call('refresh');
}

afterAll(async () => {
  await service?.kill();
  await Promise.all([somebody?.stop(), device?.stop()]);
  await daemon?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['that a wallet has', 'mine', 'a wallet of this name is there already'],
  ['that no wallet can have', 'a:b', 'expected a wallet name of at most 128 characters'],
  ['that is only an ending', '.nightjar', 'expected a wallet name of at most 128 characters'],
])('a name %s is refused before the device asks its owner', async (_, name, said) => {
  app.screens.length = 0;
  const refused = generate(name);
  expect([await refused.ended, app.screens]).toEqual([1, []]);
  expect(refused.lines.join('\n')).toContain(said);
});

describe('a wallet on a device, over the service', () => {
  const destinations = async () => [{ address: await somebody.address(), amount: 1_000_000_000_000 }];

  it('answers for its keys as the reference does', async () => {
    expect(await call('query_key', { key_type: 'view_key' })).toEqual({ key: '0'.repeat(64) });
    expect(await call('query_key', { key_type: 'spend_key' })).toEqual({ key: 'f'.repeat(64) });
    await expect(call('query_key', { key_type: 'mnemonic' })).rejects.toThrow('non-deterministic');
    await expect(call('export_outputs')).rejects.toThrow('command not supported by HW wallet');
    await expect(call('sign', { data: 'hello' })).rejects.toThrow('command not supported by HW wallet');
  });

  it('knows the key images after a refresh', async () => {
    const { transfers } = await call<{ transfers: { key_image: string }[] }>('incoming_transfers', { transfer_type: 'all' });
    expect(transfers).toHaveLength(5);
    for (const { key_image } of transfers) expect(key_image).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each(['Fee', 'Amount', 'Change'] as const)('a no at %s: an error, nothing sent, the balance as it was', async (title) => {
    const before = await call('get_balance');
    refuses = title;
    await expect(call('transfer', { destinations: await destinations() })).rejects.toThrow('Transaction denied on device.');
    refuses = undefined;
    expect(await call('get_balance')).toEqual(before);
    expect(
      (await call<{ out?: unknown[]; pending?: unknown[] }>('get_transfers', { out: true, pending: true })).pending ?? [],
    ).toEqual([]);
  });

  it('a payment that its owner agrees to leaves, and the device showed it', async () => {
    app.screens.length = 0;
    const answer = await call<{ tx_hash: string; tx_key: string }>('transfer', {
      destinations: await destinations(),
      get_tx_key: true,
    });
    expect(answer.tx_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(app.screens.find(({ title }) => title === 'Amount')).toMatchObject({
      text: '1. XMR',
      destination: await somebody.address(),
    });
    expect((await call<{ tx_key: string }>('get_tx_key', { txid: answer.tx_hash })).tx_key).toBe(answer.tx_key);
    await daemon.minePool(await somebody.address());
    const asked = { txid: answer.tx_hash, address: await somebody.address(), message: '' };
    const { signature } = await call<{ signature: string }>('get_tx_proof', asked);
    expect(await somebody.rpc('check_tx_proof', { ...asked, signature })).toMatchObject({ good: true });
  });

  it('keys of a transaction are the device’s: get_tx_key gives them sealed, and check_tx_key says that they are none', async () => {
    await call('refresh');
    const [sent] = (await call<{ out: { txid: string }[] }>('get_transfers', { out: true })).out;
    const { tx_key } = await call<{ tx_key: string }>('get_tx_key', { txid: sent!.txid });
    const asked = { txid: sent!.txid, tx_key, address: await somebody.address() };
    // Sealed, it is as good as any other number: nothing that this transaction paid is found with it.
    expect(await call('check_tx_key', asked).catch(({ message }: Error) => message)).not.toMatchObject({
      received: 1_000_000_000_000,
    });
    await expect(call('set_tx_notes', { txids: [sent!.txid], notes: ['coffee'] })).resolves.toBeDefined();
  });

  it('what comes in is proved with the device: by its view key, which stands for itself there', async () => {
    const { address } = await call<{ address: string }>('create_address', { account_index: 0 });
    await somebody.refreshToHeight(daemon);
    const { tx_hash: txid } = await somebody.transfer([{ address, amount: 2_000_000_000_000n }]);
    await daemon.minePool(await somebody.address());
    await call('refresh');
    const { transfers } = await call<{ transfers: { tx_hash: string; key_image: string; subaddr_index: object }[] }>(
      'incoming_transfers',
      { transfer_type: 'all' },
    );
    const found = transfers.find(({ tx_hash }) => tx_hash === txid)!;
    expect(found.subaddr_index).toEqual({ major: 0, minor: 1 });
    expect(found.key_image).toMatch(/^[0-9a-f]{64}$/);
    const asked = { txid, address, message: 'came' };
    const { signature } = await call<{ signature: string }>('get_tx_proof', asked);
    expect(await somebody.rpc('check_tx_proof', { ...asked, signature })).toMatchObject({
      good: true,
      received: 2_000_000_000_000,
    });
  });

  it('messages are verified without it; what it cannot do is said, and it goes on', async () => {
    const data = 'hello';
    const { signature } = await somebody.rpc<{ signature: string }>('sign', { data });
    expect(await call('verify', { data, address: await somebody.address(), signature })).toMatchObject({ good: true });
    for (const method of ['export_key_images', 'get_reserve_proof', 'export_outputs'])
      await expect(call(method, { all: true }), method).rejects.toThrow('HW wallet');
    for (const method of ['import_outputs', 'submit_transfer', 'sign_transfer', 'describe_transfer'])
      await expect(call(method, {}), method).rejects.toMatchObject({
        code: -1,
        message: `${method}: command not supported by HW wallet`,
      });
    for (const method of ['setup_background_sync', 'start_background_sync', 'stop_background_sync'])
      await expect(call(method, {}), method).rejects.toMatchObject({
        code: -1,
        message: `${method}: Command not supported by HW wallet`,
      });
    expect(app.alive).toBe(true);
  });

  it.runIf(LONG)(
    'one coin is swept with the dummy output that the app takes, then all of them into four, on both versions of it',
    async () => {
      await daemon.generateBlocks(11, await somebody.address());
      await call('refresh');
      const { transfers } = await call<{ transfers: { key_image: string }[] }>('incoming_transfers', {
        transfer_type: 'available',
      });
      const { address: own } = await call<{ address: string }>('get_address');
      app.screens.length = 0;
      const single = await call<{ tx_hash: string; amount: number }>('sweep_single', {
        address: own,
        key_image: transfers[0]!.key_image,
      });
      // To its own first address both outputs are change: the device shows them so, the empty one too.
      expect(app.screens.map(({ title }) => title)).toEqual(['Fee', 'Change', 'Change']);
      expect(app.screens.map(({ text }) => text)).toContain('0. XMR');
      await daemon.generateBlocks(12, await somebody.address());
      app.reopen('2.1.3');
      await service.kill();
      await start();
      const all = await call<{ tx_hash_list: string[] }>('sweep_all', { address: own, subaddr_indices_all: true, outputs: 4 });
      expect(all.tx_hash_list).toHaveLength(1);
      await daemon.generateBlocks(12, await somebody.address());
      await call('refresh');
      expect(single.tx_hash).not.toBe(all.tx_hash_list[0]);
      app.reopen('2.2.0');
      await service.kill();
      await start();
    },
  );

  it('a wrong password opens nothing, and asks the device nothing', async () => {
    await call('close_wallet');
    const before = app.exchanges;
    await expect(call('open_wallet', { filename: 'mine', password: 'other' })).rejects.toThrow('password');
    expect(app.exchanges).toBe(before);
    await call('open_wallet', { filename: 'mine', password: PASSWORD });
    await call('refresh');
  });

  it.runIf(LONG)(
    'somebody else meets the app while its owner looks: the payment ends by name, nothing is sent, the next goes through',
    async () => {
      let met = Promise.resolve();
      meanwhile = () => {
        met = connectDouble(app).then((other) => other.close());
        return met;
      };
      const ended = await call('transfer', { destinations: await destinations() }).catch(({ message }: Error) => message);
      await met;
      meanwhile = undefined;
      expect(ended).toMatch(/expected (status 9000|the device|a device)/);
      expect(await daemon.path('get_transaction_pool_hashes')).not.toHaveProperty('tx_hashes');
      app.reopen();
      expect(await call('transfer', { destinations: await destinations() })).toMatchObject({ amount: 1_000_000_000_000 });
      await daemon.generateBlocks(12, await somebody.address());
    },
  );

  it.runIf(LONG)('an app that wants every round of a ring hashed stops the first payment, and signs the second', async () => {
    app.wantsEveryRound = true;
    await expect(call('transfer', { destinations: await destinations() })).rejects.toThrow('open the app again and repeat');
    app.reopen();
    const before = app.exchanges;
    expect(await call('transfer', { destinations: await destinations() })).toMatchObject({ amount: 1_000_000_000_000 });
    expect(app.exchanges - before).toBeGreaterThan(594);
    app.wantsEveryRound = false;
    await daemon.generateBlocks(12, await somebody.address());
  });

  it.runIf(LONG)('what a screen to touch does not hold takes transfer_split', async () => {
    const touch = liveApp({ touch: true });
    const served = await serveApp(touch);
    await service.kill();
    await start(`${served.name}/stax`);
    const four = await Promise.all(
      Array.from({ length: 4 }, async () => ({ address: await somebody.address(), amount: 1_000_000_000_000 })),
    );
    await expect(call('transfer', { destinations: four })).rejects.toThrow('try /transfer_split');
    const { tx_hash_list } = await call<{ tx_hash_list: string[] }>('transfer_split', { destinations: four });
    expect(tx_hash_list).toHaveLength(2);
    expect(touch.screens.filter(({ title }) => title === 'Amount')).toHaveLength(4);
    await service.kill();
    await served.stop();
    await start();
    await daemon.generateBlocks(12, await somebody.address());
  });

  it.runIf(LONG)('its .keys file is one of a hardware wallet for the reference, and ours opens it with the device', async () => {
    await service.kill();
    const path = join(folder, 'mine.keys');
    const exporting = startNightjar(['export-keys-file', '--wallet-file', join(folder, 'mine'), '--password', PASSWORD]);
    expect(await exporting.ended).toBe(0);
    await somebody.closeWallet();
    copyFileSync(path, join(somebody.walletDir, 'hardware.keys'));
    await expect(somebody.rpc('open_wallet', { filename: 'hardware', password: 'other' })).rejects.toThrow(/password/i);
    // The password holds, and it looks for the device: as far as it gets where there is none.
    await expect(somebody.rpc('open_wallet', { filename: 'hardware', password: PASSWORD })).rejects.toThrow(/device/i);
    await somebody.openWallet('somebody');
    copyFileSync(path, join(folder, 'again.keys'));
    await start();
    await call('close_wallet');
    await call('open_wallet', { filename: 'again', password: PASSWORD });
    const address = (await call<{ address: string }>('get_address')).address;
    await call('close_wallet');
    await call('open_wallet', { filename: 'mine', password: PASSWORD });
    expect((await call<{ address: string }>('get_address')).address).toBe(address);
    await call('refresh');
  });

  it('an app that was closed and opened again is met anew', async () => {
    app.alive = false;
    await daemon.generateBlocks(12, await somebody.address());
    await expect(call('transfer', { destinations: await destinations() })).rejects.toThrow('expected the device');
    app.reopen();
    expect(await call('transfer', { destinations: await destinations() })).toMatchObject({ amount: 1_000_000_000_000 });
  });

  it('another device than the one it was made from signs nothing', async () => {
    const other = await serveApp(liveApp({ account: 1 }));
    await service.kill();
    service = await startWalletService([
      ...['--wallet-dir', folder, '--hw-device', other.name, '--disable-rpc-login', '--daemon-address', daemon.url],
    ]);
    await call('open_wallet', { filename: 'mine', password: PASSWORD });
    await expect(call('transfer', { destinations: await destinations() })).rejects.toThrow(
      'expected the device that this wallet was made from',
    );
    await other.stop();
  });
});
