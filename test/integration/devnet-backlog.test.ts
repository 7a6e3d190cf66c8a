import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, type JsonObject, type JsonValue } from '../../src/base/index.ts';
import { DaemonClient } from '../../src/daemon/index.ts';
import { DaemonService } from '../../src/daemon/service/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import type { PaymentInput } from '../../src/devnet/payment.ts';
import { encodeAddress } from '../../src/protocol/index.ts';
import { COIN, FEE, seededRandom } from '../devnet/support.ts';
import { BothNodes, feed } from '../support/beside-monerod.ts';
import { signedPayment } from '../support/fuzz/signed.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { TestSampler } from '../support/random-sampler.ts';

// What miners are told of a pool that holds more than a block may, beside monerod.

/** Bytes of a payment's extra field, nearly as many as it may have: fewer payments are too many then. */
const EXTRA = 1_000;
const FEW = 12;
/** Of about 2,500 bytes each: more than 112.5 % of 300,000. */
const MANY = 145;

let devnet: ServedDevnet;
let monerod: Monerod;
let both: BothNodes;
const random = seededRandom('backlog');
const sampler = new TestSampler(11);

beforeAll(async () => {
  [devnet, monerod] = await Promise.all([serveDevnet({ history: { blocks: 80 + MANY, transactions: 0 } }), startMonerod()]);
  both = new BothNodes(devnet, monerod);
  await feed(monerod, devnet.node);
});

afterAll(async () => {
  await Promise.all([devnet?.stop(), monerod?.stop()]);
});

function payment(): Uint8Array {
  const { minerWallet } = devnet;
  const input = minerWallet.input(minerWallet.pick(2n * COIN)!, (limit) => sampler.below(limit)) as PaymentInput;
  const fee = FEE + BigInt(sampler.below(4)) * 1_000_000n;
  return signedPayment({ inputs: [input], own: minerWallet, amount: COIN, fee, random }, (tx) => ({
    ...tx,
    extra: Uint8Array.from([...tx.extra, ...new Uint8Array(EXTRA)]),
  }));
}

async function fill(until: number): Promise<void> {
  while (devnet.node.pool.visible.length < until) {
    const [ours, theirs] = await both.send(payment());
    expect(theirs).toMatchObject({ status: 'OK' });
    expect(ours).toEqual(theirs);
  }
  await monerod.untilRelayed();
}

/** Both tell the same; of how many transactions. */
async function told(): Promise<number> {
  const [ours, theirs] = await both.rpc('get_miner_data');
  expect(ours).toEqual(theirs);
  const { tx_backlog: backlog = [] } = (theirs as { result: JsonObject }).result;
  return (backlog as JsonValue[]).length;
}

describe('what miners are told of the pool', () => {
  it('is all that is relayed, by id, while it fits', async () => {
    await fill(FEW);
    await both.path('send_raw_transaction', { tx_as_hex: bytesToHex(payment()), do_not_relay: true });
    expect(devnet.node.pool.all).toHaveLength(FEW + 1);
    expect(await told()).toBe(FEW);
  });

  it('is paid for by its fees, as mining_status says', async () => {
    const { spendKey, viewKey } = devnet.minerWallet;
    const integrated = encodeAddress({ network: 'regtest', kind: 'integrated', spendKey, viewKey, paymentId: new Uint8Array(8) });
    const begin = { miner_address: integrated, threads_count: 1, do_background_mining: true };
    for (const ignore_battery of [false, true]) {
      // In the background, monerod does not begin before it has been idle for ten seconds.
      await both.path('start_mining', { ...begin, ignore_battery });
      const status = (await both.path('mining_status')).map((reply) => reply as Record<string, JsonValue>);
      await both.path('stop_mining');
      expect({ ...status[0], pow_algorithm: 'RandomX' }).toEqual(status[1]);
      expect(status[1]).toMatchObject({ active: true, bg_ignore_battery: ignore_battery });
      expect(Number(status[1]!.block_reward)).toBeGreaterThan(Number(devnet.node.chain.baseReward));
    }
    const [ours, theirs] = await both.path('get_height');
    expect(ours).toEqual(theirs);
  });

  it('is what pays best for its weight, where there is more than fits', async () => {
    await fill(MANY);
    const count = await told();
    expect(count).toBeGreaterThan(MANY / 2);
    expect(count).toBeLessThan(MANY);
  });

  it('has the order and the ages that monerod tells', async () => {
    const [hashes, sameHashes] = await both.path('get_transaction_pool_hashes');
    expect(hashes).toEqual(sameHashes);
    const backlogs = await Promise.all(
      [devnet, monerod].map(async ({ url }) => {
        const { backlog } = (await DaemonService.connect({ url }).getTxpoolBacklog()).check((answer) => answer);
        const read = (await DaemonClient.connect({ url }).getTxPoolBacklog()).check((answer) => answer);
        const ages = backlog.filter((_, i) => i % 3 === 2).map(Number);
        expect(Math.max(...ages)).toBeGreaterThan(0);
        expect(Math.max(...ages)).toBeLessThan(600);
        expect(read.every(({ timeInPool }, i) => Math.abs(timeInPool - ages[i]!) < 10)).toBe(true);
        return backlog.filter((_, i) => i % 3 !== 2);
      }),
    );
    expect(backlogs[0]).toEqual(backlogs[1]);
  });

  it('leaves out what cannot be mined while blocks are off', async () => {
    const before = await told();
    await both.path('pop_blocks', { nblocks: 25 });
    const count = await told();
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(before);
  });
});
