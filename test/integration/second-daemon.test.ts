import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemRandom } from '../../src/crypto/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { newWallet } from '../../src/wallet/create-wallet.ts';
import { connectDaemon, environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { inside } from '../support/inside.ts';
import { PlainBackend } from '../support/plain-backend.ts';
import { refreshToTip } from '../support/two-wallets.ts';

const SHARED = 40;
const folder = mkdtempSync(join(tmpdir(), 'nightjar-second-daemon-'));
const backend = new PlainBackend();
let ours: ServedDevnet;
let other: ServedDevnet;

// Two daemons of one past: one chain's files are the other's beginning.
beforeAll(async () => {
  ours = await serveDevnet({ dataDir: join(folder, 'ours'), history: { blocks: SHARED, transactions: 0 } });
  await ours.stop();
  cpSync(join(folder, 'ours'), join(folder, 'other'), { recursive: true });
  ours = await serveDevnet({ dataDir: join(folder, 'ours') });
  other = await serveDevnet({ dataDir: join(folder, 'other') });
});

afterAll(async () => {
  await Promise.all([ours?.stop(), other?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const mine = ({ node, minerWallet }: ServedDevnet, blocks: number): void => {
  for (let i = 0; i < blocks; i++) node.mine(minerWallet);
};

it('T5 a second daemon is asked for block ids: the same chain, one of another making, and none', async () => {
  let lookups = 0;
  const env = environment({
    store: backend,
    scanPool: createInlineScanPool,
    sync: { pollEvery: 60_000, retryFirst: 10, retryMost: 50 },
    connect: (settings) => {
      const client = connectDaemon(settings);
      const inner = client.getBlockHeaderByHeight.bind(client);
      if (settings.url === other.url)
        client.getBlockHeaderByHeight = (height, options) => {
          lookups += 1;
          return inner(height, options);
        };
      return client;
    },
  });
  let wallet = await Wallet.create(
    env,
    'careful',
    'pw',
    await newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 }),
  );
  const secondDaemon = async () => (await wallet.view()).secondDaemon;
  const follow = async () => {
    await wallet.setDaemon({ url: ours.url, trusted: false });
    await refreshToTip(wallet, ours.node.chain.height);
  };
  await follow();
  expect(await secondDaemon()).toBeUndefined();
  await expect(wallet.setSecondDaemon('no address')).rejects.toMatchObject({ code: 'bad-url' });
  expect(await secondDaemon()).toBeUndefined();

  await wallet.setSecondDaemon(other.url);
  const shared = inside(wallet).state.height - 1;
  expect(await secondDaemon()).toMatchObject({ url: other.url, verdict: 'agree', height: shared - 2, agreedTo: shared - 2 });
  expect(lookups).toBe(1);

  // A block or two apart at the tip is how honest daemons are; deeper is another chain.
  mine(ours, 2);
  mine(other, 2);
  await wallet.refresh();
  await wallet.compareSecondDaemon();
  expect(await secondDaemon()).toMatchObject({ verdict: 'agree', agreedTo: shared });
  mine(ours, 18);
  mine(other, 9);
  await refreshToTip(wallet, ours.node.chain.height);
  await wallet.compareSecondDaemon();
  expect(await secondDaemon()).toMatchObject({ verdict: 'disagree', height: shared + 9, agreedTo: shared, error: undefined });
  expect(lookups, 'the fork is found by halving').toBeLessThan(12);

  // It is in the journal; what it said is not, and is asked anew.
  await wallet.close();
  wallet = await Wallet.open(env, 'careful', 'pw');
  expect(await secondDaemon()).toMatchObject({ url: other.url, verdict: 'not-compared', height: undefined });
  await follow();
  await wallet.compareSecondDaemon();
  expect(await secondDaemon()).toMatchObject({ verdict: 'disagree' });

  // A chain that gave way to another is not spoken for by the one before.
  ours.node.popBlocks(15);
  mine(ours, 16);
  await refreshToTip(wallet, ours.node.chain.height);
  expect(await secondDaemon()).toMatchObject({ verdict: 'not-compared' });

  await wallet.setSecondDaemon('http://127.0.0.1:9');
  expect(await secondDaemon()).toMatchObject({ verdict: 'not-compared', error: { code: 'unreachable' } });
  await wallet.setSecondDaemon(undefined);
  expect(await secondDaemon()).toBeUndefined();
  await wallet.close();
});
