import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { neighbourFromUrl } from '../../src/cli/devnet/neighbour.ts';
import { publishOverZmq } from '../../src/cli/devnet/zmq.ts';
import { Follower, type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { freePort } from '../support/child.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { callPath, callRpc } from '../support/rpc.ts';
import { ZmqListener } from '../support/zmq-listener.ts';

/** Two devnets and a monerod: the first follows the monerod, the second the first. Every exchange is asked for, none is waited for. */
const BLOCKS = 90;
let first: ServedDevnet;
let second: ServedDevnet;
let monerod: Monerod;
let toMonerod: Follower;
let toFirst: Follower;
/** Where the first devnet and the monerod publish. */
let addresses: { readonly ours: string; readonly theirs: string };

beforeAll(async () => {
  addresses = { ours: `tcp://127.0.0.1:${await freePort()}`, theirs: `tcp://127.0.0.1:${await freePort()}` };
  [first, second, monerod] = await Promise.all([
    serveDevnet({ history: { blocks: BLOCKS, transactions: 6 } }),
    serveDevnet(),
    startMonerod({ zmqPub: addresses.theirs }),
  ]);
  toMonerod = new Follower(first.node, neighbourFromUrl(monerod.url));
  toFirst = new Follower(second.node, neighbourFromUrl(first.url));
});

afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop(), monerod?.stop()]);
});

const top = async (): Promise<string> => (await monerod.path<{ hash: string }>('get_height')).hash;

/** Word goes from one end to the other, and back. */
async function heal(): Promise<void> {
  await toFirst.round();
  await toMonerod.round();
  await toFirst.round();
}

async function expectOneChain(): Promise<void> {
  expect([first.node.chain.top.id, second.node.chain.top.id]).toEqual([await top(), await top()]);
}

const poolIds = async (): Promise<string[]> =>
  (await monerod.path<{ tx_hashes?: string[] }>('get_transaction_pool_hashes')).tx_hashes ?? [];

describe('daemons that follow each other', () => {
  it('have one chain, with its transactions', async () => {
    await heal();
    await expectOneChain();
    expect(await monerod.height()).toBe(BLOCKS + 1);
    expect(second.node.chain.top.transactionCount).toBe(first.node.chain.top.transactionCount);
    expect(first.node.chain.top.transactionCount).toBeGreaterThanOrEqual(5);
  });

  it('have one pool, wherever a transaction came in', async () => {
    const here = first.faucet.stir(1_000_000n);
    const there = first.faucet.stir(1_000_000n);
    const { blob } = first.node.pool.get(there)!;
    first.node.pool.removeAll([there]);
    second.node.submitTransaction(blob);
    await heal();
    for (const { node } of [first, second]) expect(node.pool.all.map(({ id }) => id).sort()).toEqual([here, there].sort());
    expect((await poolIds()).sort()).toEqual([here, there].sort());
    // And the other way: monerod alone has it, until somebody asks.
    first.node.pool.clear();
    second.node.pool.clear();
    await heal();
    expect(second.node.pool.all.map(({ id }) => id).sort()).toEqual([here, there].sort());
    await monerod.minePool(first.minerWallet.address);
    await heal();
    await expectOneChain();
    for (const { node } of [first, second]) expect(node.pool.all).toEqual([]);
  });

  it('go over to the chain with more work, and keep what was in the blocks that lost', async () => {
    const lost = [first.node.mine(first.minerWallet).id, first.node.mine(first.minerWallet).id];
    const payment = first.faucet.stir(2_000_000n);
    lost.push(first.node.mine(first.minerWallet).id);
    await monerod.generateBlocks(4, first.minerWallet.address);
    await heal();
    await expectOneChain();
    expect(first.node.branches.all).toMatchObject([{ blockIds: [...lost].reverse() }]);
    expect(first.node.pool.get(payment)).toBeDefined();
    expect(await poolIds()).toEqual([payment]);
    await monerod.minePool(first.minerWallet.address);
    await heal();
    expect(second.node.chain.transaction(payment)).toBeDefined();
  });

  it('have monerod go over too', async () => {
    const payment = first.faucet.stir(3_000_000n);
    await toFirst.round();
    await monerod.generateBlocks(2, first.minerWallet.address);
    const lost = await top();
    for (let i = 0; i < 4; i++) second.node.mine(second.minerWallet);
    // The second hands its blocks to the first, the first to monerod.
    await heal();
    await expectOneChain();
    expect(second.node.chain.transaction(payment)).toBeDefined();
    const { chains } = await monerod.rpc<{ chains: { block_hash: string; block_hashes: string[] }[] }>('get_alternate_chains');
    expect(chains.map(({ block_hashes }) => block_hashes[0])).toContain(lost);
  });

  it('stay apart while both did as much, until a block decides', async () => {
    const here = first.node.mine(first.minerWallet);
    await monerod.generateBlocks(1, second.minerWallet.address);
    const there = await top();
    await heal();
    expect(first.node.chain.top.id).toBe(here.id);
    expect(await top()).toBe(there);
    expect(second.node.chain.top.id).toBe(here.id);
    await monerod.generateBlocks(1, second.minerWallet.address);
    await heal();
    await expectOneChain();
    expect(first.node.chain.blockById(there)).toBeDefined();
    expect(bytesToHex(second.node.chain.top.block.prevId)).toBe(there);
  });

  it('of long branches take every block, however few come at once', async () => {
    const fork = first.node.chain.top;
    for (let i = 0; i < 32; i++) second.node.mine(second.minerWallet);
    for (let i = 0; i < 31; i++) first.node.mine(first.minerWallet);
    const whole = neighbourFromUrl(second.url);
    const few = { ...whole, blocksFrom: async (ids: readonly string[]) => (await whole.blocksFrom(ids)).slice(0, 7) };
    await new Follower(first.node, few).round();
    expect(first.node.chain.top.id).toBe(second.node.chain.top.id);
    expect(first.node.chain.blockAt(fork.height)!.id).toBe(fork.id);
    await toMonerod.round();
    await expectOneChain();
  });
});

