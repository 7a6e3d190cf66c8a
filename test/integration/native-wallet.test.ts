import { copyFileSync, mkdtempSync, rmSync, truncateSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, furnish, tellAll } from '../support/native-wallet.ts';
import { type NightjarService, startWalletService } from '../support/nightjar.ts';
import { MINER_SEED } from '../support/premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { callRpc } from '../support/rpc.ts';
import { unordered } from '../support/rpc-both.ts';

// A wallet that people used with the reference's service is opened by ours, by its name, where its files lie.

const PASSWORD = 'pässword';
const XMR = 1_000_000_000_000;
let folder: string;
let ours: NightjarService;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-native-'));
  ours = await startWalletService(['--wallet-dir', folder, '--disable-rpc-login', '--offline']);
});

afterAll(async () => {
  await ours?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const create = (rpc: MoneroWalletRpc, filename: string) =>
  rpc.rpc('create_wallet', { filename, password: PASSWORD, language: 'English' });

/** Copies what the reference wrote into our folder, under another name. */
function copy(rpc: MoneroWalletRpc, from: string, to: string): void {
  copyFileSync(join(rpc.walletDir, `${from}.keys`), join(folder, `${to}.keys`));
  copyFileSync(join(rpc.walletDir, from), join(folder, to));
}

const open = (filename: string) => callRpc(ours.url, 'open_wallet', { filename, password: PASSWORD });

describe('a wallet of the reference taken over', () => {
  it.each([
    { release: '0.18.5.3', accounts: 8, subaddresses: 300 },
    { release: '0.18.0.0', accounts: 3, subaddresses: 40 },
  ] as const)(
    'of $release, before a block is scanned: every label and note, and the next address of each account',
    async (made) => {
      const theirs = await startWalletRpc({ release: made.release });
      try {
        await create(theirs, 'native');
        await furnish(theirs.url, made);
        await theirs.rpc('store');
        const name = `native ${made.release}`;
        copy(theirs, 'native', name);
        await open(name);
        expect(await tellAll(ours.url, made.accounts)).toEqual(await tellAll(theirs.url, made.accounts));
      } finally {
        await theirs.stop();
      }
    },
  );

  it.each([
    ['missing', (file: string) => unlinkSync(file), /cache file is missing/],
    ['cut short', (file: string) => truncateSync(file, 1000), /cache file is damaged/],
  ] as const)('T16 a cache that is %s: no address is given out twice, and it is said why', async (kind, spoil, words) => {
    const theirs = await startWalletRpc();
    try {
      await create(theirs, 'native');
      await furnish(theirs.url, { accounts: 3, subaddresses: 9 });
      await theirs.rpc('store');
      copy(theirs, 'native', kind);
      spoil(join(folder, kind));
      await open(kind);
      expect(await answerOf(ours.url, 'get_address')).toMatchObject({ address: await theirs.address() });
      for (const method of ['create_address', 'create_account']) {
        const answer = await answerOf(ours.url, method, { account_index: 0 });
        expect(answer).toMatchObject({ code: '-1', message: expect.stringMatching(words) });
      }
      // It is known after a restart too.
      await callRpc(ours.url, 'close_wallet', {});
      await open(kind);
      expect(await answerOf(ours.url, 'create_address', { account_index: 0 })).toMatchObject({ code: '-1' });
    } finally {
      await theirs.stop();
    }
  });
});

describe('a wallet of the reference that spent', () => {
  let daemon: Monerod;
  let theirs: MoneroWalletRpc;
  let following: NightjarService;
  const sent: string[] = [];
  const mine = async (blocks: number) => {
    await daemon.generateBlocks(blocks, await theirs.address());
    await theirs.refreshToHeight(daemon);
  };

  beforeAll(async () => {
    daemon = await startMonerod({ premined: true });
    theirs = await startWalletRpc({ daemon: daemon.url });
    const made = { filename: 'native', password: PASSWORD, seed: MINER_SEED, restore_height: 0, autosave_current: false };
    await theirs.rpc('restore_deterministic_wallet', made);
    await theirs.refreshToHeight(daemon);
    await furnish(theirs.url, { accounts: 4, subaddresses: 30 });
    const address = async (account: number, index: number) => {
      const answer = await theirs.rpc<{ addresses: { address: string }[] }>('get_address', {
        account_index: account,
        address_index: [index],
      });
      return answer.addresses[0]!.address;
    };
    const { entries } = await theirs.rpc<{ entries: { address: string }[] }>('get_address_book');
    const [somebody, byOrder] = entries.map((entry) => entry.address);
    // To an address, to an integrated one, and to several subaddresses, which takes keys of their own.
    for (const paid of [[somebody!], [byOrder!], [await address(1, 0), await address(2, 3), somebody!]]) {
      const { tx_hash } = await theirs.transfer(paid.map((to, i) => ({ address: to, amount: BigInt((1 + i) * XMR) })));
      sent.push(tx_hash);
    }
    await daemon.minePool(await theirs.address());
    await mine(12);
    await theirs.rpc('set_tx_notes', { txids: [sent[0]], notes: ['for the coffee'] });
    const { transfers } = await theirs.rpc<{ transfers: { key_image: string }[] }>('incoming_transfers', {
      transfer_type: 'available',
    });
    await theirs.rpc('freeze', { key_image: transfers[7]!.key_image });
    await theirs.rpc('store');
    copy(theirs, 'native', 'spent');
    copy(theirs, 'native', 'lost');
    unlinkSync(join(folder, 'lost'));
    await ours.kill();
    following = await startWalletService(['--wallet-dir', folder, '--disable-rpc-login', '--daemon-address', daemon.url]);
  }, 600_000);

  afterAll(async () => {
    await following?.kill();
    await theirs?.stop();
    await daemon?.stop();
  });

  it('keys, destinations, notes, and coins set aside are as the reference has them', async () => {
    await callRpc(following.url, 'open_wallet', { filename: 'spent', password: PASSWORD });
    await callRpc(following.url, 'refresh', {});
    for (const txid of sent) {
      const asked = ['get_tx_key', { txid }] as const;
      expect(await answerOf(following.url, ...asked)).toEqual(await answerOf(theirs.url, ...asked));
    }
    const filter = ['get_transfers', { out: true, all_accounts: true }] as const;
    const [mine, native] = [await answerOf(following.url, ...filter), await answerOf(theirs.url, ...filter)].map(unordered);
    expect(mine).toMatchObject({ out: expect.arrayContaining([expect.objectContaining({ note: 'for the coffee' })]) });
    expect(mine).toEqual(native);
    const balance = ['get_balance', { account_index: 0, all_accounts: true }] as const;
    expect(unordered(await answerOf(following.url, ...balance))).toEqual(unordered(await answerOf(theirs.url, ...balance)));
    const available = ['incoming_transfers', { transfer_type: 'available' }] as const;
    expect(await answerOf(following.url, ...available)).toEqual(await answerOf(theirs.url, ...available));
  });

  it('without its cache, the next address comes after the last one that was paid, once the scan is through', async () => {
    await callRpc(following.url, 'open_wallet', { filename: 'lost', password: PASSWORD });
    await callRpc(following.url, 'refresh', {});
    // Index 3 of account 2 was paid; what the reference gave out beyond it is not on the chain.
    expect(await answerOf(following.url, 'create_address', { account_index: 2 })).toMatchObject({ address_index: '4' });
  });
});
