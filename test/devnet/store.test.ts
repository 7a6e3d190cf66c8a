import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { openDevnet } from '../../src/devnet/index.ts';
import { DevnetNode } from '../../src/devnet/node.ts';
import { FileChainStore } from '../../src/devnet/store.ts';
import { codeOf, testChain } from './support.ts';

let folder: string;
beforeEach(async () => {
  await loadCrypto();
  folder = mkdtempSync(join(tmpdir(), 'nightjar-devnet-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const log = () => join(folder, 'chain.log');

/** Everything of a chain that must survive. */
function summary({ chain }: DevnetNode) {
  const { id, generatedCoins, rctOutputs, transactionCount, longTermWeight } = chain.top;
  return { id, height: chain.height, generatedCoins, rctOutputs, transactionCount, longTermWeight, median: chain.longTermMedian };
}

function reopened<T>(look: (node: DevnetNode) => T): T {
  const node = new DevnetNode({ store: new FileChainStore(folder) });
  const seen = look(node);
  node.close();
  return seen;
}

describe('the chain on disk', () => {
  it('is the same after it is opened again, through payments and reorganisations', async () => {
    const chain = await testChain(85, 'kept', new FileChainStore(folder));
    chain.node.submitTransaction(chain.pay().blob);
    chain.mine(2);
    chain.node.reorganise(1, 2, chain.minerWallet);
    chain.node.popBlocks(1);
    chain.mine(1);
    const before = summary(chain.node);
    const image = chain.node.chain.blockAt(86)!.transactions[0]!.tx.inputs[0]!;
    chain.node.close();
    expect(reopened(summary)).toEqual(before);
    const spent = image.type === 'key' ? Buffer.from(image.keyImage).toString('hex') : '';
    expect(reopened((node) => node.chain.isSpent(spent))).toBe(true);
  });

  it('T16 loses at most the last change when it is cut anywhere, and goes on from there', async () => {
    const chain = await testChain(3, 'cut', new FileChainStore(folder));
    const before = summary(chain.node);
    const whole = statSync(log()).size;
    chain.mine(1);
    const after = summary(chain.node);
    chain.node.close();
    const longer = statSync(log()).size;
    const copy = join(folder, 'copy');
    copyFileSync(log(), copy);
    for (let size = whole; size <= longer; size++) {
      copyFileSync(copy, log());
      truncateSync(log(), size);
      expect(reopened(summary)).toEqual(size === longer ? after : before);
    }
    const again = await testChain(0, 'after the cut', new FileChainStore(folder));
    again.mine(1);
    const next = summary(again.node);
    again.node.close();
    expect(reopened(summary)).toEqual(next);
  });

  it('T16 never shows half a reorganisation', async () => {
    const chain = await testChain(6, 'half', new FileChainStore(folder));
    const before = summary(chain.node);
    const whole = statSync(log()).size;
    chain.node.reorganise(3, 4, chain.minerWallet);
    const after = summary(chain.node);
    chain.node.close();
    const bytes = readFileSync(log());
    fc.assert(
      fc.property(fc.integer({ min: whole, max: bytes.length }), (size) => {
        writeFileSync(log(), bytes.subarray(0, size));
        expect(reopened(summary)).toEqual(size === bytes.length ? after : before);
      }),
      { numRuns: 40 },
    );
  });

  it('drops a damaged tail, whatever is in it', async () => {
    const chain = await testChain(3, 'damage', new FileChainStore(folder));
    const before = summary(chain.node);
    chain.node.close();
    const bytes = readFileSync(log());
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (tail) => {
        writeFileSync(log(), bytes);
        appendFileSync(log(), tail);
        expect(reopened(summary)).toEqual(before);
        expect(statSync(log()).size).toBe(bytes.length);
      }),
      { numRuns: 40 },
    );
  });

  it('has one owner at a time, and outlives one that is gone', async () => {
    const store = new FileChainStore(folder);
    expect(codeOf(() => new FileChainStore(folder))).toBe('log-in-use');
    store.close();
    new FileChainStore(folder).close();
    // A process id that cannot be: its owner is gone.
    writeFileSync(join(folder, 'lock'), '999999999');
    new FileChainStore(folder).close();
    // In a container the next process bears the number of the one that was killed.
    writeFileSync(join(folder, 'lock'), String(process.pid));
    new FileChainStore(folder).close();
  });

  it('keeps the purse: its coins can be given away after it is opened again', async () => {
    const first = await openDevnet({ dataDir: folder, history: { blocks: 85, transactions: 1 } });
    const { address } = first.minerWallet;
    const { id } = first.node.chain.top;
    first.close();
    const second = await openDevnet({ dataDir: folder, history: { blocks: 85, transactions: 1 } });
    expect([second.minerWallet.address, second.node.chain.top.id]).toEqual([address, id]);
    const given = second.faucet.give(address);
    expect(second.node.mine(second.minerWallet).transactions.map((tx) => tx.id)).toEqual([given]);
    second.close();
    expect(statSync(join(folder, 'faucet.seed')).mode & 0o077).toBe(0);
  });

  it('replays any run of mining, popping and reorganising to the same chain', async () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant('mine' as const), count: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ type: fc.constant('pop' as const), count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ type: fc.constant('reorganise' as const), count: fc.integer({ min: 1, max: 3 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.string(), async (steps, seed) => {
        rmSync(folder, { recursive: true, force: true });
        const { node, minerWallet, mine } = await testChain(4, seed, new FileChainStore(folder));
        for (const { type, count } of steps) {
          if (type === 'mine') mine(count);
          else if (type === 'pop') node.popBlocks(count);
          else if (node.chain.height > count + 1) node.reorganise(count, count + 1, minerWallet);
        }
        const before = summary(node);
        node.close();
        expect(reopened(summary)).toEqual(before);
      }),
      { numRuns: 25 },
    );
  });
});
