import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonInput, stringifyJson } from '../../src/base/index.ts';
import { readFlags } from '../../src/cli/flags.ts';
import { type RunningService, startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { WalletKeys } from '../../src/wallet/keys.ts';
import { walletFromKeys } from '../../src/wallet/make.ts';
import { answerOfOld } from '../support/old-release.ts';
import { MINER_SEED } from '../support/premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { type Comparable, unordered, without } from '../support/rpc-both.ts';
import { answerTo, callOver, send } from '../support/rpc-wire.ts';

// The whole service over HTTP, started by the reference's flags, beside the reference: one chain, one seed, the same requests.
let daemon: Monerod;
let theirs: MoneroWalletRpc;
let payer: MoneroWalletRpc;
/** The release that the specification was written for: all that is asked of the reference of today is asked of it too. */
let old: MoneroWalletRpc;
let ours: RunningService;
let ourUrl: string;
let folder: string;
let address: string;
let viewKey: string;
let spendKey: string;
let seed: string;
let stranger: string;
let integrated: string;
const XMR = 1_000_000_000_000n;

const startOurs = (flags: readonly string[]): Promise<RunningService> =>
  startService(readSettings(readFlags('wallet-rpc', FLAGS, ['--rpc-bind-port', '0', '--disable-rpc-login', ...flags])));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-rpc-'));
  // That release lets money be locked until a height: those after it take none such into their pool.
  daemon = await startMonerod({ release: '0.18.0.0', premined: true });
  [payer, theirs, old] = await Promise.all([
    startWalletRpc({ daemon: daemon.url, release: '0.18.0.0' }),
    startWalletRpc({ daemon: daemon.url }),
    startWalletRpc({ daemon: daemon.url, release: '0.18.0.0' }),
  ]);
  const daemonFlags = ['--daemon-address', daemon.url, '--trusted-daemon', '--max-concurrency', '1'];
  ours = await startOurs(['--wallet-dir', join(folder, 'wallets'), ...daemonFlags]);
  ourUrl = `http://127.0.0.1:${ours.port}`;
  stranger = await payer.restoreWallet('payer', MINER_SEED);
  address = await theirs.createWallet('one');
  seed = await theirs.seed();
  await old.restoreWallet('one', seed);
  const key = async (key_type: string) => (await theirs.rpc<{ key: string }>('query_key', { key_type })).key;
  [viewKey, spendKey] = [await key('view_key'), await key('spend_key')];
  await daemon.generateBlocks(3, address);
  await daemon.generateBlocks(60, stranger);
  await callOver(ourUrl, 'auto_refresh', { enable: false });
  await callOver(ourUrl, 'restore_deterministic_wallet', { filename: 'one', password: 'pw', seed });
  await everywhere('create_account', { label: 'second' });
  await everywhere('create_address', { account_index: 1, label: 'till', count: 2 });
  await everywhere('create_account', { label: '' });
  ({ integrated_address: integrated } = (await callOver(ourUrl, 'make_integrated_address', {
    payment_id: '1122334455667788',
  })) as { integrated_address: string });
  await spread();
});

afterAll(async () => {
  await ours?.stop();
  await Promise.all([theirs?.stop(), payer?.stop(), old?.stop()]);
  await daemon?.stop();
  rmSync(folder, { recursive: true, force: true });
});

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

/** Our answer, that of today's release, and that of the old one. */
const everywhere = (method: string, params: unknown): Promise<[Comparable, Comparable, Comparable]> =>
  Promise.all([callOver(ourUrl, method, params), callOver(theirs.url, method, params), callOver(old.url, method, params)]);
const inTheirs = (method: string, params: unknown): Promise<Comparable[]> =>
  Promise.all([theirs, old].map(({ url }) => callOver(url, method, params)));

/** A request by name and parameters; `own words` where the wording of an error is ours, `random` where values are. */
type Row = readonly [method: string, params: unknown, how?: 'own words' | 'random'];

async function expectSame([method, params, how]: Row): Promise<void> {
  const answers = await everywhere(method, params);
  const dropped = how === 'own words' ? ['message'] : ['time_to_unlock'];
  const compared = answers.map((answer) => unordered(without(withoutFolders(answer), dropped)));
  const [a, b, c] = how === 'random' ? compared.map(shapeOf) : compared;
  expect(a).toEqual(b);
  const other = answerOfOld(method, params);
  if (other === undefined) expect(a, '0.18.0.0').toEqual(c);
  else expect(c, '0.18.0.0').toMatchObject(other.answer);
  for (const request of other?.instead ?? []) await callOver(old.url, method, request);
}

