import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import type { MoneroApp } from '../support/ledger/app.ts';
import { liveApp, type ServedApp, serveApp } from '../support/ledger/device.ts';
import type { Shown } from '../support/ledger/screen.ts';
import { type NightjarService, startNightjar, startWalletService } from '../support/nightjar.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { callRpc } from '../support/rpc.ts';

// The command line and the service with a device behind a socket, on monerod.

const PASSWORD = 'pw';
let folder: string;
let app: MoneroApp;
let device: ServedApp;
let daemon: Monerod;
let somebody: MoneroWalletRpc;
let service: NightjarService;
let refuses: Shown['title'] | undefined;

const call = <T = Record<string, unknown>>(method: string, params: unknown = {}) =>
  callRpc(service.url, method, params) as Promise<T>;

beforeAll(async () => {
  await loadCrypto();
  folder = mkdtempSync(join(tmpdir(), 'nightjar-device-'));
  app = liveApp({ owner: ({ title }) => title !== refuses });
  device = await serveApp(app);
  daemon = await startMonerod();
  somebody = await startWalletRpc({ daemon: daemon.url });
  await somebody.createWallet('somebody');
  const made = startNightjar([
    ...['generate-from-device', '--wallet-file', join(folder, 'mine'), '--hw-device', device.name, '--password', PASSWORD],
  ]);
  const [, address] = await made.line(/Generated new wallet on hw device: (\S+)/);
  expect(await made.ended).toBe(0);
  await daemon.generateBlocks(5, address!);
  await daemon.generateBlocks(70, await somebody.address());
  service = await startWalletService([
    ...['--wallet-dir', folder, '--hw-device', device.name, '--disable-rpc-login', '--daemon-address', daemon.url],
  ]);
  await call('open_wallet', { filename: 'mine', password: PASSWORD });
  await call('refresh');
});

afterAll(async () => {
  await service?.kill();
  await Promise.all([somebody?.stop(), device?.stop()]);
  await daemon?.stop();
  rmSync(folder, { recursive: true, force: true });
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
