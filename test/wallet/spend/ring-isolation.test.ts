import { beforeAll, expect, it } from 'vitest';
import { hexToBytes } from '../../../src/base/index.ts';
import { loadCrypto } from '../../../src/crypto/index.ts';
import { ringsGivenUp } from '../../../src/wallet/spend/index.ts';
import { offsets } from './chain.ts';
import { COIN, world } from './payer.ts';

/** Order 8: not in the prime subgroup. */
const TORSION = hexToBytes('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
/** How often each attack is tried, with other chance. */
const RUNS = 5;

beforeAll(loadCrypto);

/** What every request had in common: all that was asked for, unless the wallet chose anew. */
function commonTo(requests: readonly (readonly bigint[])[]): bigint[] {
  return requests.reduce<bigint[]>((common, request) => common.filter((index) => request.includes(index)), [...requests[0]!]);
}

/** A month of blocks: long enough for a node to judge rings. */
const MONTH = 20_000;

it('T3 a daemon that fails and then inflates the newest blocks does not see a second choice of decoys', async () => {
  const honest = offsets(MONTH);
  const inflated = honest.map((sum, height) => (height < MONTH - 400 ? sum : sum + 1_000 * (height - MONTH + 401)));
  for (let run = 0; run < RUNS; run++) {
    const { transfer, lies, requests } = world([{ amount: 3n * COIN, height: MONTH - 5_000 }], 'full', MONTH);
    lies.outs = () => {
      throw new Error('the connection broke');
    };
    await expect(transfer({})).rejects.toThrow('broke');
    lies.outs = (got) => got;
    lies.distribution = () => inflated;
    const second = await transfer({}).catch((error: unknown) => error);
    expect(commonTo(requests)).toEqual(requests[0]);
    expect(second).toMatchObject({ code: 'kept-ring-unusable' });
    lies.distribution = () => honest;
    await transfer({});
    expect(commonTo(requests)).toEqual(requests[0]);
  }
});

it('T3 a daemon that spoils the young decoys is asked once, and never for fresh ones', async () => {
  const blocks = 1_500;
  for (let run = 0; run < RUNS; run++) {
    const { own, transfer, lies, requests } = world([{ amount: 3n * COIN, height: blocks - 100 }], 'full', blocks);
    const real = own[0]!.globalIndex;
    lies.outs = (got, asked) =>
      got.map((answer, i) => (asked[i]!.index !== real && answer.height > 0.6 * blocks ? { ...answer, mask: TORSION } : answer));
    const prepared = await transfer({}).catch((error: unknown) => error);
    expect(requests).toHaveLength(1);
    expect(prepared).toMatchObject({ code: 'bad-ring-member' });
  }
});

it('T3 a daemon that calls most young decoys of a long chain locked is refused: coinbase outputs are fewer', async () => {
  const dense = offsets(200).map((sum) => 8 * sum);
  const { own, transfer, lies } = world([{ amount: 3n * COIN, height: 150, index: 8n * 7n * 150n + 3n }], 'full', 200);
  lies.distribution = () => dense;
  lies.outs = (got, asked) =>
    got.map((answer, i) => ({ ...answer, unlocked: answer.height < 140 || asked[i]!.index === own[0]!.globalIndex }));
  await expect(transfer({})).rejects.toMatchObject({ code: 'bad-ring-member', data: { spoilt: 0 } });
});

it('T3 a ring with an index that this daemon’s chain does not have waits: nothing is asked, and nothing can be given up', async () => {
  const { ctx, transfer, lies, requests } = world([{ amount: 3n * COIN, height: 200 }]);
  const honest = lies.distribution();
  await transfer({});
  const [ring] = [...ctx.state.rings.values()];
  const newest = Math.max(...ring!.asked!.map(Number));
  lies.distribution = () => honest.map((sum) => Math.min(sum, newest));
  await expect(transfer({})).rejects.toMatchObject({ code: 'kept-ring-unusable', data: { reason: 'gone' } });
  expect(() => ringsGivenUp(ctx.state, [ring!.keyImage])).toThrow(expect.objectContaining({ code: 'kept-ring-usable' }));
  lies.distribution = () => honest;
  await transfer({});
  expect(requests).toEqual([requests[0], requests[0]]);
});

it('T3 payments that are planned at once ask for the same decoys of a coin', async () => {
  const { transfer, requests } = world([{ amount: 3n * COIN, height: 200 }]);
  await Promise.all([transfer({}), transfer({})]);
  expect(requests).toEqual([requests[0], requests[0]]);
});
