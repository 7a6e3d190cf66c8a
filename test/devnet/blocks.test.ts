import { beforeEach, describe, expect, it } from 'vitest';
import { hexToBytes } from '../../src/base/index.ts';
import { commitmentOf } from '../../src/devnet/chain.ts';
import { buildCoinbase } from '../../src/devnet/miner.ts';
import type { NodeEvent } from '../../src/devnet/node.ts';
import { getAltBlocksHashes } from '../../src/devnet/rpc/blocks.ts';
import { type Block, relativeOffsets, serializeBlock, type Transaction } from '../../src/protocol/index.ts';
import { codeOf, rewritten, type TestChain, testChain } from './support.ts';

let chain: TestChain;
const tip = () => chain.node.chain.top;
const submit = (block: Block) => codeOf(() => chain.node.submitBlock(serializeBlock(block)));
const template = (): Block => chain.node.template(chain.minerWallet).parsed.block;
const withCoinbase = (change: (tx: Transaction & { version: 2 }) => Transaction): Block => {
  const block = template();
  if (block.minerTx.version !== 2) throw new Error('expected a coinbase of version 2');
  return { ...block, minerTx: change(block.minerTx) };
};

describe('blocks', () => {
  beforeEach(async () => {
    chain = await testChain(85, 'blocks');
  });

  it('takes the next block in, and not twice', () => {
    const block = template();
    expect(submit(block)).toBeUndefined();
    expect(tip().block).toEqual(block);
    expect(submit(block)).toBe('block-known');
  });

  it('refuses what does not parse, or has no known parent', () => {
    expect(codeOf(() => chain.node.submitBlock(new Uint8Array(3)))).toBe('truncated');
    expect(submit({ ...template(), prevId: new Uint8Array(32).fill(7) })).toBe('block-parent-unknown');
    // The version is looked at first, as the reference does.
    expect(submit({ ...template(), majorVersion: 15, prevId: new Uint8Array(32).fill(7) })).toBe('block-version');
  });

  it('refuses another version, and timestamps too far back or ahead', () => {
    expect(submit({ ...template(), majorVersion: 15 })).toBe('block-version');
    expect(submit({ ...template(), majorVersion: 17 })).toBe('block-version');
    expect(submit({ ...template(), minorVersion: 15 })).toBe('block-version');
    const ahead = BigInt(chain.node.now() + 7200);
    expect(submit({ ...template(), timestamp: ahead + 1n })).toBe('block-timestamp');
    const times = chain.node.chain.timestamps(60).sort((a, b) => a - b);
    const median = BigInt(Math.floor((times[29]! + times[30]!) / 2));
    expect(submit({ ...template(), timestamp: median - 1n })).toBe('block-timestamp');
    expect(submit({ ...template(), timestamp: median })).toBeUndefined();
    expect(submit({ ...template(), timestamp: ahead })).toBeUndefined();
  });

  it('refuses a coinbase of another height, lock, reward or kind', () => {
    expect(submit(withCoinbase((tx) => ({ ...tx, inputs: [{ type: 'gen', height: 5 }] })))).toBe('block-coinbase');
    expect(submit(withCoinbase((tx) => ({ ...tx, unlockTime: tx.unlockTime - 1n })))).toBe('block-coinbase');
    const worth = (more: bigint) => (tx: Transaction & { version: 2 }) => ({
      ...tx,
      outputs: tx.outputs.map((output) => ({ ...output, amount: output.amount + more })),
    });
    expect(submit(withCoinbase(worth(1n)))).toBe('block-reward');
    expect(submit(withCoinbase(worth(-1n)))).toBe('block-reward');
    const untagged = withCoinbase((tx) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, viewTag: undefined })) }));
    expect(submit(untagged)).toBe('block-coinbase');
    expect(submit(withCoinbase((tx) => ({ ...tx, inputs: [...tx.inputs, ...tx.inputs] })))).toBe('bad-structure');
  });

  it('takes a coinbase that pays to no point, as the reference does, and a ring with it proves nothing', () => {
    const notAPoint = new Uint8Array(32).fill(2);
    const bent = withCoinbase((tx) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, key: notAPoint })) }));
    expect(submit(bent)).toBeUndefined();
    const index = tip().rctOutputs - 1;
    chain.mine(70);
    const input = chain.input();
    const output = chain.node.chain.output(0n, index)!;
    const member = { key: output.key, commitment: commitmentOf(output), index: BigInt(index) };
    const others = input.ring.filter((one, place) => one.index !== member.index && (place === input.place || place > 0));
    const ring = [...others, member].sort((a, b) => Number(a.index - b.index)).slice(0, 16);
    expect(ring).toHaveLength(16);
    const place = ring.findIndex((one) => one.index === input.ring[input.place]!.index);
    const honest = chain.pay({ inputs: [input] });
    const offsets = relativeOffsets(ring.map((one) => one.index));
    const tx = rewritten(honest, (whole) => ({
      ...whole,
      inputs: whole.inputs.map((one) => (one.type === 'key' ? { ...one, keyOffsets: offsets } : one)),
    }));
    expect(place).toBeGreaterThanOrEqual(0);
    expect(codeOf(() => chain.node.submitTransaction(tx.blob))).toBe('invalid-input');
  });

  it('refuses unknown and repeated transactions', () => {
    expect(submit({ ...template(), txHashes: [new Uint8Array(32)] })).toBe('block-transaction-missing');
    const paid = chain.pay();
    chain.node.submitTransaction(paid.blob);
    const block = template();
    expect(block.txHashes).toEqual([hexToBytes(paid.id)]);
    expect(submit({ ...block, txHashes: [block.txHashes[0]!, block.txHashes[0]!] })).toBe('double-spend');
    expect(submit(block)).toBeUndefined();
    expect(submit({ ...template(), txHashes: block.txHashes })).toBe('block-transaction-repeated');
  });

  it('pays the fee to the miner, and takes the transaction out of the pool', () => {
    const paid = chain.pay();
    chain.node.submitTransaction(paid.blob);
    const block = chain.node.mine(chain.minerWallet);
    expect(block.transactions.map((tx) => tx.id)).toEqual([paid.id]);
    expect(block.minerTx.tx.outputs[0]!.amount).toBe(block.reward + paid.fee);
    expect(chain.node.pool.visible).toEqual([]);
  });

  it('mines what is not to be relayed, too, as monerod does', () => {
    const paid = chain.pay();
    chain.node.submitTransaction(paid.blob, { doNotRelay: true });
    expect(chain.node.mine(chain.minerWallet).transactions.map(({ id }) => id)).toEqual([paid.id]);
    expect(chain.node.pool.all).toEqual([]);
  });
});

