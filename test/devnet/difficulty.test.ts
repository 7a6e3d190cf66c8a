import { beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { nextDifficulty } from '../../src/devnet/difficulty.ts';
import { DevnetNode, minerAddress } from '../../src/devnet/index.ts';
import { NETWORKS } from '../../src/protocol/index.ts';
import { seededRandom } from './support.ts';

const NOW = 1_700_000_000;
const ADDRESS = '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';

beforeAll(loadCrypto);

/** A chain whose blocks are so many seconds apart. */
function chainOf(seconds: readonly number[]): DevnetNode {
  const node = new DevnetNode({ difficulty: 'adjusted', random: seededRandom('difficulty'), now: () => NOW });
  let at = NOW - 1_000_000;
  for (const step of seconds) {
    at += step;
    node.mine(minerAddress(ADDRESS), at);
  }
  return node;
}

describe('difficulty', () => {
  it('is as large as the blocks come too fast', () => {
    const steady = Array.from({ length: 20 }, (_, i) => ({ timestamp: i * 120, cumulative: BigInt(i * 50) }));
    expect(nextDifficulty(steady)).toBe(50n);
    expect(nextDifficulty(steady.map((one) => ({ ...one, timestamp: one.timestamp / 4 })))).toBe(200n);
    // All at once counts as one second; rounded up.
    expect(nextDifficulty(steady.map((one) => ({ ...one, timestamp: 5 })))).toBe(19n * 50n * 120n);
    expect(nextDifficulty([])).toBe(1n);
  });

  it('leaves out sixty at each end of the window, and the newest fifteen', () => {
    const blocks = Array.from({ length: 735 }, (_, i) => ({ timestamp: i * 120, cumulative: BigInt(i * 7) }));
    const odd = blocks.map((one, i) => (i < 60 || i >= 660 ? { ...one, timestamp: i < 60 ? 0 : 10_000_000 } : one));
    expect(nextDifficulty(odd)).toBe(7n);
    expect(nextDifficulty(blocks.slice(0, 720))).toBe(nextDifficulty(blocks));
  });

  it('the larger sum of difficulties wins, and not the longer chain', () => {
    // Fast blocks make the chain's next ones hard.
    const node = chainOf([...Array.from({ length: 12 }, () => 100), 1, 1, 1]);
    const fork = node.chain.blockAt(9)!.id;
    const before = node.chain.top;
    const work = node.difficulties.cumulative(node.chain.height - 1);
    // A branch of slow blocks: longer by one, and less work.
    const slow = new DevnetNode({ difficulty: 'adjusted', random: seededRandom('slow'), now: () => NOW });
    for (let height = 1; height <= 9; height++) slow.submitBlock(node.chain.blockAt(height)!.blob);
    expect(slow.chain.top.id).toBe(fork);
    let at = Number(slow.chain.top.block.timestamp);
    while (slow.chain.height <= node.chain.height) {
      at += 600;
      slow.mine(minerAddress(ADDRESS), at);
    }
    expect(slow.difficulties.cumulative(slow.chain.height - 1)).toBeLessThan(work);
    for (let height = 10; height < slow.chain.height; height++) node.submitBlock(slow.chain.blockAt(height)!.blob);
    expect(node.chain.top.id).toBe(before.id);
    expect(node.branches.all).toMatchObject([{ cumulativeDifficulty: slow.difficulties.cumulative(slow.chain.height - 1) }]);
    // More of them, until they are more work.
    while (slow.difficulties.cumulative(slow.chain.height - 1) <= work) {
      at += 600;
      node.submitBlock(slow.mine(minerAddress(ADDRESS), at).blob);
    }
    expect(node.chain.top.id).toBe(slow.chain.top.id);
    for (let height = 0; height < node.chain.height; height++)
      expect(node.difficulties.cumulative(height)).toBe(slow.difficulties.cumulative(height));
    // What lost keeps its work.
    expect(node.branches.all).toMatchObject([{ cumulativeDifficulty: work }]);
  });

  it('has the genesis blocks of testnet and stagenet', () => {
    for (const network of ['regtest', 'testnet', 'stagenet'] as const)
      expect(new DevnetNode({ network }).chain.top.id).toBe(NETWORKS[network].genesisId);
  });
});
