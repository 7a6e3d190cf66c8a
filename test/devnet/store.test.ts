import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { openDevnet } from '../../src/devnet/index.ts';
import { DevnetNode } from '../../src/devnet/node.ts';
import type { Database, Range } from '../../src/devnet/store/database.ts';
import { openFolder } from '../../src/devnet/store/folder.ts';
import { MemoryDatabase } from '../../src/devnet/store/memory.ts';
import { serializeBlock } from '../../src/protocol/index.ts';
import { codeOf, testChain } from './support.ts';

let folder: string;
beforeEach(async () => {
  await loadCrypto();
  folder = mkdtempSync(join(tmpdir(), 'nightjar-devnet-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Everything of a chain that must survive. */
function summary({ chain, pool, branches }: DevnetNode) {
  const { id, generatedCoins, rctOutputs, transactionCount, longTermWeight, cumulativeDifficulty } = chain.top;
  return {
    ...{ id, height: chain.height, generatedCoins, rctOutputs, transactionCount, longTermWeight, cumulativeDifficulty },
    ...{ median: chain.longTermMedian, short: chain.shortTermMedian(), times: chain.timestamps(60) },
    pool: pool.all.map((tx) => [tx.id, tx.receivedAt, tx.doNotRelay, tx.doubleSpendSeen, tx.fromBlock]),
    ...{ alternativeChains: branches.all, alternativeCount: branches.blockCount },
  };
}

async function reopened<T>(look: (node: DevnetNode) => T): Promise<T> {
  const node = new DevnetNode({ database: await openFolder(folder) });
  const seen = look(node);
  node.close();
  return seen;
}

describe('the chain on disk', () => {
  it('is the same after it is opened again, with what waits, through payments and reorganisations', async () => {
    const chain = await testChain(85, 'kept', await openFolder(folder));
    chain.node.submitTransaction(chain.pay().blob);
    chain.mine(2);
    chain.node.reorganise(1, 2, chain.minerWallet);
    chain.node.popBlocks(1);
    chain.mine(1);
    const inputs = [chain.input()];
    const rival = chain.pay({ inputs });
    chain.node.submitTransaction(rival.blob, { doNotRelay: true });
    expect(codeOf(() => chain.node.submitTransaction(chain.pay({ inputs }).blob))).toBe('pool-double-spend');
    const before = summary(chain.node);
    expect(before.pool).toMatchObject([[rival.id, before.pool[0]![1], true, true, false]]);
    expect(before.alternativeCount).toBe(1);
    const image = chain.node.chain.blockAt(86)!.transactions[0]!.tx.inputs[0]!;
    chain.node.close();
    expect(await reopened(summary)).toEqual(before);
    const spent = image.type === 'key' ? bytesToHex(image.keyImage) : '';
    expect(await reopened((node) => node.chain.isSpent(spent))).toBe(true);
  });

  it('has one owner at a time, and outlives one that is gone', async () => {
    const opened = await openFolder(folder);
    await expect(openFolder(folder)).rejects.toMatchObject({ code: 'log-in-use' });
    opened.close();
    (await openFolder(folder)).close();
    // A process id that cannot be: its owner is gone.
    writeFileSync(join(folder, 'lock'), '999999999');
    (await openFolder(folder)).close();
    // In a container the next process bears the number of the one that was killed.
    writeFileSync(join(folder, 'lock'), String(process.pid));
    (await openFolder(folder)).close();
  });

  it('T15 that the system does not make is refused: nobody waits for ever', async () => {
    for (const dataDir of ['/proc/none', '/proc/none/chain', '/dev/null/chain'])
      await expect(openDevnet({ dataDir }), dataDir).rejects.toMatchObject({ code: 'no-store' });
    (await openDevnet({ dataDir: join(folder, 'a', 'b') })).close();
    expect(existsSync(join(folder, 'a', 'b', 'chain.mdb'))).toBe(true);
  });

  it('of another network is refused', async () => {
    new DevnetNode({ database: await openFolder(folder) }).close();
    const database = await openFolder(folder);
    expect(codeOf(() => new DevnetNode({ database, network: 'stagenet' }))).toBe('other-network');
    database.close();
  });

  it("keeps the miner's wallet: its coins can be given away after it is opened again", async () => {
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
    // Another miner's wallet finds its own coins alone.
    rmSync(join(folder, 'faucet.seed'));
    const third = await openDevnet({ dataDir: folder });
    expect(third.minerWallet.pick(1n)).toBeUndefined();
    third.close();
  });

  it('is the same after any run of mining, popping and reorganising', async () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant('mine' as const), count: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ type: fc.constant('pop' as const), count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ type: fc.constant('reorganise' as const), count: fc.integer({ min: 1, max: 3 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.string(), async (steps, seed) => {
        rmSync(folder, { recursive: true, force: true });
        const { node, minerWallet, mine } = await testChain(4, seed, await openFolder(folder));
        for (const { type, count } of steps) {
          if (type === 'mine') mine(count);
          else if (type === 'pop') node.popBlocks(count);
          else if (node.chain.height > count + 1) node.reorganise(count, count + 1, minerWallet);
        }
        const before = summary(node);
        node.close();
        expect(await reopened(summary)).toEqual(before);
      }),
      { numRuns: 10 },
    );
  });
});

describe('a chain in the file of old', () => {
  // Made by the release that kept one: 90 blocks, with a payment, a block taken off and a reorganisation.
  const OLD = join(import.meta.dirname, '../fixtures/devnet/chain.log');
  const TOP = {
    id: '05eb8a05ff7d8507196087646c653930c9bce53edf68b1329c21dc7d1d1e5be2',
    height: 90,
    generatedCoins: 3148735532080747n,
  };
  const taken = async () => {
    const devnet = await openDevnet({ dataDir: folder });
    const { id, generatedCoins, transactionCount } = devnet.node.chain.top;
    const seen = { id, height: devnet.node.chain.height, generatedCoins, transactionCount };
    devnet.close();
    return seen;
  };

  it('is imported once, and kept under another name', async () => {
    copyFileSync(OLD, join(folder, 'chain.log'));
    expect(await taken()).toEqual({ ...TOP, transactionCount: 1 });
    expect(existsSync(join(folder, 'chain.log'))).toBe(false);
    expect(readFileSync(join(folder, 'chain.log.old'))).toEqual(readFileSync(OLD));
    expect(await taken()).toMatchObject(TOP);
    // An earlier release, run on the folder meanwhile, knows no database and begins a file of its own.
    writeFileSync(join(folder, 'chain.log'), Buffer.concat([readFileSync(OLD), readFileSync(OLD)]));
    expect(await taken()).toMatchObject(TOP);
    expect(readFileSync(join(folder, 'chain.log.old'))).toEqual(readFileSync(OLD));
    rmSync(join(folder, 'chain.log'));
    // One that somebody puts there later is not laid over a chain that has gone on.
    rmSync(join(folder, 'chain.log.old'));
    const fresh = join(folder, 'fresh');
    const grown = await openDevnet({ dataDir: fresh, history: { blocks: 3, transactions: 0 } });
    grown.close();
    copyFileSync(OLD, join(fresh, 'chain.log'));
    const again = await openDevnet({ dataDir: fresh });
    expect(again.node.chain.height).toBe(4);
    again.close();
  });

  it('is taken over up to a torn or damaged tail', async () => {
    const bytes = readFileSync(OLD);
    writeFileSync(join(folder, 'chain.log'), Buffer.concat([bytes, Buffer.from('tail')]));
    expect(await taken()).toMatchObject(TOP);
    rmSync(folder, { recursive: true });
    bytes[bytes.length - 1]! ^= 1;
    const torn = join(folder, 'chain.log');
    (await openFolder(folder)).close();
    writeFileSync(torn, bytes);
    expect(await taken()).toMatchObject({ height: TOP.height - 1 });
  });
});

describe('a change that the disk refuses', () => {
  it("leaves chain, pool, branches and the miner's wallet as they were", async () => {
    const database = new MemoryDatabase();
    let refuses = false;
    let depth = 0;
    const failing: Database = {
      table: (name) => database.table(name),
      ...{ bytes: 0, freeBytes: 0, close: () => undefined },
      transaction(run) {
        const whole = depth++ === 0;
        try {
          return database.transaction(() => {
            const result = run();
            if (refuses && whole) throw new Error('full');
            return result;
          });
        } finally {
          depth--;
        }
      },
    };
    const { node, minerWallet, pay } = await testChain(85, 'refused', failing);
    node.submitTransaction(pay().blob);
    const [waiting] = node.pool.all;
    node.reorganise(1, 2, minerWallet);
    const before = summary(node);
    const branch = node.branches.all[0]!.blockIds[0]!;
    const second = pay();
    refuses = true;
    for (const change of [
      () => void node.mine(minerWallet),
      () => void node.popBlocks(2),
      () => void node.submitTransaction(second.blob, { sanityChecks: false }),
      () => node.pool.relay(waiting!),
      () => node.pool.clear(),
      () => void node.submitBlock(serializeBlock(node.templateOn(branch, minerWallet)!.parsed.block)),
      () => node.prune(384),
    ]) {
      expect(change).toThrow('full');
      expect(summary(node)).toEqual(before);
    }
    refuses = false;
    expect(node.mine(minerWallet).transactions.map(({ id }) => id)).toEqual([waiting!.id]);
  });
});

describe('a database', () => {
  const key = fc.uint8Array({ minLength: 2, maxLength: 2 }).map((bytes) => bytes.map((byte) => byte % 4));
  const change = fc.record({ key, value: fc.option(fc.uint8Array({ maxLength: 4 })) });
  const range: fc.Arbitrary<Range> = fc.record(
    { from: key, to: key, reverse: fc.boolean(), limit: fc.integer({ min: 0, max: 5 }) },
    { requiredKeys: [] },
  );

  it('in memory and on disk reads and takes back alike', async () => {
    const disk = await openFolder(folder);
    const memory = new MemoryDatabase();
    const step = fc.record({ changes: fc.array(change, { maxLength: 6 }), fails: fc.boolean(), range });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        for (const { changes, fails, range: asked } of steps) {
          const seen = [disk, memory].map((database) => {
            const table = database.table('pool');
            const rows = (some?: Range) => Array.from(table.range(some), (row) => [bytesToHex(row.key), bytesToHex(row.value)]);
            let inside: unknown;
            try {
              database.transaction(() => {
                for (const one of changes) {
                  if (one.value === null) database.transaction(() => table.delete(one.key));
                  else table.put(one.key, one.value);
                }
                inside = rows();
                if (fails) throw new Error('no');
              });
            } catch (error) {
              expect(error).toMatchObject({ message: 'no' });
            }
            const gets = changes.map((one) => table.get(one.key)).map((value) => value && bytesToHex(value));
            return { inside, gets, all: rows(), some: rows(asked) };
          });
          expect(seen[0]).toEqual(seen[1]);
        }
      }),
      { numRuns: 60 },
    );
    disk.close();
  });
});
