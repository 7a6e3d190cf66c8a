import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { type Neighbour, shortHistory, type WholeBlock } from '../../src/devnet/follow.ts';
import { DevnetNode, Follower, minerAddress } from '../../src/devnet/index.ts';
import { serializeBlock } from '../../src/protocol/index.ts';
import { seededRandom } from './support.ts';

const ADDRESS = '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';

let own: DevnetNode;
let other: DevnetNode;
beforeAll(loadCrypto);
beforeEach(() => {
  own = new DevnetNode({ random: seededRandom('own') });
  other = new DevnetNode({ random: seededRandom('other') });
});

const mine = (node: DevnetNode, blocks: number) => {
  for (let i = 0; i < blocks; i++) node.mine(minerAddress(ADDRESS));
};

/** Another node in this process, and how often its blocks were asked for. */
class Beside implements Neighbour {
  readonly name = 'beside';
  asked = 0;
  readonly #node: DevnetNode;
  readonly #changes: Partial<Neighbour>;

  constructor(node: DevnetNode, changes: Partial<Neighbour> = {}) {
    this.#node = node;
    this.#changes = changes;
  }

  async state() {
    const { chain, difficulties } = this.#node;
    const truth = { nettype: 'fakechain', topId: chain.top.id as string, height: chain.height };
    return this.#changes.state?.() ?? { ...truth, cumulativeDifficulty: difficulties.cumulative(chain.height - 1) };
  }

  async blocksFrom(ids: readonly string[]): Promise<readonly WholeBlock[]> {
    this.asked++;
    if (this.#changes.blocksFrom !== undefined) return this.#changes.blocksFrom(ids);
    const { height: from } = await this.idsFrom(ids);
    return Array.from({ length: this.#node.chain.height - from }, (_, i) => {
      const { blob, transactions } = this.#node.chain.blockAt(from + i)!;
      return { blob, transactions: transactions.map((tx) => tx.blob) };
    });
  }

  async idsFrom(ids: readonly string[]) {
    const { chain } = this.#node;
    const height = ids.map((id) => chain.blockById(id)?.height).find((found) => found !== undefined)!;
    return { height, ids: Array.from({ length: chain.height - height }, (_, i) => chain.blockAt(height + i)!.id) };
  }

  async poolIds() {
    return this.#node.pool.visible.map(({ id }) => id);
  }

  async transactions(ids: readonly string[]) {
    return ids.flatMap((id) => this.#node.pool.get(id)?.blob ?? []);
  }

  async giveTransaction(blob: Uint8Array) {
    this.#node.submitTransaction(blob);
  }

  async giveBlock(blob: Uint8Array) {
    this.#node.submitBlock(blob);
  }
}

describe('following another node', () => {
  it('takes a chain with more work, and hands over its own', async () => {
    mine(other, 30);
    const follower = new Follower(own, new Beside(other));
    await follower.round();
    expect(own.chain.top.id).toBe(other.chain.top.id);
    mine(own, 5);
    await follower.round();
    expect(other.chain.top.id).toBe(own.chain.top.id);
    // Further than the blocks that are named one by one: what it has is not handed over again, which it would refuse.
    mine(own, 40);
    await follower.round();
    expect(other.chain.top.id).toBe(own.chain.top.id);
  });

  it('checks what it takes by every rule, and asks for a chain that broke one no more', async () => {
    mine(own, 3);
    mine(other, 5);
    // A coinbase of one atomic unit more, in the last block.
    const top = other.chain.top;
    const { minerTx } = top.block;
    const outputs = minerTx.outputs.map((output) => ({ ...output, amount: output.amount + 1n }));
    const forged = serializeBlock({ ...top.block, minerTx: { ...minerTx, outputs } });
    const truth = new Beside(other);
    const liar = new Beside(other, {
      blocksFrom: async (ids) => [...(await truth.blocksFrom(ids)).slice(0, -1), { blob: forged, transactions: [] }],
    });
    const follower = new Follower(own, liar);
    await expect(follower.round()).rejects.toThrow(/its chain is not taken: expected a coinbase/);
    // The blocks below the bad one are as good as others.
    expect(own.chain.top.id).toBe(other.chain.blockAt(4)!.id);
    await follower.round();
    expect(liar.asked).toBe(1);
  });

  it('asks a node of another network for nothing', async () => {
    mine(other, 2);
    const state = async () => ({ nettype: 'mainnet', topId: '00'.repeat(32), height: 9, cumulativeDifficulty: 1n << 80n });
    const neighbour = new Beside(other, { state });
    await expect(new Follower(own, neighbour).round()).rejects.toThrow(/it is on mainnet, and this chain on fakechain/);
    expect(neighbour.asked).toBe(0);
  });

  it('ends with one that says it has more than it gives', async () => {
    mine(other, 4);
    const state = async () => ({ nettype: 'fakechain', topId: 'ab'.repeat(32), height: 1e9, cumulativeDifficulty: 1n << 80n });
    const neighbour = new Beside(other, { state });
    await new Follower(own, neighbour).round();
    expect(own.chain.top.id).toBe(other.chain.top.id);
    expect(neighbour.asked).toBe(2);
    const nothing = new Beside(other, { state, blocksFrom: async () => [] });
    await new Follower(own, nothing).round();
    expect(nothing.asked).toBe(1);
  });

  it('names its newest blocks, fewer further down, and the first', () => {
    mine(own, 60);
    const heights = shortHistory(own.chain).map((id) => own.chain.blockById(id)!.height);
    expect(heights.slice(0, 11)).toEqual(Array.from({ length: 11 }, (_, i) => 60 - i));
    expect(heights.at(-1)).toBe(0);
    expect(heights.length).toBeLessThan(18);
  });
});
