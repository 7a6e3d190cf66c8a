import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/base/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import type { PaymentInput } from '../../src/devnet/payment.ts';
import { ERA } from '../../src/devnet/rules.ts';
import { type Block, blockReward, serializeBlock, type TransactionV2 } from '../../src/protocol/index.ts';
import { COIN, FEE, seededRandom } from '../devnet/support.ts';
import { BothNodes, feed } from '../support/beside-monerod.ts';
import { signedPayment } from '../support/fuzz/signed.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { TestSampler } from '../support/random-sampler.ts';

// What weights decide, beside monerod: rewards of heavy blocks, medians, limits and fees as they move, and who has to leave a full pool.

/** Room for three payments of two outputs and one input, and not for four. */
const POOL_WEIGHT = 5_000;
/** Light blocks, then so many heavy ones: most of the chain. */
const LIGHT = 4;
const HEAVY = 24;

let devnet: ServedDevnet;
let monerod: Monerod;
let both: BothNodes;
const random = seededRandom('weights');
const sampler = new TestSampler(7);

/** Both on one chain. */
async function begin(blocks: number, maxPoolWeight: number): Promise<void> {
  const extraArgs = ['--max-txpool-weight', String(maxPoolWeight)];
  [devnet, monerod] = await Promise.all([
    serveDevnet({ maxPoolWeight, history: { blocks, transactions: 2 } }),
    startMonerod({ extraArgs }),
  ]);
  both = new BothNodes(devnet, monerod);
  await feed(monerod, devnet.node);
}
const end = () => Promise.all([devnet?.stop(), monerod?.stop()]);

const resultOf = (reply: JsonValue) => (reply as { result?: Record<string, JsonValue> }).result;

async function expectAlike(method: string, params: object = {}): Promise<Record<string, JsonValue>> {
  const [ours, theirs] = await both.rpc(method, params);
  expect(ours).toEqual(theirs);
  return resultOf(theirs)!;
}

/** A block on top whose coinbase says much, and is paid accordingly. */
function heavyBlock(bytes: number, paid = (reward: bigint): bigint => reward): Block {
  const { node, minerWallet } = devnet;
  const { block } = node.template(minerWallet).parsed;
  const minerTx = block.minerTx as TransactionV2;
  const extra = Uint8Array.from([...minerTx.extra, ...new Uint8Array(bytes)]);
  const weighed = { ...minerTx, extra };
  const weight = serializeBlock({ ...block, minerTx: weighed, txHashes: [] }).length - HEADER_BYTES;
  const reward = blockReward(node.chain.weightMedian, weight, node.chain.top.generatedCoins, ERA)!;
  const outputs = minerTx.outputs.map((output) => ({ ...output, amount: paid(reward) }));
  return { ...block, minerTx: { ...weighed, outputs }, txHashes: [] };
}

/** Of a block: all but its coinbase. Two versions of a byte, a time of five, a parent, a nonce and the count of transactions. */
const HEADER_BYTES = 1 + 1 + 5 + 32 + 4 + 1;

describe('a full pool', () => {
  beforeAll(() => begin(90, POOL_WEIGHT));
  afterAll(end);

  it('lets go whoever pays the least for the weight, as monerod does, and keeps the last one whatever it weighs', async () => {
    const { minerWallet, node } = devnet;
    const fees = [3n, 1n, 2n, 5n, 4n, 1n, 6n];
    for (const times of fees) {
      const input = minerWallet.input(minerWallet.pick(2n * COIN)!, (limit) => sampler.below(limit)) as PaymentInput;
      const payment = signedPayment({ inputs: [input], own: minerWallet, amount: COIN, fee: times * FEE, random });
      const [ours, theirs] = await both.send(payment);
      expect(ours).toEqual(theirs);
      const [here, there] = await both.path('get_transaction_pool_hashes');
      const ids = (reply: JsonValue) => [...((reply as { tx_hashes?: string[] }).tx_hashes ?? [])].sort();
      expect(ids(here)).toEqual(ids(there));
    }
    expect(node.pool.all.map(({ fee }) => fee / FEE).sort()).toEqual([4n, 5n, 6n]);
    await both.rpc('flush_txpool');
  });
});

describe('blocks heavier than the median', () => {
  beforeAll(() => begin(LIGHT, 648_000_000));
  afterAll(end);

  it('are refused by both when they take the whole reward', async () => {
    const greedy = heavyBlock(350_000, (reward) => reward + 1n);
    const [ours, theirs] = await both.submit(serializeBlock(greedy));
    expect(theirs).toHaveProperty('error');
    expect(ours).toEqual(theirs);
  });

  it('earn less, and move medians, limits and fees as they do on monerod', { timeout: 900_000 }, async () => {
    const before = await expectAlike('get_fee_estimate', { grace_blocks: 10 });
    for (let i = 0; i < HEAVY; i++) {
      const bytes = sampler.pick([305_000, 340_000, 400_000, 480_000]);
      const [ours, theirs] = await both.submit(serializeBlock(heavyBlock(bytes)));
      expect(theirs).toHaveProperty('result');
      expect(ours).toEqual(theirs);
      const { block_header: header } = await expectAlike('get_last_block_header', { fill_pow_hash: false });
      expect(header).toMatchObject({ height: LIGHT + 1 + i });
      if (i % 6 === 5) await expectSameEconomics();
    }
    const after = await expectAlike('get_fee_estimate', { grace_blocks: 10 });
    expect(Number(after.fee)).toBeLessThan(Number(before.fee));
    expect(devnet.node.chain.longTermMedian).toBeGreaterThan(300_000);
    expect(devnet.node.chain.weightMedian).toBeGreaterThan(300_000);
  });

  it('are forgotten when they are taken off', async () => {
    await both.path('pop_blocks', { nblocks: HEAVY / 2 });
    await expectSameEconomics();
  });
});

async function expectSameEconomics(): Promise<void> {
  const weights = (reply: JsonValue) => {
    const { height, block_weight_limit, block_weight_median } = resultOf(reply)!;
    return { height, block_weight_limit, block_weight_median };
  };
  const [ours, theirs] = await both.rpc('get_info');
  expect(weights(ours)).toEqual(weights(theirs));
  for (const grace_blocks of [0, 10, 50]) await expectAlike('get_fee_estimate', { grace_blocks });
  await expectAlike('get_output_histogram', { amounts: [0], min_count: 0, max_count: 0, unlocked: true, recent_cutoff: 0 });
  await expectAlike('get_output_histogram', { amounts: [], min_count: 0, max_count: 0, unlocked: false, recent_cutoff: 1 });
  const { height } = devnet.node.chain;
  await expectAlike('get_coinbase_tx_sum', { height: 0, count: height });
  const [mine, their] = await both.rpc('get_miner_data');
  const median = (reply: JsonValue) => resultOf(reply)!.median_weight;
  expect(median(mine)).toEqual(median(their));
}
