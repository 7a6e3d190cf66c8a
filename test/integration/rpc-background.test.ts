import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bytesToHex, hexToBytes } from '../../src/base/index.ts';
import { systemRandom } from '../../src/crypto/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { toAtomicAmount } from '../../src/protocol/index.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { newWallet } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import type { Journal } from '../../src/wallet/ports.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { inside } from '../support/inside.ts';
import { ourAnswer } from '../support/rpc-both.ts';
import { oneWalletHost } from '../support/rpc-host.ts';
import { refreshToTip } from '../support/two-wallets.ts';

// A wallet that follows the chain without its spend key, on a chain of our own.

const COIN = 1_000_000_000_000n;
const PASSWORD = 'pass';
const SYNCING = {
  code: '-52',
  message: 'This command is disabled while background syncing. Stop background syncing to use this command.',
};

let devnet: ServedDevnet;
let wallet: Wallet;
let service: RpcService;
/** A payment that was made and not sent: its metadata, hex. */
let waiting: string;
const store = new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } });
const env = environment({
  store,
  scanPool: createInlineScanPool,
  sync: { pollEvery: 60_000, retryFirst: 10, retryMost: 50 },
});

const call = (method: string, params: object = {}) => ourAnswer(service, method, params);
const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i++) devnet.node.mine(devnet.minerWallet);
};
const catchUp = () => refreshToTip(wallet, devnet.node.chain.height);
const images = () => [...inside(wallet).state.outputs.values()].map(({ output }) => output.keyImage);
const address = () => inside(wallet).state.description.primaryAddress;

beforeAll(async () => {
  devnet = await serveDevnet({ history: { blocks: 200, transactions: 0 } });
  wallet = await Wallet.create(
    env,
    'one',
    PASSWORD,
    await newWallet(systemRandom, { network: 'regtest', from: { height: 190 }, now: 0 }),
  );
  await wallet.setDaemon({ url: devnet.url, trusted: true });
  service = new RpcService(oneWalletHost(wallet), { checkResults: true });
  devnet.faucet.give(address(), 5n * COIN);
  mine(11);
  await catchUp();
});

afterAll(async () => {
  await wallet?.close();
  await devnet?.stop();
});

