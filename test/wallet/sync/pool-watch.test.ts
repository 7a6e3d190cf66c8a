import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock, u32ToBytes } from '../../../src/base/index.ts';
import { loadCrypto, SCALAR_ONE, scalarMulBase } from '../../../src/crypto/index.ts';
import type { PoolUpdate } from '../../../src/daemon/index.ts';
import { Untrusted } from '../../../src/daemon/index.ts';
import { ByteWriter } from '../../../src/protocol/index.ts';
import type { TxHash } from '../../../src/protocol/model.ts';
import type { PoolView } from '../../../src/wallet/pool.ts';
import { initialState } from '../../../src/wallet/state/fold.ts';
import type { SyncContext, SyncDaemon } from '../../../src/wallet/sync/context.ts';
import { PoolWatch } from '../../../src/wallet/sync/pool-watch.ts';
import { hash } from '../support.ts';

beforeAll(() => loadCrypto());

const never = new AbortController().signal;

/** A pool of so many transactions, of which the daemon gives none: what counts is what it is asked. */
function poolOf(count: number) {
  const pool = Array.from({ length: count }, (_, n) => hash(`pool ${n}`) as TxHash);
  const asked: TxHash[][] = [];
  const daemon = {
    getPoolHashes: async () => new Untrusted(pool),
    getTransactions: async (hashes: readonly TxHash[]) => {
      asked.push([...hashes]);
      return new Untrusted({ transactions: [], missed: [...hashes] });
    },
  } as unknown as SyncDaemon;
  return { pool, asked, daemon };
}

/** @param mostKept transactions and key images */
function watch(mostKept?: number): PoolWatch {
  const keys = { viewKey: SCALAR_ONE.slice() };
  const reading = { keys, table: { find: () => undefined }, clock: systemClock };
  const state = initialState({ kind: 'full', network: 'regtest', primaryAddress: 'test', restoreHeight: 0, createdAt: 0 });
  return new PoolWatch({ state, showPool: (_view: PoolView) => undefined, ...reading } as unknown as SyncContext, mostKept);
}

/** News of a daemon that tells of its pool with the blocks. */
const news = (told: Partial<PoolUpdate>): PoolUpdate => ({
  time: 7n,
  extent: 'changes',
  removed: [],
  added: [],
  named: [],
  ...told,
});
const unreadable = (hash: TxHash) => ({ hash, pruned: Uint8Array.of(2, 0xff), doubleSpendSeen: false });

/** A round: what comes with the blocks, and then is taken in. */
async function round(seen: PoolWatch, daemon: SyncDaemon, told: PoolUpdate): Promise<void> {
  await seen.begin(daemon, never);
  seen.take(new Untrusted(told));
  await seen.settle(daemon, never);
}

describe('a pool that comes with the blocks', () => {
  const [a, b] = [hash('a') as TxHash, hash('b') as TxHash];

  it('is asked for from the time of the daemon that was told last, and all of it after a new connection', async () => {
    const { asked, daemon } = poolOf(3);
    const seen = watch();
    expect(seen.request).toEqual({ since: 0n });
    await round(seen, daemon, news({ extent: 'all', added: [unreadable(a)] }));
    expect([seen.request, seen.has(a)]).toEqual([{ since: 7n }, true]);
    seen.reconnected();
    expect(seen.request).toEqual({ since: 0n });
    expect(asked).toEqual([]);
  });

  it('T24 has what it only names fetched all, in chunks of a hundred', async () => {
    const { pool, asked, daemon } = poolOf(250);
    await round(watch(), daemon, news({ extent: 'all', added: [unreadable(a)], named: pool }));
    expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(asked.flat()).toEqual(pool);
  });

  it('T6 removes before it adds, passes over removals of what it never had, and holds what comes again once', async () => {
    const { daemon } = poolOf(0);
    const seen = watch();
    await round(seen, daemon, news({ extent: 'all', added: [unreadable(a)] }));
    await round(seen, daemon, news({ removed: [a, b, b], added: [unreadable(a)] }));
    expect([seen.has(a), seen.has(b)]).toEqual([true, false]);
    await round(seen, daemon, news({ removed: [a] }));
    expect(seen.has(a)).toBe(false);
    await round(seen, daemon, news({ extent: 'all', added: [unreadable(b)] }));
    expect(seen.has(b)).toBe(true);
    await round(seen, daemon, news({ extent: 'all' }));
    expect(seen.has(b)).toBe(false);
  });

  it('is asked for by ids where a daemon does not tell it, and where it is more than a reply may hold', async () => {
    for (const refuse of [(seen: PoolWatch) => seen.take(undefined), (seen: PoolWatch) => seen.tooMuch()]) {
      const { pool, asked, daemon } = poolOf(1);
      const seen = watch();
      await seen.begin(daemon, never);
      refuse(seen);
      await seen.settle(daemon, never);
      expect([seen.request, asked]).toEqual([undefined, [pool]]);
    }
  });
});

