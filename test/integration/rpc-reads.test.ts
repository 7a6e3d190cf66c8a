import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walletFromKeys } from '../../src/wallet/create-wallet.ts';
import { WalletKeys } from '../../src/wallet/keys.ts';
import type { Monerod, MoneroWalletRpc } from '../support/programs.ts';
import { type Comparable, without } from '../support/rpc-both.ts';
import { callOver } from '../support/rpc-wire.ts';
import { type Row, ThreeServices, testEach } from '../support/three-services.ts';

// What is read of a wallet over HTTP, beside the reference: one chain, one seed, the same requests.
let services: ThreeServices;
let daemon: Monerod;
let theirs: MoneroWalletRpc;
let payer: MoneroWalletRpc;
let old: MoneroWalletRpc;
let ourUrl: string;
let address: string;
let seed: string;
let stranger: string;
let integrated: string;
const XMR = 1_000_000_000_000n;

beforeAll(async () => {
  services = await ThreeServices.start();
  ({ daemon, theirs, payer, old, url: ourUrl, stranger } = services);
  ({ address, seed } = services.keys);
  await everywhere('create_account', { label: 'second' });
  await everywhere('create_address', { account_index: 1, label: 'till', count: 2 });
  await everywhere('create_account', { label: '' });
  ({ integrated_address: integrated } = (await callOver(ourUrl, 'make_integrated_address', {
    payment_id: '1122334455667788',
  })) as { integrated_address: string });
  await spread();
});

afterAll(() => services?.stop());

/** Money in several accounts and subaddresses, some of it locked. */
async function spread(): Promise<void> {
  await payer.refreshToHeight(daemon);
  const to = await theirs.rpc<{ addresses: { address: string }[] }>('get_address', { account_index: 1 });
  const at = (index: number, amount: bigint) => ({ address: to.addresses[index]!.address, amount: amount * XMR });
  await payer.transfer([at(0, 3n), at(1, 2n)]);
  await payer.transfer([at(1, 1n), at(2, 4n)], { unlock_time: 100_000 });
  await daemon.generateBlocks(5, stranger);
  await catchUp();
}

async function catchUp(): Promise<void> {
  await Promise.all([theirs.refreshToHeight(daemon), old.refreshToHeight(daemon), callOver(ourUrl, 'refresh', {})]);
}

const everywhere = (method: string, params: unknown): Promise<[Comparable, Comparable, Comparable]> =>
  services.everywhere(method, params);
const inTheirs = (method: string, params: unknown): Promise<Comparable[]> =>
  Promise.all([theirs, old].map(({ url }) => callOver(url, method, params)));
const each = (rows: readonly Row[]): void => testEach(() => services, rows);
const all = (rows: readonly Row[]): Promise<void> => services.expectAll(rows);

const U32_OVER = 2 ** 32;
const U64_OVER = 2n ** 64n;

