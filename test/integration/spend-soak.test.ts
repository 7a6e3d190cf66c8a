import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hexToBytes } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { absoluteOffsets, parseTransaction, toAtomicAmount } from '../../src/protocol/index.ts';
import { ringsLookSane } from '../../src/wallet/spend/decoys.ts';
import { sendChecked } from '../../src/wallet/spend/index.ts';
import { makeReady, type ReadyPayment } from '../support/paying.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { type TestWallet, testWallet } from './spend-support.ts';

/** From 10,000 RingCT outputs on a node judges rings; the long form (`npm run soak`) goes beyond. */
const LONG = process.env.LONG === '1';
const WANTED = LONG ? 10_400 : 700;
const FIRST_BLOCKS = 160;
const TRANSACTIONS_A_ROUND = 40;
const PART = 2_000_000_000n;

let monerod: Monerod;
let wallet: TestWallet;

beforeAll(async () => {
  await loadCrypto();
  monerod = await startMonerod();
  wallet = testWallet(new Uint8Array(32).fill(9), monerod);
  await monerod.generateBlocks(FIRST_BLOCKS, wallet.address());
  await wallet.sync();
  while ((await outputs()) < WANTED) {
    for (let i = 0; i < TRANSACTIONS_A_ROUND; i++) await sendChecked(wallet.ctx, (await fanOut()).transactions);
    await mine();
  }
}, 3_000_000);

afterAll(() => monerod?.stop());

/** @returns how many blocks that took: the pool may be kept back from the first */
async function mine(): Promise<number> {
  const blocks = await monerod.minePool(wallet.address());
  await monerod.generateBlocks(9, wallet.address());
  await wallet.sync();
  return blocks + 9;
}

/** RingCT outputs on the chain. */
async function outputs(): Promise<number> {
  const answer = await wallet.ctx.daemon.getOutputDistribution({ amount: 0n, cumulative: true });
  return answer.check(({ distribution }) => distribution.at(-1)!);
}

/** Fifteen small outputs of our own and change. */
function fanOut(): Promise<ReadyPayment> {
  const destinations = Array.from({ length: 15 }, (_, i) => ({
    address: wallet.address({ major: 0, minor: i % 2 }),
    amount: toAtomicAmount(PART + BigInt(i)),
  }));
  return makeReady(wallet.ctx, { kind: 'transfer', destinations, account: 0, priority: 1 });
}

function ringsOf(prepared: ReadyPayment): number[][] {
  return prepared.transactions.flatMap(({ blob }) =>
    parseTransaction(hexToBytes(blob)).inputs.map((input) =>
      input.type === 'key' ? absoluteOffsets(input.keyOffsets).map(Number) : [],
    ),
  );
}

describe(`decoys on a chain of over ${WANTED} RingCT outputs`, () => {
  it('the node accepts payments from the oldest outputs and from the newest', async () => {
    expect(await outputs()).toBeGreaterThanOrEqual(WANTED);
    const unspent = [...wallet.state.unspent].map((key) => wallet.state.outputs.get(key)!.output);
    const spendable = unspent.filter(({ height, coinbase }) => height + (coinbase ? 60 : 10) <= wallet.state.height);
    const sorted = spendable.filter(({ amount }) => amount > 4n * PART).sort((a, b) => a.height - b.height);
    const chosen = [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!];
    for (const { keyImage } of chosen) {
      const prepared = await makeReady(wallet.ctx, {
        kind: 'sweep',
        address: wallet.address(),
        account: 0,
        keyImage: keyImage!,
        priority: 2,
      });
      expect(ringsLookSane(ringsOf(prepared), await outputs())).toBe(true);
      expect(await sendChecked(wallet.ctx, prepared.transactions)).toHaveLength(1);
    }
    await mine();
    for (const { key } of chosen) expect(wallet.state.unspent.has(key)).toBe(false);
  });

  it('the node accepts a sweep of many small outputs in several transactions at the weight target', async () => {
    const before = [...wallet.state.unspent].length;
    const prepared = await makeReady(wallet.ctx, {
      kind: 'sweep',
      address: wallet.address({ major: 1, minor: 1 }),
      account: 0,
      subaddresses: [1],
      belowAmount: PART + (LONG ? 2n : 15n),
      priority: 1,
    });
    expect(prepared.review.transactions.length).toBeGreaterThan(1);
    expect(prepared.review.transactions[0]!.weight).toBeGreaterThan(95_000);
    const hashes = await sendChecked(wallet.ctx, prepared.transactions);
    const mined = await mine();
    const spent = prepared.review.transactions.reduce((sum, { inputs }) => sum + inputs, 0);
    expect([...wallet.state.unspent].length).toBe(before - spent + hashes.length + mined);
  });
});
