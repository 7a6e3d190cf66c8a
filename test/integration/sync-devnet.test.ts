import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { systemRandom } from '../../src/crypto/index.ts';
import { type DaemonClient, Untrusted, type WholeBlock } from '../../src/daemon/index.ts';
import { WATCHED_BLOCKS } from '../../src/daemon/limits.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { type TxHash, toAtomicAmount } from '../../src/protocol/model.ts';
import { createInlineScanPool, ScanError, type ScanPool, type ScanResult } from '../../src/scan/index.ts';
import type { DaemonSettings } from '../../src/wallet/api.ts';
import { type NewWallet, newWallet, RESTORE_DATE } from '../../src/wallet/create-wallet.ts';
import { connectDaemon, environment, type WalletEnvironment } from '../../src/wallet/environment.ts';
import type { WalletKeys } from '../../src/wallet/keys.ts';
import type { SubaddressIndex } from '../../src/wallet/model.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { startHostileProxy } from '../support/hostile.ts';
import { inside } from '../support/inside.ts';
import { PlainBackend } from '../support/plain-backend.ts';
import { OracleScanPool } from '../support/scan-oracle.ts';
import { ledgerOfOurs, refreshToTip } from '../support/two-wallets.ts';
import { keysOf, newRegtestWallet } from '../wallet/support.ts';

const COIN = 1_000_000_000_000n;
const QUICK = { pollEvery: 60_000, retryFirst: 10, retryMost: 50 };

let devnet: ServedDevnet;
let made: NewWallet;
let keys: WalletKeys;
let backend: PlainBackend;
let count = 0;

beforeAll(async () => {
  devnet = await serveDevnet({ history: { blocks: 200, transactions: 0 } });
  made = await newRegtestWallet();
  keys = keysOf(made);
  backend = new PlainBackend();
});

afterAll(() => devnet?.stop());

const env = (parts: Partial<Parameters<typeof environment>[0]> = {}): WalletEnvironment =>
  environment({ store: backend, scanPool: createInlineScanPool, ...parts, sync: { ...QUICK, ...parts.sync } });
const tip = () => devnet.node.chain.height;
const mine = (blocks = 1) => {
  for (let i = 0; i < blocks; i++) devnet.node.mine(devnet.minerWallet);
};
const give = (index: SubaddressIndex, amount = COIN): TxHash => devnet.faucet.give(keys.address(index), amount);
const settings = (): DaemonSettings => ({ url: devnet.url, trusted: false });
const fresh = (parts: Parameters<typeof env>[0] = {}, of: NewWallet = made): Promise<Wallet> =>
  Wallet.create(env(parts), `wallet ${++count}`, 'pw', of);

/** A reply in which every encrypted payment id, the dummies among them, is another: it stands in extra behind the transaction's key. */
function withOtherPaymentIds(body: Uint8Array): Uint8Array {
  const altered = body.slice();
  const [pubKey, nonce, length, encrypted] = [0x01, 0x02, 0x09, 0x01];
  altered.forEach((byte, i) => {
    const next = altered.subarray(i + 33, i + 36);
    if (byte === pubKey && next[0] === nonce && next[1] === length && next[2] === encrypted) altered[i + 36]! ^= 0xff;
  });
  return altered;
}

async function syncedWallet(parts: Parameters<typeof env>[0] = {}): Promise<Wallet> {
  const wallet = await fresh(parts);
  await wallet.setDaemon(settings());
  await refreshToTip(wallet, tip());
  return wallet;
}

const received = (wallet: Wallet) => [...inside(wallet).state.used].sort();