describe('balances', () => {
  each([
    ['get_height', {}],
    ['getheight', {}],
    ['get_version', {}],
    ['get_default_fee_priority', {}],
    ['import_multisig_info', { info: ['00'], refresh_after_import: false }],
    ['exchange_multisig_keys', { multisig_info: ['x'], force_update_use_with_caution: true }],
    ['get_version', { anything: [1, 2] }],
    ['get_balance', {}],
    ['getbalance', {}],
    ['get_balance', { account_index: 0 }],
    ['get_balance', { account_index: 1 }],
    ['get_balance', { account_index: 2 }],
    ['get_balance', { account_index: 3 }],
    ['get_balance', { account_index: 4_000_000_000 }],
    ['get_balance', { account_index: 1, address_indices: [1] }],
    ['get_balance', { account_index: 1, address_indices: [2, 1, 1, 0] }],
    ['get_balance', { account_index: 1, address_indices: [9] }],
    ['get_balance', { account_index: 0, address_indices: [] }],
    ['get_balance', { account_index: 1, strict: true }],
    ['get_balance', { account_index: 0, strict: true }],
    ['get_balance', { all_accounts: true }],
    ['get_balance', { all_accounts: true, account_index: 9, address_indices: [7] }],
    ['get_balance', { all_accounts: true, strict: true }],
    ['get_balance', { account_index: null, address_indices: null, all_accounts: null, strict: null }],
    ['get_balance', { account_index: '0' }],
    ['get_balance', { account_index: -1 }],
    ['get_balance', { account_index: 1.5 }],
    ['get_balance', { account_index: U32_OVER }],
    ['get_balance', { account_index: true }],
    ['get_balance', { account_index: [1] }],
    ['get_balance', { account_index: {} }],
    ['get_balance', { address_indices: 1 }],
    ['get_balance', { address_indices: 'all' }],
    ['get_balance', { address_indices: ['a'] }],
    ['get_balance', { address_indices: [-1] }],
    ['get_balance', { address_indices: [U32_OVER] }],
    ['get_balance', { all_accounts: 1 }],
    ['get_balance', { all_accounts: 'true' }],
    ['get_balance', { strict: 0 }],
    ['get_balance', { unknown_field: 'ignored' }],
    ['get_balance', { account_index: [], all_accounts: [], strict: [] }],
    ['get_balance', null],
    ['get_balance', 5],
    ['get_balance', 'x'],
    ['get_balance', []],
    ['get_balance', [0]],
    ['get_accounts', {}],
    ['get_accounts', { strict_balances: true }],
    ['get_accounts', { tag: '' }],
    ['get_accounts', { tag: 'nobody has it' }],
    ['get_accounts', { tag: 'x', regexp: true }],
    ['get_accounts', { tag: '', regexp: true }],
    ['get_accounts', { tag: '(', regexp: true }, 'own words'],
    ['get_accounts', { tag: 5 }],
    ['get_accounts', { regexp: 'yes' }],
    ['get_accounts', { strict_balances: 1 }],
  ]);
});