describe('T24 what is asked about the pool', () => {
  it('is all that is unseen, in chunks of a hundred, in the order of the pool, whoever it pays', async () => {
    const { pool, asked, daemon } = poolOf(250);
    await watch().poll(daemon, never);
    expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(asked.flat()).toEqual(pool);
  });

  it('is nothing when the pool is empty', async () => {
    const { asked, daemon } = poolOf(0);
    await watch().poll(daemon, never);
    expect(asked).toEqual([]);
  });
});

it('a poll begins after its request; requests during a running poll share the next one', async () => {
  const { daemon } = poolOf(0);
  let begun = 0;
  const release: (() => void)[] = [];
  const slow = {
    ...daemon,
    getPoolHashes: () => {
      begun += 1;
      return new Promise((resolve) => release.push(() => resolve(new Untrusted([]))));
    },
  } as unknown as SyncDaemon;
  const seen = watch();
  const first = seen.poll(slow, never);
  await expect.poll(() => begun).toBe(1);
  const others = [seen.poll(slow, never), seen.poll(slow, never)];
  release[0]!();
  await first;
  await expect.poll(() => begun).toBe(2);
  release[1]!();
  await Promise.all(others);
  expect(begun).toBe(2);
});

it('T6 a transaction that nobody can read is looked at once, and hides nothing of the wallet', async () => {
  const { pool, asked, daemon } = poolOf(1);
  const entry = { hash: pool[0]!, whole: undefined, pruned: Uint8Array.of(2, 0xff), inPool: true, doubleSpendSeen: false };
  const broken = {
    ...daemon,
    getTransactions: async (hashes: readonly TxHash[]) => {
      asked.push([...hashes]);
      return new Untrusted({ transactions: [entry], missed: [] });
    },
  } as unknown as SyncDaemon;
  const seen = watch();
  await seen.poll(broken, never);
  await seen.poll(broken, never);
  expect(asked).toEqual([pool]);
  expect(seen.has(pool[0]!)).toBe(true);
});

/** A pruned transaction of one output and so many inputs, whose key images are of a number each. */
function spending(inputs: number): Uint8Array {
  const point = scalarMulBase(SCALAR_ONE.slice());
  const writer = new ByteWriter(64 * inputs + 200).varint(2).varint(0).varint(inputs);
  for (let i = 0; i < inputs; i++)
    writer
      .bytes(Uint8Array.of(2, 0, 1, 1))
      .bytes(u32ToBytes(i))
      .bytes(new Uint8Array(28));
  writer.varint(1).varint(0).bytes(Uint8Array.of(3)).bytes(point).bytes(Uint8Array.of(7));
  writer.varint(33).bytes(Uint8Array.of(1)).bytes(point);
  return writer.bytes(Uint8Array.of(6)).varint(1).bytes(new Uint8Array(8)).bytes(point).finish();
}

describe('T6 a pool that is flooded', () => {
  function flood(count: number, inputs: number, of: string): PoolUpdate {
    const pruned = spending(inputs);
    const added = Array.from({ length: count }, (_, n) => ({ hash: hash(`${of} ${n}`), pruned, doubleSpendSeen: false }));
    return news({ added });
  }

  it('yields to other work, and can be aborted midway', async () => {
    const { daemon } = poolOf(0);
    const seen = watch();
    const stop = new AbortController();
    await seen.begin(daemon, stop.signal);
    const flooded = flood(5_000, 1, 'small');
    seen.take(new Untrusted(flooded));
    setImmediate(() => stop.abort(new Error('let go')));
    await expect(seen.settle(daemon, stop.signal)).rejects.toThrow('let go');
    expect([seen.has(flooded.added[0]!.hash), seen.has(flooded.added.at(-1)!.hash)]).toEqual([true, false]);
  });

  it('is reported as too large when it grows without end, and an honest one is followed afterwards', async () => {
    const { daemon } = poolOf(0);
    const seen = watch(1_000);
    for (let n = 0; n < 9; n++) await round(seen, daemon, flood(1, 100, `round ${n}`));
    const [first] = flood(1, 1, 'round 0').added;
    expect(seen.has(first!.hash)).toBe(true);
    await expect(round(seen, daemon, flood(1, 100, 'one more'))).rejects.toMatchObject({ code: 'too-large' });
    expect([seen.request, seen.has(first!.hash)]).toEqual([{ since: 0n }, false]);
    for (let n = 0; n < 20; n++) await round(seen, daemon, { ...flood(1, 400, `another ${n}`), extent: 'all' });
    expect([18, 19].map((n) => seen.has(hash(`another ${n} 0`)))).toEqual([false, true]);
  });
});
