import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFlags } from '../../src/cli/flags.ts';
import { type RunningService, startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { freePort } from '../support/child.ts';
import { MINER_ADDRESS, MINER_SEED } from '../support/premined.ts';
import { type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { callOver } from '../support/rpc-wire.ts';
import { besideEachOther } from '../support/two-services.ts';

// Both services with a daemon that is not there: clients find out by how they are refused.

let folder: string;
let ours: RunningService;
let url: string;
let theirs: MoneroWalletRpc;

const NOBODY = 'ab'.repeat(32);
const ask = (method: string, params: object = {}) => callOver(url, method, params);
const { both } = besideEachOther(() => [url, theirs.url]);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-nodaemon-'));
  const daemon = `http://127.0.0.1:${await freePort()}`;
  const flags = ['--rpc-bind-port', '0', '--disable-rpc-login', '--wallet-dir', folder, '--regtest'];
  flags.push('--daemon-address', daemon.replace('http://', ''));
  ours = await startService(readSettings(readFlags('wallet-rpc', FLAGS, flags)));
  url = `http://127.0.0.1:${ours.port}`;
  theirs = await startWalletRpc({ daemon });
  await both('auto_refresh', { enable: false });
  await both('restore_deterministic_wallet', { filename: 'one', seed: MINER_SEED, restore_height: 0 });
});

afterAll(async () => {
  await ours?.stop();
  await theirs?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a daemon that is not there', () => {
  const pay = { destinations: [{ address: MINER_ADDRESS, amount: 1 }] };
  const rows: readonly (readonly [string, object])[] = [
    ['check_reserve_proof', { address: MINER_ADDRESS, signature: 'ReserveProofV2' }],
    ['check_reserve_proof', { address: MINER_ADDRESS, signature: 'nonsense' }],
    ['check_reserve_proof', { address: 'nobody', signature: '' }],
    ['check_tx_key', { txid: NOBODY, tx_key: '01'.padEnd(64, '0'), address: MINER_ADDRESS }],
    ['check_tx_proof', { txid: NOBODY, address: MINER_ADDRESS, signature: `InProofV2${'1'.repeat(132)}` }],
    ['check_tx_proof', { txid: NOBODY, address: MINER_ADDRESS, signature: 'nonsense' }],
    ['check_spend_proof', { txid: NOBODY, signature: 'SpendProofV1' }],
    ['check_spend_proof', { txid: NOBODY, signature: 'nonsense' }],
    ['get_tx_proof', { txid: NOBODY, address: MINER_ADDRESS }],
    ['get_spend_proof', { txid: NOBODY }],
    ['get_reserve_proof', { all: true }],
    ['transfer', pay],
    ['transfer_split', pay],
    ['sweep_all', { address: MINER_ADDRESS }],
    ['sweep_all', { address: MINER_ADDRESS, subaddr_indices: [0] }],
    ['sweep_dust', {}],
    ['relay_tx', { hex: '00' }],
    ['refresh', {}],
    ['rescan_blockchain', {}],
    ['rescan_spent', {}],
    ['scan_tx', { txids: [NOBODY] }],
    ['get_height', {}],
    ['get_default_fee_priority', {}],
    ['import_key_images', { signed_key_images: [] }],
    ['start_mining', { threads_count: 1 }],
    ['stop_mining', {}],
    ['close_wallet', {}],
    ['open_wallet', { filename: 'one' }],
    ['create_wallet', { filename: 'two', language: 'English' }],
  ];

  it.each(rows.map(([method, params], i) => [method, i, params] as const))('%s (%i)', async (method, _, params) => {
    const [our, their] = await both(method, params);
    expect(our).toEqual(their);
  });
});

/** A status of BUSY as portable storage, and `untrusted`. */
const BUSY = Uint8Array.from(Buffer.from('01110101010102010108067374617475730a104255535909756e747275737465640b00', 'hex'));