describe('addresses', () => {
  each([
    ['get_address', {}],
    ['getaddress', {}],
    ['get_address', { account_index: 1 }],
    ['get_address', { account_index: 2 }],
    ['get_address', { account_index: 3 }],
    ['get_address', { account_index: 1, address_index: [2] }],
    ['get_address', { account_index: 1, address_index: [2, 0, 2] }],
    ['get_address', { account_index: 1, address_index: [3] }],
    ['get_address', { account_index: 1, address_index: [] }],
    ['get_address', { account_index: 9, address_index: [0] }],
    ['get_address', { account_index: 1, address_index: 2 }],
    ['get_address', { account_index: 1, address_index: ['2'] }],
    ['get_address', { account_index: -1 }],
    ['get_address', { account_index: U32_OVER }],
    ['get_address_index', {}],
    ['get_address_index', { address: '' }],
    ['get_address_index', { address: [] }],
    ['label_address', { index: [], label: [] }],
    ['get_address_index', { address: 'nobody' }],
    ['get_address_index', { address: 5 }],
    ['get_address_index', { address: null }],
    ['set_subaddress_lookahead', { password: 'nope', major_idx: 10, minor_idx: 10 }],
    ['create_address', { account_index: 9 }],
    ['create_address', { account_index: 2, count: 0 }],
    ['create_address', { account_index: 2, count: 65 }],
    ['create_address', { account_index: 2, count: 65_537 }],
    ['create_address', { account_index: 2, count: -1 }],
    ['create_address', [1]],
    ['create_address', { account_index: 2, count: '1' }],
    ['create_address', { account_index: 2, label: 5 }],
    ['create_address', { account_index: 2, label: 'made ünïcode ✓ "quoted"' }],
    ['create_address', { account_index: 2, count: 3 }],
    ['create_address', { account_index: 2, count: 2, label: 'pair' }],
    ['get_address', { account_index: 2 }],
    ['label_address', { index: { major: 2, minor: 1 }, label: 'renamed' }],
    ['label_address', { index: { major: 2, minor: 99 }, label: 'x' }],
    ['label_address', { index: { major: 99, minor: 0 }, label: 'x' }],
    ['label_address', { index: { major: 2 }, label: 'account by its first address' }],
    ['label_address', { index: { major: -1, minor: 0 }, label: 'x' }],
    ['label_address', { index: { major: '2', minor: 0 }, label: 'x' }],
    ['label_address', { index: { major: 2, minor: 1 } }],
    ['label_address', { index: { major: 2, minor: 2 }, label: 5 }],
    ['label_address', { index: 'x', label: 'first of all' }],
    ['label_address', { index: [1], label: 'first of all' }],
    ['label_address', {}],
    ['get_address', { account_index: 2 }],
    ['get_address', { account_index: 0 }],
    ['make_integrated_address', {}, 'random'],
    ['make_integrated_address', { payment_id: '' }, 'random'],
    ['make_integrated_address', { payment_id: '1122334455667788' }],
    ['make_integrated_address', { payment_id: 'AABBCCDDEEFF0011' }],
    ['make_integrated_address', { payment_id: '0000000000000000' }],
    ['make_integrated_address', { payment_id: '11' }],
    ['make_integrated_address', { payment_id: '112233445566778' }],
    ['make_integrated_address', { payment_id: '11223344556677889' }],
    ['make_integrated_address', { payment_id: 'zz22334455667788' }],
    ['make_integrated_address', { payment_id: 'aa'.repeat(32) }],
    ['make_integrated_address', { payment_id: 5 }],
    ['make_integrated_address', { standard_address: 'nobody' }],
    ['make_integrated_address', { standard_address: 5 }],
    ['split_integrated_address', {}],
    ['split_integrated_address', { integrated_address: 'nobody' }],
    ['split_integrated_address', { integrated_address: 5 }],
    ['validate_address', {}],
    ['validate_address', { address: '' }],
    ['validate_address', { address: 'nobody' }],
    ['validate_address', { address: 'nobody', any_net_type: true }],
    ['validate_address', { address: 5 }],
    ['validate_address', { address: 'x', any_net_type: 'yes' }],
  ]);

  it('every kind of address of the wallet and of others', async () => {
    const sub = ((await callOver(ourUrl, 'get_address', { account_index: 1 })) as { addresses: { address: string }[] }).addresses;
    const texts = [address, integrated, stranger, ...sub.map((one) => one.address), `${address.slice(0, -1)}x`, address.slice(1)];
    for (const text of texts) {
      await all([
        ['get_address_index', { address: text }],
        ['validate_address', { address: text }],
        ['validate_address', { address: text, any_net_type: true }],
        ['validate_address', { address: text, any_net_type: true, allow_openalias: false }],
        ['split_integrated_address', { integrated_address: text }],
        ['make_integrated_address', { standard_address: text, payment_id: '1122334455667788' }],
      ]);
    }
    for (const text of OTHER_NETWORKS) {
      await all([
        ['validate_address', { address: text }],
        ['validate_address', { address: text, any_net_type: true }],
        ['get_address_index', { address: text }],
      ]);
    }
  });
});

/** The reference's donation addresses of stagenet and testnet, as its sources print them. */
const OTHER_NETWORKS = [
  '575XqhXCUH6NZgMpr3rkVVMNGqv2ybDrYVbdn6rQxy3nKTJ5q2TD3fTRdt5ctNSKUsVsK5p2GoN3k4VmY7DaxiDsE3WUXEf',
  '9ujeXrjzf7bfeK3KZdCqnYaMwZVFuXemPU8Ubw335rj2FN1CdMiWNyFV3ksEfMFvRp9L9qum5UxkP5rN9aLcPxbH1au4WAB',
];

