import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningService } from '../../src/cli/wallet-rpc/command.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { METHODS } from '../../src/rpc/method-table.ts';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import type { WalletEvent } from '../../src/wallet/state/events.ts';
import { MINER_ADDRESS, MINER_SEED } from '../support/premined.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';
import { type Comparable, unordered, without } from '../support/rpc-both.ts';
import { callOver } from '../support/rpc-wire.ts';
import { startOurs } from '../support/three-services.ts';
import { besideEachOther } from '../support/two-services.ts';

// A wallet with a copy beside it that another password opens, and that has no spend key. Both services have the same seed on one chain.

const COIN = 1_000_000_000_000n;
const [PASSWORD, BACKGROUND_PASSWORD] = ['of the wallet', 'of its copy'];
const MAIN = { filename: 'main', password: PASSWORD };
const COPY = { filename: 'main.background', password: BACKGROUND_PASSWORD };
/** A name and a note of the person's, which the copy must not have. */
const WRITTEN = 'rent for the flat';

let folder: string;
let devnet: ServedDevnet;
let ours: RunningService;
let url: string;
let theirs: MoneroWalletRpc;

const { both, alike } = besideEachOther(() => [url, theirs.url]);

const setUp = (type: string, background = BACKGROUND_PASSWORD, password = PASSWORD) => ({
  background_sync_type: type,
  wallet_password: password,
  background_cache_password: background,
});

/** What the wallet has, without asking the daemon for more. Of labels the reference has its own while it syncs so: none, or `Untitled account`. */
async function holdings(): Promise<readonly Comparable[]> {
  const lists = { in: true, out: true, pending: true, all_accounts: true };
  const asked = [
    ['get_height', {}],
    ['get_balance', { all_accounts: true }],
    ['get_transfers', lists],
  ] as const;
  const held: Comparable[] = [];
  for (const [method, params] of asked) {
    const [our, their] = (await both(method, params)).map((answer) => without(unordered(answer), ['label']));
    expect(our, method).toEqual(their);
    held.push(our!);
  }
  return held;
}

function receive(amount: bigint): void {
  devnet.faucet.give(MINER_ADDRESS, amount);
  devnet.node.mine(devnet.minerWallet);
}

async function ourKeyImages(): Promise<readonly string[]> {
  const answer = (await callOver(url, 'incoming_transfers', { transfer_type: 'all' })) as { transfers: { key_image: string }[] };
  return answer.transfers.map(({ key_image: keyImage }) => keyImage);
}

/** Everything in a wallet file of ours. */
async function contents(
  name: string,
  password: string,
): Promise<{ readonly hasSpendKey: boolean; readonly events: WalletEvent[] }> {
  const journal = await new FileJournalStore(folder).open(name, password);
  const events: WalletEvent[] = [];
  for await (const event of journal.read()) events.push(event);
  const hasSpendKey = journal.secrets.spendKey !== undefined;
  await journal.close();
  return { hasSpendKey, events };
}

/** From now on no file of this process can grow, as on a full disk. */
async function fillDisk() {
  const file = await open(import.meta.filename, 'r');
  const write = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'write');
  await file.close();
  return write.mockRejectedValue(Object.assign(new Error('full'), { code: 'ENOSPC' }));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-background-'));
  devnet = await serveDevnet({ history: { blocks: 80, transactions: 0 } });
  ours = await startOurs(['--wallet-dir', folder, '--regtest', '--daemon-address', devnet.url]);
  url = `http://127.0.0.1:${ours.port}`;
  theirs = await startWalletRpc({ daemon: devnet.url });
  await both('auto_refresh', { enable: false });
  await both('restore_deterministic_wallet', { ...MAIN, seed: MINER_SEED, restore_height: 0 });
  await both('create_account', { label: WRITTEN });
  receive(5n * COIN);
  await both('refresh');
});