describe('branches', () => {
  const branch = (parentId: string, count: number): string[] => {
    const ids: string[] = [];
    let at = parentId;
    for (let i = 0; i < count; i++) {
      const { parsed } = chain.node.templateOn(at, chain.minerWallet)!;
      chain.node.submitBlock(parsed.blob);
      at = parsed.id;
      ids.push(at);
    }
    return ids;
  };

  beforeEach(async () => {
    chain = await testChain(85, 'branches');
  });

  it('stays with the first of two equally long ones, and changes over to a longer one', () => {
    const parent = chain.node.chain.blockAt(chain.node.chain.height - 3)!;
    const old = [chain.node.chain.height - 2, chain.node.chain.height - 1].map((height) => chain.node.chain.blockAt(height)!.id);
    const aside = branch(parent.id, 2);
    expect(tip().id).toBe(old[1]);
    expect(chain.node.branches.all).toEqual([
      {
        blockIds: [...aside].reverse(),
        height: parent.height + 1,
        parentId: parent.id,
        cumulativeDifficulty: BigInt(parent.height + 3),
      },
    ]);
    const [third] = branch(aside[1]!, 1);
    expect(tip().id).toBe(third);
    expect(chain.node.chain.blockById(aside[0]!)?.height).toBe(parent.height + 1);
    expect(chain.node.branches.all).toEqual([
      {
        blockIds: [...old].reverse(),
        height: parent.height + 1,
        parentId: parent.id,
        cumulativeDifficulty: BigInt(parent.height + 3),
      },
    ]);
  });

  it('a block that two branches share is one among their hashes', () => {
    const parent = chain.node.chain.blockAt(chain.node.chain.height - 3)!;
    const [shared] = branch(parent.id, 1);
    const tips = [branch(shared!, 1), branch(shared!, 1)].flat();
    expect(chain.node.branches.all).toHaveLength(2);
    const { blks_hashes } = getAltBlocksHashes(chain) as { blks_hashes: string[] };
    expect([...blks_hashes].sort()).toEqual([shared!, ...tips].sort());
  });

  it('changes back when the old branch outgrows the new one', () => {
    const old = tip();
    const parent = chain.node.chain.blockAt(old.height - 1)!;
    branch(parent.id, 2);
    expect(chain.node.chain.blockById(old.id)).toBeUndefined();
    branch(old.id, 2);
    expect(chain.node.chain.blockById(old.id)?.height).toBe(old.height);
  });

  it('forgets outputs and key images of a lost branch, and puts its transactions back into the pool', () => {
    const before = { outputs: chain.node.chain.outputCount(0n), coins: tip().generatedCoins, top: tip().id };
    const paid = chain.pay();
    chain.node.submitTransaction(paid.blob);
    chain.mine(1);
    expect(chain.node.chain.outputCount(0n)).toBe(before.outputs + 3);
    chain.node.reorganise(1, 2, chain.minerWallet);
    expect(chain.node.chain.transaction(paid.id)).toBeUndefined();
    expect(chain.node.pool.get(paid.id)).toMatchObject({ fromBlock: true });
    expect(chain.node.chain.outputCount(0n)).toBe(before.outputs + 2);
    chain.mine(1);
    expect(chain.node.chain.transaction(paid.id)?.height).toBe(tip().height);
  });

  it('does not mine a returned transaction whose ring is gone', () => {
    chain.node.submitTransaction(chain.pay().blob);
    chain.mine(12);
    // A payment whose ring holds an output of the first one, which is lost below.
    const fresh = chain.node.chain.blockAt(chain.node.chain.height - 12)!.transactions[0]!.outputIndices[0]!;
    const input = chain.input();
    const real = input.ring[input.place]!;
    const output = chain.node.chain.output(0n, fresh)!;
    const others = input.ring.filter((member) => member !== real && member.index !== BigInt(fresh)).slice(0, 14);
    const stranger = { key: output.key, commitment: output.commitment!, index: BigInt(fresh) };
    const ring = [...others, real, stranger].sort((a, b) => Number(a.index - b.index));
    const paid = chain.pay({ inputs: [{ ...input, ring, place: ring.indexOf(real) }] });
    chain.node.submitTransaction(paid.blob);
    chain.node.reorganise(12, 13, chain.minerWallet);
    expect(chain.node.mine(chain.minerWallet).transactions.map((tx) => tx.id)).not.toContain(paid.id);
    expect(chain.node.pool.get(paid.id)).toBeDefined();
  });

  it('refuses a longer branch with a bad block, and stands where it stood', () => {
    const top = tip();
    const outputs = chain.node.chain.outputCount(0n);
    const parent = chain.node.chain.blockAt(top.height - 1)!;
    const greedy = buildCoinbase(top.height, 99_000_000_000_000n, chain.minerWallet, chain.random);
    const { block } = chain.node.templateOn(parent.id, chain.minerWallet)!.parsed;
    expect(submit({ ...block, minerTx: greedy })).toBeUndefined();
    const [aside] = chain.node.branches.all;
    const next = chain.node.templateOn(aside!.blockIds[0]!, chain.minerWallet)!.parsed;
    expect(submit(next.block)).toBe('block-reward');
    expect(tip()).toMatchObject({ id: top.id, height: top.height });
    expect(chain.node.chain.outputCount(0n)).toBe(outputs);
    expect(chain.node.branches.all).toEqual([]);
    chain.mine(1);
    expect(tip().height).toBe(top.height + 1);
  });

  it('tells its listeners of every block that goes and comes, in order', () => {
    const events: [NodeEvent['type'], number][] = [];
    chain.node.subscribe((event) => {
      if (event.type !== 'transaction')
        events.push([event.type, event.type === 'reorganised' ? event.height : event.block.height]);
    });
    const { height } = tip();
    chain.node.reorganise(2, 3, chain.minerWallet);
    expect(events).toEqual([
      ['popped', height],
      ['popped', height - 1],
      ['block', height - 1],
      ['block', height],
      ['block', height + 1],
      ['reorganised', height - 1],
    ]);
  });

  it('takes blocks off down to the genesis block, and no further', () => {
    expect(chain.node.popBlocks(3)).toBe(3);
    expect(chain.node.chain.height).toBe(83);
    expect(chain.node.popBlocks(1000)).toBe(82);
    expect(chain.node.chain.height).toBe(1);
    expect(chain.node.chain.outputCount(0n)).toBe(0);
    chain.mine(1);
    expect(chain.node.chain.height).toBe(2);
  });
});