describe('finding what is ours', () => {
  it('subaddresses come into the lookahead as others before them are used, in one reply or in many', async () => {
    const minors = [150, 340, 530, 199, 731];
    for (const minor of minors) give({ major: 0, minor });
    give({ major: 49, minor: 3 });
    mine();
    give({ major: 97, minor: 199 });
    give({ major: 1, minor: 200 });
    mine();
    const whole = await syncedWallet();
    const expected = ['0/150', '0/199', '0/340', '0/530', '49/3', '97/199'];
    expect(received(whole)).toEqual(expected);
    expect(inside(whole).state.accounts.length).toBe(98);
    expect(inside(whole).state.accounts[0]?.labels.length).toBe(531);
    const pieces = await syncedWallet({ sync: { blocksPerRequest: 7 }, scanPool: () => new OracleScanPool(3) });
    expect(await ledgerOfOurs(pieces)).toEqual(await ledgerOfOurs(whole));
    expect(backend.records(`wallet ${count}`).length).toBeGreaterThan(tip() / 8);
    await Promise.all([whole.close(), pieces.close()]);
  });

  it('T23 a date becomes a height before it, and nothing since is missed', async () => {
    const all = await syncedWallet();
    const first = Math.min(...[...inside(all).state.outputs.values()].map(({ output }) => output.timestamp));
    const dated = {
      ...made,
      first: [{ ...made.first[0]! }, { type: 'AttributeSet', key: RESTORE_DATE, value: String(first) }],
    } as NewWallet;
    const wallet = await fresh({}, dated);
    await wallet.setDaemon(settings());
    await refreshToTip(wallet, tip());
    expect((await wallet.view()).balance).toEqual((await all.view()).balance);
    await Promise.all([wallet.close(), all.close()]);
  });

  it('the first replies are short ones, so that there is progress to show over a slow line', async () => {
    if (tip() < 350) mine(350 - tip());
    const asked: (number | undefined)[] = [];
    const connect = (to: DaemonSettings) => {
      const client = connectDaemon(to);
      const inner = client.getBlocks.bind(client);
      client.getBlocks = (request) => {
        asked.push(request.maxBlockCount);
        return inner(request);
      };
      return client;
    };
    const wallet = await syncedWallet({ connect, sync: { blocksPerRequest: 150 } });
    expect(asked.slice(0, 3)).toEqual([100, 150, 150]);
    expect(backend.records(`wallet ${count}`).length).toBeGreaterThan(3);
    await wallet.close();
  });

  it('T6 replies that take long are followed by shorter ones, and the wallet comes to the tip all the same', async () => {
    if (tip() < 350) mine(350 - tip());
    const asked: (number | undefined)[] = [];
    let now = Date.now();
    /** Seconds that the replies take, in turn. */
    const seconds = [30, 61, 61, 61, 61, 1, 1];
    const connect = (to: DaemonSettings) => {
      const client = connectDaemon(to);
      const inner = client.getBlocks.bind(client);
      client.getBlocks = (request) => {
        now += (seconds[asked.push(request.maxBlockCount) - 1] ?? 1) * 1000;
        return inner(request);
      };
      return client;
    };
    const wallet = await syncedWallet({ connect, clock: { ...systemClock, now: () => now } });
    expect(asked.slice(0, 8)).toEqual([100, 100, 50, 25, 12, 10, 20, 40]);
    await wallet.close();
  });

  it.each(['with the blocks', 'by ids'])('T24 the pool is asked for %s: all that is unseen, and each only once', async (how) => {
    const asked: string[][] = [];
    const connect = (to: DaemonSettings) => {
      const client = connectDaemon(to);
      const [byName, blocks] = [client.getTransactions.bind(client), client.getBlocks.bind(client)];
      client.getTransactions = (hashes, options) => {
        asked.push([...hashes]);
        return byName(hashes, options);
      };
      // As a daemon before release 0.18.3.
      if (how === 'by ids') client.getBlocks = ({ pool: _, ...request }) => blocks(request);
      return client;
    };
    const wallet = await syncedWallet({ connect });
    asked.length = 0;
    const pool = [give({ major: 0, minor: 1 }, 3n * COIN), devnet.faucet.stir(COIN), devnet.faucet.stir(COIN)];
    await wallet.refresh();
    await wallet.refresh();
    expect(asked.flat().sort()).toEqual(how === 'by ids' ? [...pool].sort() : []);
    expect((await wallet.view()).balance.incoming).toBe(3n * COIN);
    mine();
    await refreshToTip(wallet, tip());
    expect((await wallet.view()).balance.incoming).toBe(0n);
    await wallet.close();
  });

  it('a payment that another wallet of the seed sent counts while it waits in the pool, and no more when the pool has dropped it', async () => {
    give({ major: 0, minor: 0 }, 10n * COIN);
    mine(11);
    const [sender, other] = [await syncedWallet(), await syncedWallet()];
    const before = (await other.view()).balance;
    const destinations = [{ address: devnet.minerWallet.address, amount: toAtomicAmount(COIN) }];
    const prepared = await sender.payments.prepareTransfer({ destinations, account: 0, priority: 1 });
    await sender.payments.send(prepared.id);
    await other.refresh();
    const { total, unlocked } = (await other.view()).balance;
    expect({ total, unlocked }).toMatchObject({
      total: before.total - COIN - prepared.totalFee,
      unlocked: (await sender.view()).balance.unlocked,
    });
    expect((await other.history())[0]).toMatchObject({ direction: 'out', state: 'pool', amount: COIN, fee: prepared.totalFee });
    devnet.node.pool.clear();
    await other.refresh();
    expect((await other.view()).balance).toEqual(before);
    await Promise.all([sender.close(), other.close()]);
  });
});