describe('accounts and tags', () => {
  each([
    ['create_account', { label: 'third' }],
    ['create_account', {}],
    ['create_account', { label: 5 }],
    ['label_account', { account_index: 3, label: 'renamed' }],
    ['label_account', { account_index: 99, label: 'x' }],
    ['label_account', { account_index: -1, label: 'x' }],
    ['label_account', { account_index: 4 }],
    ['label_account', { account_index: 3, label: true }],
    ['get_accounts', {}],
    ['get_account_tags', {}],
    ['tag_accounts', { tag: 'shops', accounts: [0, 2] }],
    ['tag_accounts', { tag: 'büro', accounts: [1] }],
    ['tag_accounts', { tag: 'shops', accounts: [2, 2, 3] }],
    ['get_account_tags', {}],
    ['set_account_tag_description', { tag: 'shops', description: 'all of them' }],
    ['set_account_tag_description', { tag: 'nobody', description: 'x' }],
    ['set_account_tag_description', { tag: '', description: 'x' }],
    ['set_account_tag_description', {}],
    ['set_account_tag_description', { tag: 'shops', description: 5 }],
    ['get_account_tags', {}],
    ['get_accounts', { tag: 'shops' }],
    ['get_accounts', { tag: 'büro' }],
    ['get_accounts', { tag: 'shop' }],
    ['get_accounts', { tag: 's.*', regexp: true }],
    ['get_accounts', { tag: 'shop', regexp: true }],
    ['get_accounts', { tag: 'shops|büro', regexp: true }],
    ['get_accounts', { tag: 'none.*', regexp: true }],
    ['tag_accounts', { tag: 'shops', accounts: [99] }],
    ['tag_accounts', { tag: 'shops', accounts: [] }],
    ['tag_accounts', { tag: 'shops', accounts: 0 }],
    ['tag_accounts', { tag: 'shops', accounts: ['0'] }],
    ['tag_accounts', { tag: 5, accounts: [0] }],
    ['tag_accounts', { tag: '', accounts: [3] }],
    ['get_account_tags', {}],
    ['untag_accounts', { accounts: [2] }],
    ['untag_accounts', { accounts: [99] }],
    ['untag_accounts', {}],
    ['get_account_tags', {}],
    ['untag_accounts', { accounts: [0, 1] }],
    ['get_account_tags', {}],
    ['get_accounts', {}],
    ['get_accounts', { tag: 'shops' }],
  ]);

  it('get_accounts takes its manual at its word, too: regex is regexp', async () => {
    await callOver(ourUrl, 'tag_accounts', { tag: 'tagged', accounts: [1] });
    const asked = { tag: 'tag+ed' };
    expect(await callOver(ourUrl, 'get_accounts', { ...asked, regex: true })).toMatchObject({
      subaddress_accounts: [{ account_index: '1', tag: 'tagged' }],
    });
    expect(await callOver(ourUrl, 'get_accounts', { ...asked, regex: false })).toMatchObject({ code: '-1' });
    await callOver(ourUrl, 'untag_accounts', { accounts: [1] });
  });
});

describe('keys', () => {
  each([
    ['query_key', { key_type: 'mnemonic' }],
    ['query_key', { key_type: 'view_key' }],
    ['query_key', { key_type: 'spend_key' }],
    ['query_key', { key_type: 'Spend_key' }],
    ['query_key', { key_type: '' }],
    ['query_key', {}],
    ['query_key', { key_type: 5 }],
    ['get_languages', {}],
  ]);
});