describe.each([
  { what: 'a web page in place of a daemon', answer: () => '<html><body>Welcome</body></html>' },
  {
    what: 'a daemon that is busy',
    answer: (path = '') => {
      if (path.endsWith('.bin')) return BUSY;
      return path === '/json_rpc' ? '{"id":"0","jsonrpc":"2.0","result":{"status":"BUSY"}}' : '{"status":"BUSY"}';
    },
  },
])('$what', ({ answer }) => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end(answer(request.url)));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await both('open_wallet', { filename: 'one' });
    await both('set_daemon', { address: `127.0.0.1:${port}`, trusted: true });
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it.each([
    ['refresh', {}],
    ['get_spend_proof', { txid: NOBODY }],
    ['check_spend_proof', { txid: NOBODY, signature: 'SpendProofV1' }],
    ['rescan_blockchain', {}],
    ['check_tx_key', { txid: NOBODY, tx_key: '01'.padEnd(64, '0'), address: MINER_ADDRESS }],
    ['check_reserve_proof', { address: MINER_ADDRESS, signature: 'ReserveProofV2' }],
  ])('%s', async (method, params) => {
    const [our, their] = await both(method, params);
    expect(our).toEqual(their);
    expect(our).toHaveProperty('code');
  });
});

describe('set_daemon', () => {
  let devnet: ServedDevnet;
  beforeAll(async () => {
    devnet = await serveDevnet({ history: { blocks: 20, transactions: 0 } });
  });
  afterAll(() => devnet?.stop());

  it.each([
    {},
    { address: '' },
    { address: 'localhost:1', ssl_support: 'perhaps' },
    { address: 'localhost:1', ssl_support: 'enabled' },
    { address: 'localhost:1', ssl_allowed_fingerprints: ['xx'] },
    { address: 'localhost:1', ssl_allowed_fingerprints: ['aabb'] },
    { address: 'localhost:1', ssl_allowed_fingerprints: ['ab'.repeat(32)] },
    { address: 'localhost:1', proxy: '127.0.0.1:9' },
  ])('%j is answered alike', async (params) => {
    const [our, their] = await both('set_daemon', params);
    expect(our).toEqual(their);
    // Without a daemon, with a dead one, or with one behind a proxy that is not there.
    const [refreshed, theirsRefreshed] = await both('refresh');
    expect(refreshed).toEqual(theirsRefreshed);
  });

  it('a proxy that is none is refused, and what was used before is used still', async () => {
    expect(await ask('set_daemon', { address: devnet.url })).toEqual({});
    expect(await ask('set_daemon', { address: devnet.url, proxy: 'x' })).toMatchObject({ code: '-38' });
    expect(await ask('refresh')).toHaveProperty('blocks_fetched');
  });

  it('without an address the daemon of before is asked no more', async () => {
    expect(await ask('set_daemon', { address: devnet.url })).toEqual({});
    expect(await ask('refresh')).toHaveProperty('blocks_fetched');
    expect(await ask('set_daemon')).toEqual({});
    expect(await ask('refresh')).toEqual({ code: '-38', message: 'no connection to daemon' });
    expect(await ask('get_transfers', { pool: true })).toEqual({});
  });

  it.each([true, false])(
    'without an address, trusted %s: what only a trusted daemon is asked is answered alike',
    async (trusted) => {
      await both('set_daemon', { trusted });
      for (const [method, params] of [
        ['rescan_spent', {}],
        ['import_key_images', {}],
        ['start_mining', { threads_count: 1 }],
        ['start_mining', {}],
      ] as const) {
        const [our, their] = await both(method, params);
        expect(our, method).toEqual(their);
      }
    },
  );

  it('with a login reaches a daemon that asks for one, and with another one it does not', async () => {
    const guarded = await startMonerod({ login: 'me:secret word' });
    try {
      const asked = { address: guarded.url, trusted: true };
      for (const [username, password, reached] of [
        ['me', 'secret word', true],
        ['me', 'wrong', false],
        ['', '', false],
        ['me', 'secret word', true],
      ] as const) {
        const [our, their] = await both('set_daemon', { ...asked, username, password });
        expect(our).toEqual(their);
        const answers = await both('refresh');
        expect(answers[0], `${username}:${password}`).toEqual(answers[1]);
        expect(Object.hasOwn(answers[0] as object, 'blocks_fetched'), `${username}:${password}`).toBe(reached);
      }
    } finally {
      await guarded.stop();
    }
  });

  it('is the open wallet’s: the next one begins with the daemon of the start', async () => {
    expect(await ask('set_daemon', { address: devnet.url })).toEqual({});
    for (const [method, params] of [
      ['create_wallet', { filename: 'three', language: 'English' }],
      ['open_wallet', { filename: 'one' }],
    ] as const) {
      expect(await ask(method, params)).toEqual({});
      expect(await ask('refresh')).toEqual({ code: '-38', message: 'no connection to daemon' });
    }
  });
});