describe('a daemon that fails', () => {
  it('of another network is named, and waited for no longer', async () => {
    const [created, ...rest] = (await newWallet(systemRandom, { network: 'stagenet', from: { height: 0 }, now: 0 })).first;
    expect(rest).toEqual([]);
    expect(created?.type).toBe('Created');
    const wallet = await fresh({}, await newWallet(systemRandom, { network: 'stagenet', from: { height: 0 }, now: 0 }));
    await wallet.setDaemon(settings());
    await expect(wallet.waitUntilSynced()).rejects.toMatchObject({ code: 'sync-stopped', data: { code: 'wrong-network' } });
    expect((await wallet.view()).sync).toMatchObject({ phase: 'offline', height: 0, error: { code: 'wrong-network' } });
    const destinations = [{ address: wallet.description.primaryAddress, amount: toAtomicAmount(COIN) }];
    await expect(wallet.payments.prepareTransfer({ account: 0, destinations, priority: 1 })).rejects.toMatchObject({
      ...{ name: 'WalletError', code: 'wrong-network', message: 'expected a daemon of stagenet, this one serves fakechain' },
    });
    await wallet.close();
  });

  it('that goes away is waited for, and caught up with when it is back', async () => {
    const wallet = await fresh();
    const absent = { url: 'http://127.0.0.1:9', trusted: false };
    const seen = new Set<string>();
    await wallet.subscribe(({ sync }) => void seen.add(`${sync.phase} ${sync.error?.code ?? ''}`));
    await wallet.setDaemon(absent);
    await wallet.refresh();
    expect((await wallet.view()).sync).toMatchObject({ phase: 'offline', error: { code: 'unreachable' } });
    await wallet.setDaemon(settings());
    await wallet.waitUntilSynced();
    expect((await wallet.view()).sync).toMatchObject({ phase: 'live', height: tip(), error: undefined });
    await wallet.close();
  });

  it('T5 that has not come as far as the wallet began is waited for, and not asked for its whole chain again and again', async () => {
    const behind = await serveDevnet({ history: { blocks: 20, transactions: 0 } });
    const wallet = await fresh({}, await recent(tip() - 3));
    await wallet.setDaemon(settings());
    await refreshToTip(wallet, tip());
    await wallet.setDaemon({ url: behind.url, trusted: false });
    await wallet.refresh();
    expect((await wallet.view()).sync).toMatchObject({ phase: 'offline', height: tip(), error: { code: 'daemon-behind' } });
    await wallet.setDaemon(settings());
    await refreshToTip(wallet, tip());
    await Promise.all([wallet.close(), behind.stop()]);
  });

  it('T5 whose whole block is another than the pruned one: its payment is taken back, with a name', async () => {
    give({ major: 0, minor: 0 }, 5n * COIN);
    mine();
    const connect = (to: DaemonSettings) => withWholeBlocks(connectDaemon(to), (blocks) => blocks.map(withOtherProof));
    const wallet = await fresh({ connect });
    await wallet.setDaemon(settings());
    await expect(
      wallet
        .waitUntilSynced()
        .then(() => wallet.refresh())
        .then(() => wallet.waitUntilSynced()),
    ).rejects.toMatchObject({
      data: { code: 'block-mismatch' },
    });
    expect((await wallet.history()).some((entry) => entry.height === tip() - 1)).toBe(false);
    await wallet.close();
  });

  it('T5 whose block, asked for by name, does not hold an old payment: it is taken back, with a name', async () => {
    const txHash = give({ major: 0, minor: 0 }, 5n * COIN);
    mine(2 * WATCHED_BLOCKS);
    const connect = (to: DaemonSettings) => withWholeBlocks(connectDaemon(to), (blocks) => blocks.map(withOtherProof));
    const wallet = await syncedWallet({ connect });
    const has = async () => (await wallet.history()).some((entry) => entry.txHash === txHash);
    expect(await has()).toBe(true);
    await expect(wallet.chain.verifyPayment(txHash)).rejects.toMatchObject({ code: 'block-mismatch' });
    expect(await has()).toBe(false);
    expect((await wallet.view()).sync).toMatchObject({ phase: 'stopped', error: { code: 'block-mismatch' } });
    await wallet.setDaemon(settings());
    await wallet.close();
  });

  it('T5 that alters the payment id of a pruned transaction does not have it called verified', async () => {
    give({ major: 0, minor: 0 }, 5n * COIN);
    mine();
    const proxy = await startHostileProxy(devnet.url);
    proxy.lie('/get_blocks.bin', async (_, forward, response) => {
      const answer = await forward();
      response.writeHead(answer.status, answer.headers).end(withOtherPaymentIds(answer.body));
    });
    const wallet = await fresh();
    await wallet.setDaemon({ url: proxy.url, trusted: false });
    const synced = wallet
      .waitUntilSynced()
      .then(() => wallet.refresh())
      .then(() => wallet.waitUntilSynced());
    await expect(synced).rejects.toMatchObject({ data: { code: 'block-mismatch' } });
    expect((await wallet.history()).filter(({ verified }) => verified)).toEqual([]);
    await Promise.all([wallet.close(), proxy.stop()]);
  });

  it('T5 that is pruned shows no whole block: its payments are verified by the hashes it kept, or stay unverified', async () => {
    give({ major: 0, minor: 0 }, 5n * COIN);
    mine();
    const pruned = (to: DaemonSettings) => withWholeBlocks(connectDaemon(to), (blocks) => blocks.map(withoutLast));
    const verifiedBy = async (connect: (to: DaemonSettings) => DaemonClient): Promise<boolean> => {
      const wallet = await syncedWallet({ connect });
      const entry = (await wallet.history()).find(({ height }) => height === tip() - 1);
      expect((await wallet.view()).sync).toMatchObject({ phase: 'live', error: undefined });
      await wallet.close();
      return entry!.verified;
    };
    expect(await verifiedBy(pruned)).toBe(true);
    expect(await verifiedBy((to) => withoutTransactions(pruned(to)))).toBe(false);
  });

  it('T5 whose whole block cannot be read does not keep the wallet from the tip: its payments stay unverified', async () => {
    give({ major: 0, minor: 0 }, 5n * COIN);
    mine();
    const unreadable = (block: WholeBlock) => ({ ...block, transactions: block.transactions.map(() => Uint8Array.of(9)) });
    const connect = (to: DaemonSettings) => withWholeBlocks(connectDaemon(to), (blocks) => blocks.map(unreadable));
    const wallet = await syncedWallet({ connect });
    for (let look = 0; look < 3; look++) await wallet.refresh();
    expect((await wallet.view()).sync).toMatchObject({ phase: 'live', error: undefined });
    expect((await wallet.history()).filter(({ verified }) => verified)).toEqual([]);
    await wallet.close();
  });

  it('T5 whose chain changes over while a payment is verified is no liar: the next look follows it', async () => {
    const before = give({ major: 0, minor: 0 }, 7n * COIN);
    mine();
    let once = true;
    const connect = (to: DaemonSettings) => {
      const client = connectDaemon(to);
      const inner = client.getBlocksByHeight.bind(client);
      client.getBlocksByHeight = (heights, options) => {
        if (once) devnet.node.reorganise(1, 2, devnet.minerWallet);
        once = false;
        return inner(heights, options);
      };
      return client;
    };
    const wallet = await syncedWallet({ connect });
    expect(once).toBe(false);
    await refreshToTip(wallet, tip());
    mine();
    await refreshToTip(wallet, tip());
    const entry = (await wallet.history()).find(({ txHash }) => txHash === before);
    expect(entry).toMatchObject({ height: tip() - 1, verified: true });
    await wallet.close();
  });

  it('T5 with a block of an unknown era stops the wallet with its name, what came before is kept', async () => {
    mine(6);
    const known = tip() - 5;
    const cut = (result: ScanResult): ScanResult => ({
      ...result,
      blocks: [...result.blocks].filter((block) => block.height < known),
    });
    const wallet = await fresh({ scanPool: () => altered(cut) });
    await wallet.setDaemon(settings());
    await expect(wallet.waitUntilSynced()).rejects.toMatchObject({ data: { code: 'unknown-era' } });
    expect(inside(wallet).state.height).toBe(known);
    const refused = await fresh({
      scanPool: () =>
        altered(() => {
          throw new ScanError('unknown-version');
        }),
    });
    await refused.setDaemon(settings());
    await expect(refused.waitUntilSynced()).rejects.toMatchObject({ data: { code: 'unknown-era' } });
    await Promise.all([wallet.close(), refused.close()]);
  });

  it('T5 with blocks that do not follow each other is not believed, and believed again when they do', async () => {
    let lies = true;
    const lie = (result: ScanResult): ScanResult => {
      const blocks = Array.from(result.blocks, (block, i) => (lies && i === 3 ? { ...block, prevId: block.id } : block));
      return { ...result, blocks };
    };
    const wallet = await fresh({ scanPool: () => altered(lie) });
    await wallet.setDaemon(settings());
    await wallet.refresh();
    expect((await wallet.view()).sync).toMatchObject({ phase: 'offline', height: 0, error: { code: 'broken-chain' } });
    lies = false;
    await refreshToTip(wallet, tip());
    await wallet.close();
  });

  it('a reorganisation deeper than is remembered stops with its name, and one of all a young wallet knows does not', async () => {
    mine(130);
    const wallet = await syncedWallet();
    devnet.node.popBlocks(110);
    mine(111);
    await wallet.refresh();
    await expect(wallet.waitUntilSynced()).rejects.toMatchObject({ data: { code: 'reorg-too-deep' } });
    const young = await fresh({}, await recent(tip() - 3));
    await young.setDaemon(settings());
    await refreshToTip(young, tip());
    devnet.node.popBlocks(8);
    mine(9);
    await refreshToTip(young, tip());
    expect((await young.view()).sync.phase).toBe('live');
    await Promise.all([wallet.close(), young.close()]);
  });
});