describe('the daemon', () => {
  each([
    ['refresh', {}],
    ['refresh', { start_height: 10 }],
    ['refresh', { start_height: 'ten' }],
    ['refresh', { start_height: -1 }],
    ['refresh', { start_height: 'x' }],
    ['refresh', { start_height: U64_OVER }],
    ['auto_refresh', { enable: 'no' }],
    ['auto_refresh', { enable: false, period: -1 }],
    ['auto_refresh', { enable: false, period: 5 }],
    ['auto_refresh', { enable: false }],
    ['rescan_spent', {}],
    ['store', {}],
    ['store', { anything: 1 }],
    ['scan_tx', {}],
    ['scan_tx', { txids: ['abcd'] }],
    ['scan_tx', { txids: ['zz'.repeat(32)] }],
    ['scan_tx', { txids: [5] }],
    ['set_daemon', { ssl_support: 'perhaps' }],
    ['set_daemon', { address: 'https://127.0.0.1:1', ssl_support: 'enabled' }],
    ['set_daemon', { trusted: 'yes' }],
    ['set_daemon', { address: 5 }],
    ['set_daemon', 'x'],
  ]);

  it('a refresh reports the received money and the number of blocks', async () => {
    await daemon.generateBlocks(2, stranger);
    expect(await everywhere('refresh', {})).toEqual([
      { blocks_fetched: '2', received_money: false },
      { blocks_fetched: '2', received_money: false },
      { blocks_fetched: '2', received_money: false },
    ]);
    await daemon.generateBlocks(1, address);
    await all([
      ['refresh', {}],
      ['get_height', {}],
      ['get_balance', { all_accounts: true }],
      ['incoming_transfers', { transfer_type: 'available' }],
    ]);
  });

  it('history starts with the newest entry, as in the reference’s tables', async () => {
    await daemon.generateBlocks(2, address);
    await catchUp();
    const heights = (answer: Comparable): unknown[] =>
      Object.values(answer as Record<string, { height?: string; block_height?: string }[]>)
        .flat()
        .map(({ height, block_height }) => height ?? block_height);
    for (const [method, params] of [
      ['get_transfers', { in: true }],
      ['get_bulk_payments', {}],
      ['get_payments', { payment_id: '0'.repeat(16) }],
    ] as const) {
      const [ours, today] = await everywhere(method, params);
      expect(new Set(heights(ours)).size, method).toBeGreaterThan(2);
      expect(heights(ours), method).toEqual(heights(today));
    }
  });

  it('without a daemon to talk to', async () => {
    const nowhere = { address: 'http://127.0.0.1:1', trusted: true };
    await all([['set_daemon', nowhere]]);
    await all([
      ['refresh', {}],
      ['get_balance', {}],
      ['get_height', {}],
      ['set_daemon', { address: daemon.url, trusted: true }],
      ['refresh', {}],
    ]);
  });

  it('scans again and finds the same, and keeps what the chain cannot give back', async () => {
    const before = await callOver(ourUrl, 'get_balance', { all_accounts: true });
    await callOver(ourUrl, 'set_tx_notes', { txids: ['ab'.repeat(32)], notes: ['kept'] });
    expect(await callOver(ourUrl, 'rescan_blockchain', {})).toEqual({});
    expect(without(await callOver(ourUrl, 'get_balance', { all_accounts: true }), ['time_to_unlock'])).toEqual(
      without(before, ['time_to_unlock']),
    );
    expect(await callOver(ourUrl, 'get_tx_notes', { txids: ['ab'.repeat(32)] })).toEqual({ notes: ['kept'] });
  });

  it('heights of wallets that have seen nothing yet, and of those that begin above the tip', async () => {
    for (const [filename, restore_height] of [
      ['from 0', 0],
      ['from 50', 50],
      ['from afar', 100_000],
    ] as const) {
      const restored = { filename, password: '', seed, restore_height };
      await all([
        ['restore_deterministic_wallet', restored],
        ['get_height', {}],
        ['transfer', { destinations: [{ address: stranger, amount: 1 }] }],
        ['sweep_all', { address: stranger }],
        ['refresh', {}],
        ['get_height', {}],
      ]);
    }
    await callOver(ourUrl, 'open_wallet', { filename: 'one', password: 'pw' });
    await inTheirs('open_wallet', { filename: 'one', password: '' });
    await catchUp();
  });

  it('a transaction below the restore height is found when it is named', async () => {
    const tip = await daemon.height();
    await daemon.generateBlocks(1, address);
    const { coinbase } = await blockAt(tip);
    await callOver(ourUrl, 'restore_deterministic_wallet', { filename: 'late', password: '', seed, restore_height: tip + 1 });
    await callOver(ourUrl, 'refresh', {});
    expect(await callOver(ourUrl, 'incoming_transfers', { transfer_type: 'all' })).toEqual({});
    expect(await callOver(ourUrl, 'scan_tx', { txids: ['ab'.repeat(32)] })).toMatchObject({ code: '-1' });
    expect(await callOver(ourUrl, 'scan_tx', { txids: [coinbase, coinbase.toUpperCase()] })).toEqual({});
    expect(await callOver(ourUrl, 'incoming_transfers', { transfer_type: 'all' })).toMatchObject({
      transfers: [{ tx_hash: coinbase }],
    });
    await callOver(ourUrl, 'open_wallet', { filename: 'one', password: 'pw' });
    await catchUp();
  });
});

