import { beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../../src/crypto/index.ts';
import { Untrusted } from '../../../src/daemon/index.ts';
import type { PricedRequest, Priority } from '../../../src/wallet/api.ts';
import { blocksAhead } from '../../../src/wallet/spend/fee-rate.ts';
import { askRates, feeLevels, readRequest } from '../../../src/wallet/spend/index.ts';
import { COIN, FEES, failsWith, pay, receiver, world } from './payer.ts';

beforeAll(loadCrypto);

const ONE_BLOCK = 300_000;
const waiting = (blocks: number, perByte: bigint) => ({
  weight: blocks * ONE_BLOCK,
  fee: perByte * BigInt(blocks * ONE_BLOCK),
  timeInPool: 1,
});

type World = ReturnType<typeof world>;
const priced = async ({ ctx }: World, request: PricedRequest) => feeLevels(ctx, readRequest(request, ctx), await askRates(ctx));
const transfer = (amounts: readonly bigint[], more = {}): PricedRequest => ({
  kind: 'transfer',
  destinations: amounts.map((amount) => pay(amount)),
  account: 0,
  priority: 0,
  ...more,
});

describe('fee levels', () => {
  it('cost what the payment then costs, within four in a hundred, for each priority; nothing but the network is asked about', async () => {
    for (const [held, request] of [
      [[5n], transfer([COIN])],
      [[1n, 1n, 1n, 1n], transfer([3n * COIN, COIN / 2n])],
      [[9n], transfer(Array.from({ length: 15 }, () => COIN / 4n))],
      [[2n, 3n, 4n], { kind: 'sweep', address: receiver(), account: 0, priority: 0, outputs: 6 } as const],
    ] as const) {
      const wallet = world(held.map((coins) => ({ amount: coins * COIN })));
      const { levels, planned } = await priced(wallet, request);
      expect([...new Set(wallet.asked)].sort()).toEqual(['backlog', 'fees', 'headers', 'info']);
      expect(planned).toBe(true);
      expect(levels.map(({ priority, perByte }) => [priority, perByte])).toEqual(FEES.map((fee, i) => [i + 1, fee]));
      for (const { priority, fee } of levels) {
        const asked = { ...request, priority: priority as Priority };
        const { review } = await (asked.kind === 'transfer' ? wallet.transfer(asked) : wallet.sweep(asked));
        const away = fee > review.totalFee ? fee - review.totalFee : review.totalFee - fee;
        expect(away * 25n, `${priority}: ${fee} beside ${review.totalFee}`).toBeLessThanOrEqual(review.totalFee);
      }
    }
  });

  it('come after what waits and pays as much; each block ahead is two minutes more', async () => {
    const wallet = world([{ amount: 5n * COIN }]);
    const backlog = [waiting(3, 20_000n), waiting(2, 80_000n), waiting(1, 320_000n), { weight: 0, fee: 9n, timeInPool: 0 }];
    Object.assign(wallet.ctx.daemon, { getTxPoolBacklog: async () => new Untrusted(backlog) });
    const { levels, automatic } = await priced(wallet, transfer([COIN]));
    expect(levels.map(({ blocksAhead: ahead, seconds }) => [ahead, seconds])).toEqual([
      [6, 840],
      [3, 480],
      [1, 240],
      [0, 120],
    ]);
    expect(automatic, 'a block’s worth waits').toBe(2);
    expect(blocksAhead({ pool: backlog, fullRewardZone: 0 }, 1n)).toBe(0);
  });

  it('T1 says which level is above what blocks justify, instead of refusing them all', async () => {
    const wallet = world([{ amount: 5n * COIN }]);
    wallet.lies.fees = [20_000n, 80_000n, 320_000n, 400_000_000n];
    const { levels } = await priced(wallet, transfer([COIN]));
    expect(levels.map(({ withinBounds }) => withinBounds)).toEqual([true, true, true, false]);
  });

  it('tell what two inputs cost where the coins do not suffice, and refuse what is no payment', async () => {
    const wallet = world([{ amount: COIN }]);
    const poor = await priced(wallet, transfer([2n * COIN]));
    const rich = await priced(world([{ amount: 2n * COIN }, { amount: 2n * COIN }]), transfer([3n * COIN]));
    expect([poor.planned, rich.planned]).toEqual([false, true]);
    const [a, b] = [poor, rich].map(({ levels }) => levels[0]!.fee);
    expect(Number(a) / Number(b)).toBeCloseTo(1, 1);
    await expect(priced(wallet, transfer([]))).rejects.toMatchObject(failsWith('no-destination'));
  });
});