describe('T16 stopped at any instant', () => {
  it('paused, resumed, closed and opened at random it ends where one run ends', async () => {
    const straight = await syncedWallet();
    const name = `wallet ${count + 1}`;
    let wallet = await fresh({ sync: { blocksPerRequest: 5 } });
    for (let cut = 0; cut < 12; cut++) {
      await wallet.setDaemon(settings());
      await moments(cut * 3);
      if (cut % 3 === 0) await wallet.pause();
      if (cut % 3 === 0) await wallet.resume();
      if (cut % 3 === 1) await wallet.setDaemon(settings());
      await wallet.notes.write([{ txHash: `${cut}`.padStart(64, '0'), note: `note ${cut}` }]);
      const reached = inside(wallet).state.height;
      await wallet.close();
      wallet = await Wallet.open(env({ sync: { blocksPerRequest: 5 } }), name, 'pw');
      expect(inside(wallet).state.height).toBeGreaterThanOrEqual(reached);
      expect(inside(wallet).state.notes.size).toBe(cut + 1);
    }
    await wallet.setDaemon(settings());
    await refreshToTip(wallet, tip());
    expect(await ledgerOfOurs(wallet)).toEqual(await ledgerOfOurs(straight));
    await Promise.all([wallet.close(), straight.close()]);
  });
});

