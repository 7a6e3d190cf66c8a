import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../src/base/index.ts';
import { randomBelow } from '../../src/devnet/faucet.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { COIN, paymentsOf, seededRandom } from '../devnet/support.ts';
import { BothNodes } from '../support/beside-monerod.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';

// What monerod mines, the devnet takes with the same ids, weights, rewards, difficulties and fees; what the devnet mines, monerod takes.
// LONG=1: 2,000 blocks there and 500 back.

const LONG = process.env.LONG === '1';
const THEIRS = LONG ? 2_000 : 90;
const OURS = LONG ? 500 : 5;
/** Coins of the first blocks can be spent from here on. */
const FIRST_SPEND = 80;

let devnet: ServedDevnet;
let monerod: Monerod;
let both: BothNodes;
const random = seededRandom('replay');
const below = (count: number) => randomBelow(random, count);

beforeAll(async () => {
  [devnet, monerod] = await Promise.all([serveDevnet(), startMonerod()]);
  both = new BothNodes(devnet, monerod);
});
afterAll(async () => {
  await Promise.all([devnet?.stop(), monerod?.stop()]);
});

/** Hands a payment of the devnet's miner to itself to both; none while it has no coin for one. */
async function pay(): Promise<void> {
  const { minerWallet } = devnet;
  const coin = minerWallet.pick(2n * COIN);
  const input = coin && minerWallet.input(coin, below);
  if (input === undefined) return;
  const { blob } = paymentsOf(minerWallet, random).pay({ inputs: [input] });
  const [ours, theirs] = await both.send(blob);
  expect(theirs).toMatchObject({ status: 'OK' });
  expect(ours).toEqual(theirs);
}

async function expectOneChain(from: number): Promise<void> {
  const { height } = devnet.node.chain;
  for (let start = from; start < height; start += 1_000) {
    const range = { start_height: start, end_height: Math.min(height - 1, start + 999), fill_pow_hash: false };
    const [ours, theirs] = await both.rpc('get_block_headers_range', range);
    expect(ours).toEqual(theirs);
  }
  for (const [method, params] of [
    ['get_fee_estimate', { grace_blocks: 10 }],
    ['get_coinbase_tx_sum', { height: 0, count: height }],
    ['get_output_histogram', { amounts: [0], unlocked: true, recent_cutoff: devnet.node.now() - 3_600 }],
    ['get_output_distribution', { amounts: [0], cumulative: true, binary: false }],
  ] as const) {
    const [ours, theirs] = await both.rpc(method, params);
    expect(ours).toEqual(theirs);
  }
}

describe('a chain', () => {
  it('mined on monerod is accepted here with the same result', { timeout: 1_200_000 }, async () => {
    while (devnet.node.chain.height <= THEIRS) {
      const isBusy = devnet.node.chain.height > FIRST_SPEND;
      if (isBusy && below(2) === 0) await pay();
      const count = isBusy ? 1 + below(3) : 20;
      const { blocks } = await monerod.rpc<{ blocks: string[] }>('generateblocks', {
        amount_of_blocks: count,
        wallet_address: devnet.minerWallet.address,
      });
      for (const hash of blocks) {
        const { blob } = await monerod.rpc<{ blob: string }>('get_block', { hash });
        expect(devnet.node.submitBlock(hexToBytes(blob))).toBe(hash);
      }
    }
    expect(devnet.node.chain.top.transactionCount).toBeGreaterThan(0);
    await expectOneChain(0);
  });

  it('mined here is taken by monerod', { timeout: 600_000 }, async () => {
    const from = devnet.node.chain.height;
    for (let i = 0; i < OURS; i++) {
      if (below(2) === 0) await pay();
      const block = devnet.node.mine(devnet.minerWallet);
      await monerod.rpc('submit_block', [bytesToHex(block.blob)]);
    }
    await expectOneChain(from);
  });
});