const TOPICS = ['json-full-chain_main', 'json-minimal-chain_main', 'json-full-txpool_add', 'json-minimal-txpool_add'];

describe('--zmq-pub', () => {
  let ours: ZmqListener;
  let theirs: ZmqListener;
  let stopPublishing: () => void;

  beforeAll(async () => {
    stopPublishing = await publishOverZmq(first.node, [addresses.ours], () => undefined);
    [ours, theirs] = [new ZmqListener(addresses.ours), new ZmqListener(addresses.theirs)];
    // A listener is connected once it hears something.
    while (ours.messages.length === 0 || theirs.messages.length === 0) {
      first.node.mine(first.minerWallet);
      await toMonerod.round();
    }
    await settled();
  });

  afterAll(() => {
    ours?.close();
    theirs?.close();
    stopPublishing?.();
  });

  /** Both have told of a block that comes last. */
  async function settled(): Promise<void> {
    const { id } = first.node.mine(first.minerWallet);
    await toMonerod.round();
    await Promise.all([ours.hears(`"ids":["${id}"]`), theirs.hears(`"ids":["${id}"]`)]);
    ours.forget();
    theirs.forget();
  }

  it('tells of transactions and blocks as monerod does', async () => {
    const id = first.faucet.stir(1_000_000n);
    await toMonerod.round();
    await Promise.all([ours.hears(`txpool_add:[{"id":"${id}"`), theirs.hears(`txpool_add:[{"id":"${id}"`)]);
    await monerod.minePool(first.minerWallet.address);
    await toMonerod.round();
    expect(first.node.chain.transaction(id)).toBeDefined();
    const top = `"ids":["${first.node.chain.top.id}"]`;
    await Promise.all([ours.hears(top), theirs.hears(top)]);
    for (const topic of [...TOPICS, 'json-full-miner_data'])
      expect({ [topic]: ours.of(topic) }).toEqual({ [topic]: theirs.of(topic) });
    for (const topic of TOPICS) expect(ours.of(topic).length).toBeGreaterThan(0);
    // The order of fields too.
    const sorted = (listener: ZmqListener) => listener.messages.filter((one) => !one.includes('miner_data')).sort();
    expect(sorted(ours)).toEqual(sorted(theirs));
    await settled();
  });

  it('reports a reorganisation as monerod does', async () => {
    const parent = first.node.chain.blockAt(first.node.chain.height - 3)!.id;
    const params = { amount_of_blocks: 3, wallet_address: first.minerWallet.address, prev_block: parent };
    await monerod.rpc('generateblocks', params);
    await toMonerod.round();
    const top = `"ids":["${first.node.chain.top.id}"]`;
    await Promise.all([ours.hears(top), theirs.hears(top)]);
    await settledBoth();
    for (const topic of ['json-full-chain_main', 'json-minimal-chain_main'])
      expect({ [topic]: ours.of(topic) }).toEqual({ [topic]: theirs.of(topic) });
    expect(ours.of('json-minimal-chain_main').length).toBeGreaterThanOrEqual(6);
  });

  /** As {@link settled}, what was heard kept. */
  async function settledBoth(): Promise<void> {
    const { id } = first.node.mine(first.minerWallet);
    await toMonerod.round();
    await Promise.all([ours.hears(`"ids":["${id}"]`), theirs.hears(`"ids":["${id}"]`)]);
  }

  it('tells of what is not to be relayed, and again once it is, as monerod does', async () => {
    const id = first.faucet.stir(1_000_000n);
    const sent = { tx_as_hex: bytesToHex(first.node.pool.get(id)!.blob), do_not_relay: true };
    first.node.pool.removeAll([id]);
    await ours.hears(`{"id":"${id}"`);
    ours.forget();
    for (const url of [first.url, monerod.url]) {
      await callPath(url, 'send_raw_transaction', sent);
      await callPath(url, 'send_raw_transaction', sent);
      for (let i = 0; i < 2; i++) await callRpc(url, 'relay_tx', { txids: [id] });
    }
    await monerod.untilRelayed();
    await settledBoth();
    for (const topic of ['json-full-txpool_add', 'json-minimal-txpool_add']) {
      expect(ours.of(topic)).toEqual(theirs.of(topic));
      expect(ours.of(topic)).toHaveLength(2);
    }
  });

  it('says which address it cannot have', async () => {
    await expect(publishOverZmq(first.node, ['tcp://192.0.2.1:1'], () => undefined)).rejects.toThrow(
      /--zmq-pub tcp:\/\/192\.0\.2\.1:1/,
    );
    await expect(publishOverZmq(first.node, ['nonsense'], () => undefined)).rejects.toThrow(/--zmq-pub nonsense/);
  });
});
