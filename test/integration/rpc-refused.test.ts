import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningService } from '../../src/cli/wallet-rpc/command.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { METHODS } from '../../src/rpc/method-table.ts';
import { freePort } from '../support/child.ts';
import { makeGroup, type Seat } from '../support/multisig-group.ts';
import { MINER_ADDRESS, MINER_SEED } from '../support/premined.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';
import { callRpc } from '../support/rpc.ts';
import { startOurs } from '../support/three-services.ts';
import { besideEachOther } from '../support/two-services.ts';
import { makeWalletCli } from '../support/wallet-cli.ts';

// What both services refuse because of the state that a wallet is in, beside each other. Their daemon is not there.

let folder: string;
let ours: RunningService;
let url: string;
let theirs: MoneroWalletRpc;

const { both, alike } = besideEachOther(() => [url, theirs.url]);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-refused-'));
  const daemon = `http://127.0.0.1:${await freePort()}`;
  ours = await startOurs(['--wallet-dir', folder, '--regtest', '--daemon-address', daemon]);
  url = `http://127.0.0.1:${ours.port}`;
  theirs = await startWalletRpc({ daemon });
  await both('auto_refresh', { enable: false });
});

afterAll(async () => {
  await ours?.stop();
  await theirs?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a wallet that syncs in the background', () => {
  const REFUSED = { code: '-52' };
  /** Not asked: they would end it, or take the daemon away, whose trust is asked for before. */
  const ENDING = ['stop_background_sync', 'close_wallet', 'stop_wallet', 'set_daemon'];
  /** Refused by ours alone: what leaves is on the disk first, which is locked, and a proof of the spend key needs that. */
  const OURS = ['relay_tx', 'submit_transfer', 'get_spend_proof'];
  const WALLET = { filename: 'syncing', password: 'pw' };
  let devnet: ServedDevnet;

  beforeAll(async () => {
    devnet = await serveDevnet({ history: { blocks: 20, transactions: 0 } });
    await both('restore_deterministic_wallet', { ...WALLET, seed: MINER_SEED, restore_height: 0 });
    const setup = { background_sync_type: 'reuse-wallet-password', wallet_password: WALLET.password };
    expect(await alike('setup_background_sync', setup)).toEqual({});
    expect(await alike('start_background_sync')).toEqual({});
  });
  afterAll(() => devnet?.stop());

  it('refuses the same methods, by each of their names, and those that send', async () => {
    const asked = METHODS.filter(({ needs, name }) => needs !== 'nothing' && !ENDING.includes(name));
    const refused: [string[], string[]] = [[], []];
    for (const name of asked.flatMap(({ name, aliases = [] }) => [name, ...aliases])) {
      const answers = await both(name);
      for (const [i, answer] of answers.entries()) if ((answer as { code?: string }).code === '-52') refused[i]!.push(name);
    }
    expect(refused[0]!.filter((name) => !OURS.includes(name))).toEqual(refused[1]);
    expect(refused[0]).toEqual(expect.arrayContaining(['sweep_dust', 'sweep_unmixable', ...OURS]));
  });

  it('stays as it is when it is opened again with a wrong password: so does the daemon that was set for it', async () => {
    expect(await alike('set_daemon', { address: devnet.url, trusted: true })).toEqual({});
    expect(await alike('open_wallet', { ...WALLET, password: 'wrong' })).toMatchObject({ code: '-1' });
    expect(await alike('sign', { data: 'x' })).toMatchObject(REFUSED);
    for (const answer of await both('refresh')) expect(answer).toHaveProperty('blocks_fetched');
  });

  it('has its spend key back when it is opened again, and the daemon of the start', async () => {
    expect(await alike('open_wallet', WALLET)).toEqual({});
    expect(await alike('query_key', { key_type: 'spend_key' })).toHaveProperty('key');
    for (const answer of await both('sign', { data: 'x' })) expect(answer).toHaveProperty('signature');
    expect(await alike('refresh')).toEqual({ code: '-38', message: 'no connection to daemon' });
  });
});