describe('set_subaddress_lookahead', () => {
  it('of today’s release and of ours: an address beyond what was watched is known, and money at it is found', async () => {
    const own = await theirs.createWallet('far');
    const key = async (key_type: string) => (await theirs.rpc<{ key: string }>('query_key', { key_type })).key;
    const made = await walletFromKeys(await key('spend_key'), await key('view_key'), {
      network: 'regtest',
      from: { height: 0 },
      now: 0,
    });
    const [created] = made.first;
    if (created?.type !== 'Created') throw new Error('expected a first event');
    const far = WalletKeys.of(made.secrets, created.wallet).address({ major: 0, minor: 250 });
    const restored = { filename: 'far', password: '', seed: await theirs.seed(), restore_height: await daemon.height() };
    expect(await callOver(ourUrl, 'restore_deterministic_wallet', restored)).toMatchObject({ address: own });
    const two = async (method: string, params: object) =>
      Promise.all([callOver(ourUrl, method, params), callOver(theirs.url, method, params)]);
    const known = async () => {
      const [a, b] = await two('get_address_index', { address: far });
      expect(a).toEqual(b);
      return a;
    };
    expect(await known()).toMatchObject({ code: '-2' });
    const balances = async (balance: bigint) => {
      const [a, b] = await two('get_balance', { account_index: 0 });
      expect(a).toMatchObject({ balance: String(balance) });
      expect(without(a!, ['time_to_unlock'])).toEqual(without(b!, ['time_to_unlock']));
    };
    const { tx_hash } = await payer.transfer([{ address: far, amount: XMR }]);
    await daemon.minePool(stranger);
    await theirs.refreshToHeight(daemon);
    await callOver(ourUrl, 'refresh', {});
    await balances(0n);
    const wider = { major_idx: 3, minor_idx: 300 };
    const wrong = await two('set_subaddress_lookahead', { ...wider, password: 'wrong' });
    expect(wrong).toEqual([{ code: '-22', message: 'Invalid password.' }, wrong[0]]);
    expect(await two('set_subaddress_lookahead', { ...wider, password: '' })).toEqual([{}, {}]);
    expect(await known()).toEqual({ index: { major: '0', minor: '250' } });
    await payer.transfer([{ address: far, amount: 2n * XMR }]);
    await daemon.minePool(stranger);
    await theirs.refreshToHeight(daemon);
    await callOver(ourUrl, 'refresh', {});
    await balances(2n * XMR);
    // What was passed by before is found once it is named.
    expect(await two('scan_tx', { txids: [tx_hash] })).toEqual([{}, {}]);
    await balances(3n * XMR);
    await callOver(ourUrl, 'open_wallet', { filename: 'one', password: 'pw' });
    await callOver(theirs.url, 'open_wallet', { filename: 'one', password: '' });
    await catchUp();
  });
});

async function blockAt(height: number): Promise<{ coinbase: string }> {
  const { miner_tx_hash } = await daemon.rpc<{ miner_tx_hash: string }>('get_block', { height });
  return { coinbase: miner_tx_hash };
}
