import { afterAll, beforeAll, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { systemRandom } from '../../src/crypto/index.ts';
import { DaemonClient } from '../../src/daemon/index.ts';
import { WATCHED_BLOCKS } from '../../src/daemon/limits.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { decodePortableStorage, encodePortableStorage, StorageObject, storage } from '../../src/protocol/index.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import type { DaemonSettings } from '../../src/wallet/api.ts';
import { type NewWallet, newWallet, walletFromViewKey } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { PlainBackend } from '../support/plain-backend.ts';
import { refreshToTip } from '../support/two-wallets.ts';
import { keysOf } from '../wallet/support.ts';

const COIN = 1_000_000_000_000n;
const QUICK = { pollEvery: 60_000, retryFirst: 10, retryMost: 50 };

let devnet: ServedDevnet;
const store = new PlainBackend();
/** Whether no daemon shows a whole block. */
let hidesBlocks = false;

beforeAll(async () => {
  devnet = await serveDevnet({ history: { blocks: 200, transactions: 0 } });
});
afterAll(() => devnet?.stop());

const tip = () => devnet.node.chain.height;
const mine = (blocks = 1) => {
  for (let i = 0; i < blocks; i++) devnet.node.mine(devnet.minerWallet);
};

/** A wallet, and all that it ever asked of its daemon; a look that asks for the same as the one before counts once. */
interface Watched {
  readonly wallet: Wallet;
  readonly asked: string[];
}

/** The time since when the pool is told is the daemon's own. */
const SINCE = 'pool_info_since';

/** A request as the daemon sees it. */
function spelt(path: string, body: RequestInit['body']): string {
  if (!(body instanceof Uint8Array)) throw new Error('expected bytes');
  if (!path.endsWith('.bin')) return `${path} ${new TextDecoder().decode(body)}`;
  const { entries } = decodePortableStorage(body);
  const told = new StorageObject(new Map([...entries].filter(([name]) => name !== SINCE)));
  return `${path} ${entries.has(SINCE)} ${bytesToHex(encodePortableStorage(told))}`;
}

const made = () => newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 });

async function watched(name: string, of: NewWallet, trusted = false): Promise<Watched> {
  const asked: string[] = [];
  const recording = (async (input, init) => {
    if (hidesBlocks && String(input).endsWith(WHOLE)) throw new TypeError('expected no such question');
    const request = spelt(new URL(String(input)).pathname, init?.body);
    if (asked.at(-1) !== request) asked.push(request);
    return fetch(input, init);
  }) as typeof fetch;
  const connect = ({ url }: DaemonSettings) => DaemonClient.connect({ url, fetch: recording });
  const env = environment({ store, scanPool: createInlineScanPool, connect, sync: QUICK });
  const wallet = await Wallet.create(env, name, 'pw', of);
  await wallet.setDaemon({ url: devnet.url, trusted });
  return { wallet, asked };
}

/** Two wallets from the first block on, the first of which is paid, long ago and just now, at addresses that widen what it looks out for. */
async function paidAndUnpaid(trusted: boolean): Promise<[Watched, Watched]> {
  const [paid, other] = [await made(), await made()];
  const give = (minor: number) => devnet.faucet.give(keysOf(paid).address({ major: 0, minor }), COIN);
  give(0);
  mine();
  give(150);
  mine(2 * WATCHED_BLOCKS);
  give(300);
  mine(2);
  const both: [Watched, Watched] = [
    await watched(`paid ${trusted}`, paid, trusted),
    await watched(`other ${trusted}`, other, trusted),
  ];
  for (const one of both) await settle(one);
  give(1);
  for (const one of both) await settle(one);
  mine();
  for (const one of both) await settle(one);
  return both;
}

/** At the tip, with more looks for the blocks to be seen whole, ten at each. */
async function settle({ wallet }: Watched): Promise<void> {
  await refreshToTip(wallet, tip());
  for (let i = 0; i < WATCHED_BLOCKS / 10; i++) await wallet.refresh();
}

/** Path of requests for whole blocks. */
const WHOLE = '/get_blocks_by_height.bin';
/** Requests for whole blocks, as {@link spelt}. */
const whole = (asked: readonly string[]) => asked.filter((one) => one.startsWith(WHOLE));
/** A request for these whole blocks. */
const wholeOf = (...heights: readonly number[]) =>
  `${WHOLE} false ${bytesToHex(encodePortableStorage(storage.object({ heights: storage.u64s(heights.map(BigInt))! })))}`;

const payments = async ({ wallet }: Watched) =>
  (await wallet.history()).map(({ confirmations, verified }) => ({ confirmations, verified }));