const recent = async (height: number): Promise<NewWallet> =>
  newWallet(systemRandom, { network: 'regtest', from: { height }, now: 0 });

/** A pool whose findings are altered on the way. */
async function altered(alter: (result: ScanResult) => ScanResult): Promise<ScanPool> {
  const pool = await createInlineScanPool();
  return { ...pool, scan: async (reply, signal) => alter(await pool.scan(reply, signal)) };
}

/** Turns of the event loop. */
async function moments(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}

function withWholeBlocks(client: DaemonClient, alter: (blocks: readonly WholeBlock[]) => readonly WholeBlock[]): DaemonClient {
  const inner = client.getBlocksByHeight.bind(client);
  client.getBlocksByHeight = async (heights, options) =>
    (await inner(heights, options)).check((blocks) => new Untrusted(alter(blocks)));
  return client;
}

const withoutLast = (block: WholeBlock): WholeBlock => ({ ...block, transactions: block.transactions.slice(0, -1) });

/** The last byte of a transaction is of its proofs: other bytes, another id. */
const withOtherProof = (block: WholeBlock): WholeBlock => ({
  ...block,
  transactions: block.transactions.map((bytes) => bytes.with(-1, bytes.at(-1)! ^ 1)),
});

/** A daemon that has lost the transactions of blocks. */
function withoutTransactions(client: DaemonClient): DaemonClient {
  client.getTransactions = async (hashes) => new Untrusted({ transactions: [], missed: hashes });
  return client;
}