/** Files are named by their folder, and each side has its own. */
function withoutFolders(answer: Comparable): Comparable {
  const { code, message } = answer as { readonly code?: string; readonly message?: string };
  return code === undefined || message === undefined ? answer : { code, message: message.replace(/"\/.*\//, '"') };
}

function shapeOf(value: Comparable): Comparable {
  if (typeof value === 'string') return `text of ${value.length}`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(shapeOf);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field as Comparable)]));
}

function each(rows: readonly Row[]): void {
  for (const row of rows) it(`${row[0]} ${stringifyJson(row[1] as JsonInput)}`, () => expectSame(row));
}

/** Rows that need what only `beforeAll` knows. */
async function all(rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    await expectSame(row).catch((error: Error) => {
      throw new Error(`${row[0]} ${stringifyJson(row[1] as JsonInput)}: ${error.message}`, { cause: error });
    });
  }
}

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
    ['get_address_index', { address: 'nobody' }],
    ['get_address_index', { address: 5 }],
    ['get_address_index', { address: null }],
    ['set_subaddress_lookahead', { password: 'nope', major_idx: 10, minor_idx: 10 }],
    ['create_address', { account_index: 9 }],
    ['create_address', { account_index: 2, count: 0 }],
    ['create_address', { account_index: 2, count: 65 }],
    ['create_address', { account_index: 2, count: 65_537 }],
    ['create_address', { account_index: 2, count: -1 }],
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
  ]);

  it('a refresh tells what it brought', async () => {
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
    expect(await callOver(ourUrl, 'scan_tx', { txids: [coinbase] })).toEqual({});
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
    const made = await walletFromKeys(await key('spend_key'), await key('view_key'), 'regtest', { height: 0 }, 0);
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
    const wider = { major_idx: 3, minor_idx: 300 };
    const wrong = await two('set_subaddress_lookahead', { ...wider, password: 'wrong' });
    expect(wrong).toEqual([{ code: '-22', message: 'Invalid password.' }, wrong[0]]);
    expect(await two('set_subaddress_lookahead', { ...wider, password: '' })).toEqual([{}, {}]);
    expect(await known()).toEqual({ index: { major: '0', minor: '250' } });
    await payer.transfer([{ address: far, amount: 2n * XMR }]);
    await daemon.minePool(stranger);
    await theirs.refreshToHeight(daemon);
    await callOver(ourUrl, 'refresh', {});
    const [a, b] = await two('get_balance', { account_index: 0 });
    expect(a).toMatchObject({ balance: String(2n * XMR) });
    expect(without(a!, ['time_to_unlock'])).toEqual(without(b!, ['time_to_unlock']));
    await callOver(ourUrl, 'open_wallet', { filename: 'one', password: 'pw' });
    await callOver(theirs.url, 'open_wallet', { filename: 'one', password: '' });
    await catchUp();
  });
});

async function blockAt(height: number): Promise<{ coinbase: string }> {
  const { miner_tx_hash } = await daemon.rpc<{ miner_tx_hash: string }>('get_block', { height });
  return { coinbase: miner_tx_hash };
}

