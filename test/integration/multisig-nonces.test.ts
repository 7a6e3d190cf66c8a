import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { exchangeInfo, makeGroup, type OwnSeat, type Seat, takeSeat } from '../support/multisig-group.ts';
import { type NightjarService, startWalletService } from '../support/nightjar.ts';
import { MINER_ADDRESS } from '../support/premined.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { callRpc } from '../support/rpc.ts';

// A group of theirs and ours, of whom ours is a process that is killed, and whose files are put back from a copy.
const XMR = 1_000_000_000_000n;
const STALE = { code: -35, message: expect.stringContaining('This signature was made with stale data') };

let folder: string;
let daemon: Monerod;
let theirs: OwnSeat;
let service: NightjarService;

const wallets = () => join(folder, 'wallets');
const ours: Seat = { rpc: (method, params) => callRpc(service.url, method, params) };

async function startOurs(): Promise<void> {
  const flags = ['--wallet-dir', wallets(), '--daemon-address', daemon.url, '--trusted-daemon', '--disable-rpc-login'];
  service = await startWalletService([...flags, '--max-concurrency', '1']);
  await ours.rpc('auto_refresh', { enable: false });
}

/** Ends ours as a power cut would, and opens its wallet again. */
async function restartOurs(meanwhile = () => undefined as unknown): Promise<void> {
  await service.kill();
  meanwhile();
  await startOurs();
  await ours.rpc('open_wallet', { filename: 'member', password: '' });
  await ours.rpc('refresh');
}

beforeAll(async () => {
  await loadCrypto();
  folder = mkdtempSync(join(tmpdir(), 'nightjar-nonces-'));
  daemon = await startMonerod({ premined: true });
  theirs = await takeSeat('theirs', daemon);
  await startOurs();
  await ours.rpc('create_wallet', { filename: 'member', password: '', language: 'English' });
  const address = await makeGroup([theirs, ours], 2);
  await daemon.generateBlocks(1, address);
  await daemon.generateBlocks(60, MINER_ADDRESS);
  for (const seat of [theirs, ours]) await seat.rpc('refresh');
});

afterAll(async () => {
  await service?.kill();
  await theirs?.stop();
  await daemon?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Of the one coin: every proposal is about the same nonces of ours until the next export. */
async function proposal(amount: bigint): Promise<string> {
  const params = { destinations: [{ address: MINER_ADDRESS, amount }] };
  return (await theirs.rpc<{ multisig_txset: string }>('transfer', params)).multisig_txset;
}

/** All files with their times, but for the sockets that stand for locks. */
function copyFiles(from: string, to: string): void {
  const filter = (source: string) => !basename(source).startsWith('.lock');
  cpSync(from, to, { recursive: true, preserveTimestamps: true, force: true, filter });
}

const sign = (set: string) => ours.rpc<{ tx_data_hex: string; tx_hash_list: string[] }>('sign_multisig', { tx_data_hex: set });

describe('T16 nonces of a signer', () => {
  it('outlive a kill, sign once, and never again: not after a kill, nor with files put back', async () => {
    await exchangeInfo([theirs, ours]);
    const [first, second] = [await proposal(XMR), await proposal(2n * XMR)];
    await restartOurs();
    const copy = join(folder, 'copy');
    copyFiles(wallets(), copy);

    expect((await sign(first)).tx_hash_list).toHaveLength(1);
    await expect(sign(second)).rejects.toMatchObject(STALE);
    await restartOurs();
    await expect(sign(second)).rejects.toMatchObject(STALE);

    await restartOurs(() => copyFiles(copy, wallets()));
    await expect(sign(second)).rejects.toMatchObject(STALE);
    await restartOurs(() => {
      rmSync(wallets(), { recursive: true });
      copyFiles(copy, wallets());
    });
    await expect(sign(second)).rejects.toMatchObject(STALE);
  });

  it('are new with the next export, and sign', async () => {
    await exchangeInfo([theirs, ours]);
    const { tx_data_hex, tx_hash_list } = await sign(await proposal(3n * XMR));
    expect((await ours.rpc<{ tx_hash_list: string[] }>('submit_multisig', { tx_data_hex })).tx_hash_list).toEqual(tx_hash_list);
    expect(await daemon.minePool(MINER_ADDRESS)).toBeGreaterThan(0);
  });
});