it('T24 an untrusted daemon is asked for the same by a wallet that was paid and by one that was not', async () => {
  const both = await paidAndUnpaid(false);
  const [paid, other] = both;
  const [old, older] = [2 * WATCHED_BLOCKS + 3, 2 * WATCHED_BLOCKS + 4].map((confirmations) => ({
    confirmations,
    verified: false,
  }));
  expect(await payments(paid)).toEqual([{ confirmations: 1, verified: true }, { confirmations: 3, verified: true }, old, older]);
  expect(await payments(other)).toEqual([]);
  expect(paid.asked).toEqual(other.asked);
  for (const { wallet } of both) await wallet.close();
});

it('T5 a trusted daemon is asked for the blocks of payments alone, however old', async () => {
  const both = await paidAndUnpaid(true);
  const [paid, other] = both;
  expect((await payments(paid)).map(({ verified }) => verified)).toEqual([true, true, true, true]);
  expect([whole(paid.asked).length, whole(other.asked).length]).toEqual([2, 0]);
  for (const { wallet } of both) await wallet.close();
});

it('T24 an untrusted daemon is asked for the block of one old payment when a person asks to have it checked, and for no other', async () => {
  const of = await made();
  const at = [1, 2].map((minor) => {
    devnet.faucet.give(keysOf(of).address({ major: 0, minor }), COIN);
    mine();
    return tip() - 1;
  });
  mine(2 * WATCHED_BLOCKS);
  const one = await watched('by name', of);
  await settle(one);
  const { wallet, asked } = one;
  const verified = async () => (await wallet.history()).map((entry) => entry.verified);
  const [, older] = await wallet.history();
  const before = asked.length;
  expect(older!.height).toBe(at[0]);
  expect(await wallet.chain.verifyPayment(older!.txHash)).toBe(true);
  expect(await verified()).toEqual([false, true]);
  expect(whole(asked.slice(before))).toEqual([wholeOf(at[0]!)]);
  // Nor again, by itself or by name.
  expect(await wallet.chain.verifyPayment(older!.txHash)).toBe(true);
  await settle(one);
  expect(whole(asked.slice(before))).toHaveLength(1);
  await expect(wallet.chain.verifyPayment('ab'.repeat(32))).rejects.toMatchObject({ code: 'not-found' });
  await wallet.pause();
  const [newer] = await wallet.history();
  await expect(wallet.chain.verifyPayment(newer!.txHash)).rejects.toMatchObject({ code: 'no-daemon' });
  await wallet.close();
});

it('T24 a block that was asked for by name and not shown is not asked for again, of this daemon or of the next', async () => {
  const of = await made();
  devnet.faucet.give(keysOf(of).address({ major: 0, minor: 1 }), COIN);
  mine(1 + 2 * WATCHED_BLOCKS);
  const one = await watched('unshown', of);
  await settle(one);
  const [entry] = await one.wallet.history();
  hidesBlocks = true;
  expect(await one.wallet.chain.verifyPayment(entry!.txHash)).toBe(false);
  hidesBlocks = false;
  const before = one.asked.length;
  await settle(one);
  await one.wallet.setDaemon({ url: devnet.url, trusted: false });
  await settle(one);
  const asked = one.asked.slice(before);
  expect(asked).not.toContain(wholeOf(entry!.height!));
  expect(whole(asked)).toHaveLength(WATCHED_BLOCKS / 10);
  expect((await payments(one)).map(({ verified }) => verified)).toEqual([false]);
  await one.wallet.close();
});

it('T24 a scan for spends of coins whose key images came later does not begin at the first of their blocks', async () => {
  const paid = await made();
  const keys = keysOf(paid);
  mine(5);
  devnet.faucet.give(keys.address({ major: 0, minor: 0 }), COIN);
  mine(2);
  const viewOnly = await walletFromViewKey(keys.address({ major: 0, minor: 0 }), bytesToHex(keys.viewKey), {
    network: 'regtest',
    from: { height: 3 },
    now: 0,
  });
  const [whole, viewing] = [await watched('whole', paid), await watched('viewing', viewOnly)];
  for (const one of [whole, viewing]) await settle(one);
  await viewing.wallet.offline.importKeyImages(await whole.wallet.offline.exportKeyImages());
  const { unseen } = await viewing.wallet.view();
  expect(unseen?.scanFrom).toBe(tip() - 2);
  const before = viewing.asked.length;
  await viewing.wallet.rescan(unseen!.scanFrom!);
  await settle(viewing);
  const [first] = viewing.asked.slice(before).filter((one) => one.startsWith('/get_blocks.bin'));
  // The chain is shorter than a day: it begins where this wallet began.
  expect(first).toBe(viewing.asked.find((one) => one.startsWith('/get_blocks.bin')));
  for (const { wallet } of [whole, viewing]) await wallet.close();
});
