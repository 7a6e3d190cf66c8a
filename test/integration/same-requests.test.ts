import { afterAll, beforeAll, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { systemRandom } from '../../src/crypto/index.ts';
import { DaemonClient } from '../../src/daemon/index.ts';
import { WATCHED_BLOCKS } from '../../src/daemon/limits.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { decodePortableStorage, encodePortableStorage, StorageObject } from '../../src/protocol/index.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import type { DaemonSettings } from '../../src/wallet/api.ts';
import { environment } from '../../src/wallet/environment.ts';
import { WalletKeys } from '../../src/wallet/keys.ts';
import { type NewWallet, newWallet, walletFromViewKey } from '../../src/wallet/make.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { PlainBackend } from '../support/plain-backend.ts';
import { refreshToTip } from '../support/two-wallets.ts';

const COIN = 1_000_000_000_000n;
const QUICK = { pollEvery: 60_000, retryFirst: 10, retryMost: 50 };

let devnet: ServedDevnet;
const store = new PlainBackend();

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

function keysOf({ first, secrets }: NewWallet): WalletKeys {
  const [created] = first;
  if (created?.type !== 'Created') throw new Error('expected a first event');
  return WalletKeys.of(secrets, created.wallet);
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
  const whole = ({ asked }: Watched) => asked.filter((one) => one.startsWith('/get_blocks_by_height.bin')).length;
  expect([whole(paid), whole(other)]).toEqual([2, 0]);
  for (const { wallet } of both) await wallet.close();
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