describe('background sync', () => {
  it('is set up with the password, in the ways there are', async () => {
    const setup = (type: string, given: string, own = '') =>
      call('setup_background_sync', { background_sync_type: type, wallet_password: given, background_cache_password: own });
    expect(await call('start_background_sync')).toMatchObject({ code: '-1' });
    expect(await setup('sometimes', PASSWORD)).toEqual({ code: '-1', message: 'Unknown background sync type' });
    expect(await setup('reuse-wallet-password', 'wrong')).toEqual({ code: '-22', message: 'Invalid password.' });
    expect(await setup('custom-background-password', PASSWORD, PASSWORD)).toMatchObject({ code: '-1' });
    expect(await setup('reuse-wallet-password', PASSWORD)).toEqual({});
  });

  it('holds no spend key, nor what opens it, and refuses what needs one', async () => {
    const destinations = [{ address: devnet.minerWallet.address, amount: COIN }];
    const made = await call('transfer', { destinations, do_not_relay: true, get_tx_metadata: true });
    waiting = (made as { tx_metadata: string }).tx_metadata;
    const { keys, secrets, signer } = inside(wallet);
    const spendKey = secrets.spendKey!;
    // What was asked meanwhile waits its turn, and finds it on.
    const [started, noted] = await Promise.all([call('start_background_sync'), call('set_tx_notes')]);
    expect([started, noted]).toEqual([{}, SYNCING]);
    expect(bytesToHex(spendKey)).toBe('00'.repeat(32));
    expect([keys.spendKey, inside(wallet).secrets.spendKey]).toEqual([undefined, undefined]);
    const asked = { transactions: [{} as never] };
    await expect(signer!.sign(asked, { turn: async () => undefined })).rejects.toMatchObject({ code: 'view-only' });
    await expect(wallet.secrets.words()).rejects.toMatchObject({ code: 'view-only' });
    // A file without the spend key is no copy of this wallet.
    await expect(wallet.exportKeysFile(PASSWORD)).rejects.toMatchObject({ code: 'view-only' });
    const refused = ['transfer', 'sweep_all', 'sign', 'create_address', 'get_tx_key', 'get_spend_proof', 'export_key_images'];
    for (const method of [...refused, 'scan_tx']) expect(await call(method), method).toEqual(SYNCING);
    for (const key_type of ['mnemonic', 'spend_key']) expect(await call('query_key', { key_type })).toEqual(SYNCING);
    expect(await call('query_key', { key_type: 'view_key' })).toHaveProperty('key');
  });

  it('T16 lets nothing leave, and takes no word of the person, that the disk does not have', async () => {
    expect(await call('relay_tx', { hex: waiting })).toEqual(SYNCING);
    expect(await call('submit_transfer', { tx_data_hex: '00' })).toEqual(SYNCING);
    const refused = { code: 'view-only' };
    const destinations = [{ address: devnet.minerWallet.address, amount: toAtomicAmount(COIN) }];
    await expect(wallet.payments.pay({ kind: 'transfer', account: 0, priority: 1, destinations })).rejects.toMatchObject(refused);
    await expect(wallet.offline.relay(hexToBytes(waiting))).rejects.toMatchObject(refused);
    await expect(wallet.notes.write([{ txHash: '00'.repeat(32), note: 'rent' }])).rejects.toMatchObject(refused);
    const { sent, rings } = inside(wallet).state;
    expect([sent.size, rings.size, devnet.node.pool.all.length]).toEqual([0, 1, 0]);
  });

  it('sees what comes in meanwhile, and keeps what it found in memory', async () => {
    devnet.faucet.give(address(), 2n * COIN);
    mine(2);
    await catchUp();
    expect(await call('get_balance')).toMatchObject({ balance: `${7n * COIN}` });
    expect(images().filter((image) => image === undefined).length).toBe(1);
  });

  it('ends with the password, and what came in can be spent', async () => {
    expect(await call('stop_background_sync', { wallet_password: 'wrong' })).toEqual({
      code: '-22',
      message: 'Invalid password.',
    });
    expect(await call('transfer')).toEqual(SYNCING);
    expect(await call('stop_background_sync', { wallet_password: PASSWORD })).toEqual({});
    mine(10);
    await catchUp();
    expect(images()).not.toContain(undefined);
    const swept = await call('sweep_all', { address: devnet.minerWallet.address });
    expect(swept).toHaveProperty('tx_hash_list');
    expect(await call('stop_background_sync', { wallet_password: PASSWORD })).toEqual({});
  });

  it('is as if it had not been, for the wallet opened again', async () => {
    const before = [...inside(wallet).state.outputs.keys()];
    await wallet.close();
    wallet = await Wallet.open(env, 'one', PASSWORD);
    expect([...inside(wallet).state.outputs.keys()]).toEqual(before);
    expect(images()).not.toContain(undefined);
  });

  it('T16 that ends with the process on its way back is ended when the wallet is opened', async () => {
    const { backgroundSync } = wallet;
    await wallet.setDaemon({ url: devnet.url, trusted: true });
    await backgroundSync.start();
    devnet.faucet.give(address(), COIN);
    mine(2);
    await catchUp();
    // The disk takes what was kept, and nothing more.
    const { journal } = inside(wallet) as unknown as { journal: Journal };
    vi.spyOn(journal, 'append').mockRejectedValue(new Error('the power is gone'));
    await expect(backgroundSync.stop(PASSWORD)).rejects.toThrow('power');
    expect([backgroundSync.isOn, inside(wallet).keys.spendKey]).toEqual([true, undefined]);
    await wallet.close();
    wallet = await Wallet.open(env, 'one', PASSWORD);
    await wallet.setDaemon({ url: devnet.url, trusted: true });
    await catchUp();
    expect(images()).not.toContain(undefined);
  });
});