describe('a group’s wallet where multisig is off', () => {
  const DESTINATION = { address: MINER_ADDRESS, amount: 1 };

  beforeAll(async () => {
    const seats = [url, theirs.url].map((place): Seat => ({ rpc: (method, params) => callRpc(place, method, params ?? {}) }));
    await both('create_wallet', { filename: 'signer', language: 'English' });
    await makeGroup(seats, 2);
    await both('close_wallet');
    const key = `01${'0'.repeat(62)}`;
    const cli = await makeWalletCli({ keys: { address: MINER_ADDRESS, viewKey: key, spendKey: key } });
    for (const suffix of ['', '.keys'])
      cli.write(`wallet${suffix}`, new Uint8Array(readFileSync(join(theirs.walletDir, `signer${suffix}`))));
    await cli.run(['set', 'enable-multisig-experimental', '0'], '\n');
    for (const place of [theirs.walletDir, folder]) writeFileSync(join(place, 'off.keys'), cli.read('wallet.keys'));
    cli.remove();
    expect(await alike('open_wallet', { filename: 'off' })).toEqual({});
    expect(await alike('is_multisig')).toEqual({ multisig: true, ready: true, threshold: '2', total: '2' });
  });

  it.each([
    ['transfer', { destinations: [DESTINATION] }],
    ['transfer_split', { destinations: [DESTINATION] }],
    ['sweep_dust', {}],
    ['sweep_unmixable', {}],
    ['sweep_all', { address: MINER_ADDRESS }],
    ['sweep_single', { address: MINER_ADDRESS, key_image: 'ab'.repeat(32) }],
    ['sign_transfer', { unsigned_txset: '00' }],
    ['exchange_multisig_keys', { multisig_info: ['x'], password: '' }],
    ['export_multisig_info', {}],
    ['import_multisig_info', { info: ['00'] }],
    ['sign_multisig', { tx_data_hex: '00' }],
    ['submit_multisig', { tx_data_hex: '00' }],
  ])('%s is refused in the same words', async (method, params) => {
    expect(await alike(method, params)).toMatchObject({ code: '-48' });
  });

  it.each([
    ['prepare_multisig', {}],
    ['make_multisig', { multisig_info: ['x'], threshold: 2, password: '' }],
    ['describe_transfer', { multisig_txset: '00' }],
    ['get_balance', {}],
    ['get_address', {}],
  ])('%s is answered alike', async (method, params) => {
    await alike(method, params);
  });
});

describe('an address whose keys nobody can have', () => {
  beforeAll(async () => {
    await both('restore_deterministic_wallet', { filename: 'payer', seed: MINER_SEED });
  });

  it.each([
    [
      'what a group shows that is not ready',
      '41fJjQDhryD1111111111111111111111111111111111AKg6rEjXeoGWfr1Nd43QyWxjqGk56bV1dAL5rxgmJxnEL9nikR',
    ],
    ['a neutral view key', '44yQXfkWZNmJ8QgRfFWTzmJ8QgRfFWTzmJ8QgRfFWTzmJ4ZouD18wSf11111111111111111111111111111111113qMtBZ'],
    [
      'a spend key of order four',
      '41d7FXjswpK11111111111111111111111111111111114MJH91dcZTJ8QgRfFWTzmJ8QgRfFWTzmJ8QgRfFWTzmCX8AhF9',
    ],
    [
      'a spend key beside the subgroup',
      '49uadpLzL68eAiDR4mvHD8QtGYdSeaA3CSwhpoF2fQY2ew8DPDN8skr3Q68xyoie3ASK9sBTXNue95yhG7PE7RLs4toVaPb',
    ],
    ['a view key beside it', '49GJVK3YQ7G3Q68xyoie3ASK9sBTXNue95yhG7PE7RLs6q8LrjSt4NQeAiDR4mvHD8QtGYdSeaA3CSwhpoF2fQY2SXRA8dZ'],
  ])('is none, and is not paid: %s', async (_, text) => {
    expect(await alike('validate_address', { address: text })).toMatchObject({ valid: false });
    for (const [method, params] of [
      ['transfer', { destinations: [{ address: text, amount: 1 }] }],
      ['sweep_all', { address: text }],
      ['make_uri', { address: text }],
      ['parse_uri', { uri: `monero:${text}` }],
      ['add_address_book', { address: text }],
      ['make_integrated_address', { standard_address: text, payment_id: '1122334455667788' }],
      ['get_address_index', { address: text }],
      ['verify', { data: '', address: text, signature: 'SigV2' }],
      ['check_reserve_proof', { address: text, signature: '' }],
      ['generate_from_keys', { filename: 'nobody', address: text, viewkey: '01'.padEnd(64, '0') }],
    ] as const) {
      expect(await alike(method, params), method).toHaveProperty('code');
    }
  });
});