describe('requests that are no calls', () => {
  const bodies: readonly string[] = [
    '',
    '{}',
    '[]',
    '[{"id":1,"method":"get_version"}]',
    'null',
    '5',
    '"x"',
    '{"id":7}',
    '{"id":"z","method":null}',
    '{"id":"x","method":"nope"}',
    '{"id":3,"method":"nope","params":{"a":1}}',
    '{"method":"nope"}',
    '{"id":null,"method":"nope"}',
    '{"id":"x","method":""}',
    '{"id":"x","method":"GET_VERSION"}',
    '{"method":"get_version"}',
    '{"id":null,"method":"get_version"}',
    '{"id":5,"method":"get_version"}',
    '{"id":-5,"method":"get_version"}',
    '{"id":5.5,"method":"get_version"}',
    '{"id":true,"method":"get_version"}',
    '{"id":18446744073709551615,"method":"get_version"}',
    '{"id":18446744073709551616,"method":"get_version"}',
    '{"id":{"a":[1,2]},"method":"get_version"}',
    '{"id":["a","b"],"method":"get_version"}',
    '{"id":"ünï \\u2713 \\" \\\\","method":"get_version"}',
    '{"id":1,"id":2,"method":"get_version"}',
    '{"id":1,"method":"nope","method":"get_version"}',
    '{"id":1,"jsonrpc":"1.0","method":"get_version"}',
    '{"id":1,"jsonrpc":null,"method":"get_version"}',
    '{"id":1,"jsonrpc":2,"method":"get_version"}',
    '{"id":1,"jsonrpc":2.0,"method":"nope"}',
    '{"id":1,"method":"get_version","params":null}',
    '{"id":1,"method":"get_version","params":[1,2]}',
    '{"id":1,"method":"get_version","params":[1,"a"]}',
    '{"id":1,"method":"get_version","params":[[1]]}',
    '{"id":1,"method":"get_version","params":"x"}',
    '{"id":1,"method":"get_balance","params":{"account_index":99999999999999999999}}',
    '{"id":1,"method":"get_balance","params":{"account_index":-99999999999999999999}}',
    '{"id":1,"method":"get_balance","params":{"address_indices":[1,"a"]}}',
    '{"id":1,"method":"get_balance","params":{"address_indices":[[1]]}}',
    '{"id":1,"method":"get_balance","params":{"address_indices":[{"a":1}]}}',
    '{"id":1,"method":"get_height"}',
    ' \n\t{ "id" : 1 , "method" : "get_height" } \n',
    `{"id":1,"method":"get_version","params":${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`,
    `{"id":1,"method":"get_version","params":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`,
    '{"id":1,"method":"get_version"',
    '{"id":1 "method":"get_version"}',
    '{"id":1,"method":get_version}',
    '{"id":01,"method":"get_version"',
    '\u0000{"id":1,"method":"get_version"}',
  ];
  /** Where the reference reads what is no JSON, or breaks off; see docs/rpc-differences.md. */
  const better = new Map<string, number>([
    ['{"id":1,"method":"get_version"', -32700],
    ['{"id":01,"method":"get_version"', -32700],
  ]);
  for (const body of bodies) {
    it(`answers ${body.slice(0, 70)}`, async () => {
      const answer = await answerTo(ourUrl, body);
      const code = better.get(body);
      if (code !== undefined) expect(answer).toMatchObject({ error: { code: String(code) } });
      else expect(answer).toEqual(await answerTo(theirs.url, body));
      if (code === undefined && body.includes('get_version')) return;
      if (code === undefined) expect(answer, '0.18.0.0').toEqual(await answerTo(old.url, body));
    });
  }

  it('a method that is no text is an invalid request, where the reference fails with status 500', async () => {
    const body = '{"id":"z","method":5}';
    expect(await answerTo(ourUrl, body)).toMatchObject({ error: { code: '-32600' } });
    expect(await answerTo(theirs.url, body)).toEqual({ status: '500' });
  });

  it('bytes that are no UTF-8 are a parse error', async () => {
    const body = Buffer.from([...Buffer.from('{"id":"'), 0xff, 0xfe, ...Buffer.from('","method":"get_version"}')]);
    expect((await send(ourUrl, { body })).body).toContain('-32700');
  });

  it.each([
    { method: 'GET' },
    { method: 'PUT', body: '{"id":1,"method":"get_version"}' },
    { method: 'OPTIONS' },
    { path: '/', body: '{"id":1,"method":"get_version"}' },
    { path: '/json_rpc?x=1', body: '{"id":1,"method":"get_version"}' },
    { path: '/json_rpc/', body: '{"id":1,"method":"get_version"}' },
    { path: '/get_height', body: '{}' },
    { headers: { 'Content-Type': 'text/plain' }, body: '{"id":1,"method":"get_version"}' },
  ])('answers %o with the status of the reference', async (request) => {
    const [a, b] = [await send(ourUrl, request), await send(theirs.url, request)];
    expect(a.status).toBe(b.status);
    expect(a.headers['content-type'] ?? '').toBe(b.headers['content-type'] ?? '');
  });

  it('a page of another origin is turned away, where the reference would do what it says', async () => {
    const request = { headers: { Origin: 'https://evil.example' }, body: '{"id":1,"method":"get_version"}' };
    expect((await send(ourUrl, request)).status).toBe(403);
    expect((await send(theirs.url, request)).status).toBe(200);
  });
});