afterAll(async () => {
  await ours?.stop();
  await theirs?.stop();
  await devnet?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a background wallet with a password of its own', () => {
  it('is set up with both passwords, which differ', async () => {
    const type = 'custom-background-password';
    expect(await alike('setup_background_sync', setUp(type, PASSWORD))).toMatchObject({ code: '-1' });
    expect(await alike('setup_background_sync', setUp(type, BACKGROUND_PASSWORD, 'wrong'))).toMatchObject({ code: '-22' });
    expect(await alike('setup_background_sync', setUp(type))).toEqual({});
    await holdings();
  });

  it('T19 holds no spend key and nothing that the person wrote, in its file or by any answer', async () => {
    await both('close_wallet');
    const { hasSpendKey, events } = await contents(COPY.filename, BACKGROUND_PASSWORD);
    expect(hasSpendKey).toBe(false);
    expect(JSON.stringify(events, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(WRITTEN);
    expect(await alike('open_wallet', { ...COPY, password: PASSWORD })).toMatchObject({ code: '-1' });
    expect(await alike('open_wallet', COPY)).toEqual({});
    for (const key_type of ['mnemonic', 'spend_key'])
      expect(await alike('query_key', { key_type })).toMatchObject({ code: '-51' });
    expect(await alike('query_key', { key_type: 'view_key' })).toHaveProperty('key');
  });

  it('refuses what the reference refuses in one, and cannot be made to do more', async () => {
    /** Not asked: they would end it. */
    const ending = ['close_wallet', 'stop_wallet', 'set_daemon', 'query_key'];
    /** Refused by ours alone: what leaves is written down first, where the next start of the wallet finds it; a proof wants the spend key. */
    const more = ['relay_tx', 'submit_transfer', 'get_spend_proof'];
    const refused: [string[], string[]] = [[], []];
    for (const { name } of METHODS.filter(({ needs, name }) => needs !== 'nothing' && !ending.includes(name)))
      for (const [i, answer] of (await both(name)).entries())
        if ((answer as { code?: string }).code === '-51') refused[i]!.push(name);
    expect(refused[0]!.filter((name) => !more.includes(name))).toEqual(refused[1]);
    expect(refused[0]).toEqual(expect.arrayContaining(['transfer', 'get_address_book', ...more]));
    expect(await alike('start_background_sync')).toMatchObject({ code: '-1' });
    for (const wallet_password of [PASSWORD, BACKGROUND_PASSWORD]) {
      expect(await alike('stop_background_sync', { wallet_password })).toHaveProperty('code');
      expect(await alike('setup_background_sync', setUp('off', '', wallet_password))).toMatchObject({ code: '-1' });
    }
  });

  it('follows the chain, and the wallet has what came in as soon as it is open', async () => {
    receive(2n * COIN);
    await both('refresh');
    const [height] = await holdings();
    expect(await alike('open_wallet', MAIN)).toEqual({});
    expect((await holdings())[0]).toEqual(height);
    for (const keyImage of await ourKeyImages()) expect(keyImage).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is brought up to date when the wallet is stored, and when it is itself opened in its place', async () => {
    for (const leave of ['store', 'open']) {
      receive(COIN);
      await both('refresh');
      const [height, balance] = await holdings();
      if (leave === 'store') await both('store');
      expect(await alike('open_wallet', COPY), leave).toEqual({});
      expect((await holdings()).slice(0, 2)).toEqual([height, balance]);
      expect(await alike('open_wallet', MAIN)).toEqual({});
    }
  });

  it('T16 stays an older one where the disk is full, and another wallet is opened all the same', async () => {
    expect(await callOver(url, 'create_wallet', { filename: 'other', language: 'English' })).toEqual({});
    for (const to of ['other', 'main.background']) {
      expect(await callOver(url, 'open_wallet', MAIN)).toEqual({});
      const full = await fillDisk();
      try {
        expect(await callOver(url, 'store', {})).toMatchObject({ code: '-1' });
        expect(await callOver(url, 'open_wallet', to === 'other' ? { filename: to } : COPY), to).toEqual({});
      } finally {
        full.mockRestore();
      }
    }
    expect(await callOver(url, 'open_wallet', MAIN)).toEqual({});
    expect(await callOver(url, 'store', {})).toEqual({});
  });

  it('has what a wallet found that was closed while it synced without its spend key', async () => {
    expect(await alike('start_background_sync')).toEqual({});
    receive(3n * COIN);
    await both('refresh');
    const [height, balance] = await holdings();
    await both('close_wallet');
    expect(await alike('open_wallet', COPY)).toEqual({});
    expect((await holdings()).slice(0, 2)).toEqual([height, balance]);
    expect(await alike('open_wallet', MAIN)).toEqual({});
    await holdings();
  });

  it('has another password once it is set up again, and is gone once it is no longer wanted', async () => {
    expect(await alike('setup_background_sync', setUp('custom-background-password', 'another'))).toEqual({});
    await both('close_wallet');
    expect(await alike('open_wallet', COPY)).toMatchObject({ code: '-1' });
    expect(await alike('open_wallet', { ...COPY, password: 'another' })).toEqual({});
    expect(await alike('open_wallet', MAIN)).toEqual({});
    expect(await alike('setup_background_sync', setUp('off'))).toEqual({});
    for (const answer of await both('open_wallet', { ...COPY, password: 'another' }))
      expect(answer).toMatchObject({ code: '-1', message: expect.stringContaining('file not found') });
  });

  it('T16 does not take the place of another wallet of its name', async () => {
    const other = { filename: 'main.background', password: 'of somebody' };
    expect(await callOver(url, 'create_wallet', { ...other, language: 'English' })).toEqual({});
    expect(await callOver(url, 'open_wallet', MAIN)).toEqual({});
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await callOver(url, 'setup_background_sync', setUp('custom-background-password'))).toMatchObject({
        code: '-21',
        message: expect.stringContaining('Move its file main.background.nightjar out of the wallet folder'),
      });
    expect(await callOver(url, 'setup_background_sync', setUp('off'))).toEqual({});
    expect(await callOver(url, 'open_wallet', other)).toEqual({});
    expect(await callOver(url, 'query_key', { key_type: 'spend_key' })).toHaveProperty('key');
  });
});

describe('a wallet of the reference with background sync, taken over', () => {
  let moved: string;
  let service: RunningService;

  const call = (method: string, params: object = {}) => callOver(`http://127.0.0.1:${service.port}`, method, params);
  const balance = async (ask: (method: string, params: object) => Promise<Comparable> = call) =>
    (await ask('get_balance', {})) as { readonly balance: string };

  beforeAll(async () => {
    moved = mkdtempSync(join(tmpdir(), 'nightjar-moved-'));
    await theirs.rpc('open_wallet', MAIN);
    await theirs.rpc('setup_background_sync', setUp('custom-background-password'));
    receive(5n * COIN);
    for (let block = 0; block < 10; block++) devnet.node.mine(devnet.minerWallet);
    await theirs.rpc('refresh', {});
    await theirs.rpc('transfer', { destinations: [{ address: devnet.minerWallet.address, amount: COIN }] });
    devnet.node.mine(devnet.minerWallet);
    await theirs.rpc('refresh', {});
    await theirs.rpc('close_wallet', {});
    for (const file of ['main', 'main.keys', 'main.background', 'main.background.keys'])
      copyFileSync(join(theirs.walletDir, file), join(moved, file));
    service = await startOurs(['--wallet-dir', moved, '--regtest', '--daemon-address', devnet.url]);
    await call('auto_refresh', { enable: false });
  });

  afterAll(async () => {
    await service?.stop();
    rmSync(moved, { recursive: true, force: true });
  });

  it('T19 has its copy opened by the password of that, without a spend key, and with what was spent', async () => {
    await theirs.rpc('open_wallet', COPY);
    expect(await call('open_wallet', { ...COPY, password: PASSWORD })).toMatchObject({ code: '-1' });
    expect(await call('open_wallet', COPY)).toEqual({});
    await call('refresh');
    await theirs.rpc('refresh', {});
    expect(await balance()).toEqual(await balance((method, params) => callOver(theirs.url, method, params)));
    for (const method of ['transfer', 'freeze', 'export_key_images'])
      expect(await call(method), method).toMatchObject({ code: '-51' });
    for (const key_type of ['spend_key', 'view_key', 'mnemonic'])
      expect(await call('query_key', { key_type }), key_type).toEqual(await callOver(theirs.url, 'query_key', { key_type }));
  });

  it('is still set up for it, and brings the copy up to date', async () => {
    expect(await call('open_wallet', MAIN)).toEqual({});
    expect(await call('start_background_sync')).toEqual({});
    expect(await call('transfer')).toMatchObject({ code: '-52' });
    expect(await call('stop_background_sync', { wallet_password: PASSWORD })).toEqual({});
    // Coins whose key images the copy did not have from the reference.
    receive(5n * COIN);
    for (let block = 0; block < 10; block++) devnet.node.mine(devnet.minerWallet);
    await call('refresh');
    expect(await call('sweep_all', { address: devnet.minerWallet.address })).toHaveProperty('tx_hash_list');
    devnet.node.mine(devnet.minerWallet);
    await call('refresh');
    const { balance: left } = await balance();
    expect(await call('open_wallet', COPY)).toEqual({});
    await call('refresh');
    expect((await balance()).balance).toBe(left);
  });
});
