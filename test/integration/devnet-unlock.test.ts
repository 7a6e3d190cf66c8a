import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, type JsonValue } from '../../src/base/index.ts';
import { commitmentOf } from '../../src/devnet/chain.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import type { PaymentInput } from '../../src/devnet/payment.ts';
import { serializeBlock } from '../../src/protocol/index.ts';
import { COIN, FEE, seededRandom } from '../devnet/support.ts';
import { BothNodes, feed } from '../support/beside-monerod.ts';
import { signedPayment } from '../support/fuzz/signed.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { TestSampler } from '../support/random-sampler.ts';

// When an output can be a ring member, beside monerod, block by block: coinbases, outputs locked up to a height, outputs locked up to a time.
// Release 0.18.0.0 takes payments with unlock times, which later ones keep out of their pools.

const BLOCKS = 90;
const SECONDS_A_BLOCK = 60n;

let devnet: ServedDevnet;
let monerod: Monerod;
let both: BothNodes;
const random = seededRandom('unlock');
const sampler = new TestSampler(3);

beforeAll(async () => {
  [devnet, monerod] = await Promise.all([
    serveDevnet({ allowUnlockTimes: true, history: { blocks: BLOCKS, transactions: 2 } }),
    startMonerod({ release: '0.18.0.0' }),
  ]);
  both = new BothNodes(devnet, monerod);
  await feed(monerod, devnet.node);
});
afterAll(async () => {
  await Promise.all([devnet?.stop(), monerod?.stop()]);
});

function input(): PaymentInput {
  const { minerWallet } = devnet;
  return minerWallet.input(minerWallet.pick(2n * COIN)!, (limit) => sampler.below(limit))!;
}

const pay = (spent: PaymentInput, unlockTime = 0n): Uint8Array =>
  signedPayment({ inputs: [spent], own: devnet.minerWallet, amount: COIN, fee: FEE, random }, (tx) => ({ ...tx, unlockTime }));

/** An honest ring but for one member. */
function withMember(index: number): PaymentInput {
  const honest = input();
  const real = honest.ring[honest.place]!;
  const output = devnet.node.chain.output(0n, index)!;
  const stranger = { key: output.key, commitment: commitmentOf(output), index: BigInt(index) };
  const decoys = honest.ring.filter((member) => member !== real && member.index !== stranger.index).slice(0, 14);
  const ring = [...decoys, real, stranger].sort((a, b) => Number(a.index - b.index));
  return { ...honest, ring, place: ring.indexOf(real) };
}

/** A block on top, so many seconds after the last. */
async function mine(timestamp: bigint): Promise<void> {
  const { block } = devnet.node.template(devnet.minerWallet).parsed;
  const [ours, theirs] = await both.submit(serializeBlock({ ...block, timestamp }));
  // This release says no id.
  expect(theirs).toHaveProperty('result');
  expect(ours).toHaveProperty('result');
  expect((await both.path('get_height'))[0]).toEqual((await both.path('get_height'))[1]);
}

const statusOf = (reply: JsonValue): unknown => (reply as { status?: unknown }).status;

describe('an output', () => {
  it('can be a ring member from the same block on as on monerod, however it is locked', { timeout: 900_000 }, async () => {
    const { chain } = devnet.node;
    const last = BigInt(chain.top.timestamp);
    const { height } = chain;
    // Edges on both sides of each rule: the age of ten blocks, a height, a time; and what is no height any more.
    const locks = [
      0n,
      BigInt(height + 13),
      last + 21n * SECONDS_A_BLOCK,
      last + 23n * SECONDS_A_BLOCK + 1n,
      499_999_999n,
      500_000_000n,
    ];
    for (const lock of locks) {
      const [ours, theirs] = await both.send(pay(input(), lock));
      expect(statusOf(theirs)).toBe('OK');
      expect(statusOf(ours)).toBe('OK');
    }
    await mine(last + SECONDS_A_BLOCK);
    const block = chain.top;
    expect(block.transactions).toHaveLength(locks.length);
    const watched = block.transactions.map((tx) => tx.outputIndices[0]!);
    const coinbase = chain.blockAt(chain.height - 55)!.minerTx.outputIndices[0]!;
    const firstUsable = new Map<number, number>();
    for (let i = 2n; i <= 26n; i++) {
      await mine(last + i * SECONDS_A_BLOCK);
      const outputs = Array.from({ length: chain.outputCount(0n) }, (_, index) => ({ amount: 0, index }));
      const [here, there] = await both.path('get_outs', { outputs, get_txid: true });
      expect(here).toEqual(there);
      for (const index of [...watched, coinbase].filter((one) => !firstUsable.has(one))) {
        const blob = pay(withMember(index));
        const [ours, theirs] = await both.send(blob);
        expect({ index, height: chain.height, status: statusOf(ours) }).toEqual({
          index,
          height: chain.height,
          status: statusOf(theirs),
        });
        if (statusOf(theirs) !== 'OK') continue;
        firstUsable.set(index, chain.height);
        expect(devnet.node.pool.all.map(({ blob: kept }) => bytesToHex(kept))).toContain(bytesToHex(blob));
        await both.rpc('flush_txpool');
      }
    }
    // What is locked up to a height of half a billion stays so; all others were usable in the end, none before its time.
    const never = block.transactions.filter((tx) => !firstUsable.has(tx.outputIndices[0]!)).map(({ tx }) => tx.unlockTime);
    expect(never).toEqual([499_999_999n]);
    expect(firstUsable.has(coinbase)).toBe(true);
    expect(new Set(firstUsable.values()).size).toBeGreaterThan(3);
  });
});