describe('wallet files', () => {
  each([
    ['create_wallet', { filename: 'made', password: 'p', language: 'English' }],
    ['create_wallet', { filename: 'made', password: 'p', language: 'English' }],
    ['create_wallet', { filename: 'x/y', language: 'English' }],
    ['create_wallet', { filename: 'z', language: 'Klingon' }],
    ['create_wallet', { filename: 'z' }],
    ['create_wallet', { filename: 5 }],
    ['open_wallet', { filename: 'nobody', password: '' }],
    ['open_wallet', { filename: 'made', password: 'wrong' }],
    ['open_wallet', { filename: 'x/y' }],
    ['open_wallet', { filename: '' }],
    ['open_wallet', { filename: 5 }],
    ['open_wallet', { filename: 'made', autosave_current: 'x' }],
    ['change_wallet_password', { old_password: 'wrong', new_password: 'q' }],
    ['change_wallet_password', { old_password: 'p', new_password: 'q' }],
    ['change_wallet_password', {}],
    ['close_wallet', { autosave_current: 5 }],
    ['close_wallet', {}],
    ['close_wallet', {}],
    ['get_balance', {}],
    ['get_height', {}],
    ['get_languages', {}],
    ['validate_address', { address: 'x' }],
    ['validate_address', { address: 'x', any_net_type: true }],
    ['query_key', { key_type: 'mnemonic' }],
    ['transfer', {}],
    ['get_transfers', { in: true }],
    ['is_multisig', {}],
    ['set_daemon', { address: 'x' }],
    ['refresh', {}],
    ['store', {}],
    ['open_wallet', { filename: 'made', password: 'p' }],
    ['open_wallet', { filename: 'made', password: 'q' }],
    ['open_wallet', { filename: 'made', password: 'q' }],
    ['open_wallet', { filename: 'made', password: 'p' }],
    ['label_account', { account_index: 0, label: 'still open' }],
    ['generate_from_keys', {}],
    ['generate_from_keys', { viewkey: 'ab' }],
    ['generate_from_keys', { viewkey: 'ab', address: 'x', filename: 'a/b' }],
    ['generate_from_keys', { viewkey: 'ab', address: 'x', filename: 'made' }],
    ['generate_from_keys', { viewkey: 'ab', address: 'x', filename: 'k1' }],
    ['restore_deterministic_wallet', {}],
    ['restore_deterministic_wallet', { seed: 'a b c', filename: 'r1' }],
    ['restore_deterministic_wallet', { seed: 'zz', filename: 'r1', enable_multisig_experimental: true }],
    ['restore_deterministic_wallet', { seed: '00', seed_offset: 'x', filename: 'r1', enable_multisig_experimental: true }],
    ['restore_deterministic_wallet', { seed: 'a b c', filename: 'r/1' }],
    ['restore_deterministic_wallet', { seed: 'a b c', filename: 'made' }],
    ['restore_deterministic_wallet', { seed: 5 }],
    ['restore_deterministic_wallet', { seed: 'x', restore_height: -1 }],
  ]);

  it('wallets from keys and from words', async () => {
    const words = seed.split(' ');
    await all([
      ['generate_from_keys', { filename: 'k2', address, viewkey: 'ab' }],
      ['generate_from_keys', { filename: 'k2', address, viewkey: viewKey, spendkey: 'zz' }],
      ['generate_from_keys', { filename: 'k3', address, viewkey: viewKey, restore_height: 5 }],
      ['get_address', {}],
      ['query_key', { key_type: 'view_key' }],
      ['query_key', { key_type: 'spend_key' }],
      ['query_key', { key_type: 'mnemonic' }],
      ['generate_from_keys', { filename: 'k4', address, viewkey: viewKey, spendkey: spendKey, language: 'German' }],
      ['query_key', { key_type: 'mnemonic' }],
      ['get_address', {}],
      ['restore_deterministic_wallet', { filename: 'k4', seed }],
      ['restore_deterministic_wallet', { filename: 'r2', seed, restore_height: 440, seed_offset: 'a passphrase' }],
      ['query_key', { key_type: 'mnemonic' }],
      ['restore_deterministic_wallet', { filename: 'r3', seed, language: 'German' }],
      ['restore_deterministic_wallet', { filename: 'r4', seed: words.slice(0, 24).join(' ') }],
      ['restore_deterministic_wallet', { filename: 'r5', seed: [...words.slice(0, 24), 'abbey'].join(' ') }],
      ['restore_deterministic_wallet', { filename: 'r6', seed: words.map((word) => word.slice(0, 3)).join(' ') }],
      ['get_address', {}],
    ]);
  });

  it('keys that are not of the address make no wallet, where the reference makes one that sees nothing', async () => {
    const wrong = [
      { address, viewkey: spendKey },
      { address, viewkey: viewKey, spendkey: viewKey },
      { address: stranger, viewkey: viewKey, spendkey: spendKey },
    ];
    for (const [i, keys] of wrong.entries()) {
      const [a, b] = await everywhere('generate_from_keys', { filename: `wrong${i}`, ...keys });
      expect(a).toMatchObject({ code: '-1' });
      expect(b).toMatchObject({ address: keys.address });
    }
  });

  it("opens the reference's own file, by its name, with its password", async () => {
    const keys = readFileSync(join(theirs.walletDir, 'one.keys'));
    const other = mkdtempSync(join(tmpdir(), 'nightjar-rpc-keys-'));
    writeFileSync(join(other, 'mine.keys'), keys);
    const service = await startOurs(['--wallet-dir', other, '--offline']);
    try {
      const url = `http://127.0.0.1:${service.port}`;
      expect(await callOver(url, 'open_wallet', { filename: 'mine', password: 'wrong' })).toMatchObject({ code: '-1' });
      expect(await callOver(url, 'open_wallet', { filename: 'mine' })).toEqual({});
      expect(await callOver(url, 'query_key', { key_type: 'mnemonic' })).toEqual({ key: seed });
    } finally {
      await service.stop();
      rmSync(other, { recursive: true, force: true });
    }
  });
});
