import { beforeAll, describe, expect, it, vi } from 'vitest';
import { loadCrypto } from '../../../src/crypto/index.ts';
import { eraOfPayment, NEWEST_VERSION } from '../../../src/protocol/index.ts';
import { estimateSizeAndWeight } from '../../../src/wallet/spend/index.ts';
import { BLOCKS } from './chain.ts';
import { COIN, world } from './payer.ts';

/** A version 17 that does not exist: the rules of 16 with larger rings, from the block on that follows the test's chain. */
vi.mock('../../../src/protocol/eras/ringct/index.ts', async (original) => {
  const { RINGCT } = await original<typeof import('../../../src/protocol/eras/ringct/index.ts')>();
  const firstHeight = { mainnet: 400, stagenet: 3_000_000, testnet: 3_000_000 };
  return { RINGCT: [...RINGCT, { ...RINGCT[15]!, version: 17, firstHeight, ringSize: { min: 17, max: 17 } }] };
});

beforeAll(loadCrypto);

describe('the era of a payment', () => {
  /** Version and ring sizes of a payment of a wallet that has scanned so many blocks, by a daemon that claims so many. */
  async function paid(scanned: number, claimed = scanned): Promise<number[]> {
    const { transfer, lies } = world([{ amount: 3n * COIN }], 'full', scanned);
    lies.height = claimed;
    const { unsigned } = (await transfer({ priority: 1 })).plan.transactions[0]!;
    return [unsigned!.majorVersion, ...unsigned!.inputs.map(({ ring }) => ring.length)];
  }

  it('is that of the next block: a new version is one more line in the list of eras', async () => {
    expect(NEWEST_VERSION).toBe(17);
    expect(await paid(BLOCKS - 1)).toEqual([16, 16]);
    expect(await paid(BLOCKS - 1, BLOCKS)).toEqual([17, 17]);
    expect(await paid(BLOCKS)).toEqual([17, 17]);
  });

  it('T5 is not made older by a daemon that claims fewer blocks than the wallet has scanned', async () => {
    expect(await paid(BLOCKS + 2, BLOCKS - 5)).toEqual([17, 17]);
  });

  it('T5 is never older than the versions that had come when this program was made', () => {
    for (const network of ['mainnet', 'stagenet', 'testnet'] as const) expect(eraOfPayment(network, 0).version).toBe(16);
    expect(eraOfPayment('regtest', 1).version).toBe(17);
  });

  it('is that of the next block where a size is estimated', () => {
    const asked = { inputs: 1, outputs: 2, ringSize: 0, rct: true };
    const { state } = world([], 'full', BLOCKS - 1).ctx;
    const before = estimateSizeAndWeight(state, asked);
    expect(estimateSizeAndWeight({ ...state, height: BLOCKS }, asked).size - before.size).toBe(34);
  });
});
