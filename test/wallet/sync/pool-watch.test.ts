import { beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../../src/crypto/index.ts';
import type { PoolNews } from '../../../src/daemon/index.ts';
import { Untrusted } from '../../../src/daemon/index.ts';
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

function watch(): PoolWatch {
  const state = initialState({ kind: 'full', network: 'regtest', primaryAddress: 'test', restoreHeight: 0, createdAt: 0 });
  return new PoolWatch({ state, showPool: (_view: PoolView) => undefined } as unknown as SyncContext);
}

/** News of a daemon that tells of its pool with the blocks. */
const news = (told: Partial<PoolNews>): PoolNews => ({ time: 7n, extent: 'changes', removed: [], added: [], named: [], ...told });
const unreadable = (hash: TxHash) => ({ hash, pruned: Uint8Array.of(2, 0xff), doubleSpendSeen: false });

/** A round: what comes with the blocks, and then is taken in. */
async function round(seen: PoolWatch, daemon: SyncDaemon, told: PoolNews): Promise<void> {
  await seen.begin(daemon, never);
  seen.take(new Untrusted(told));
  await seen.settle(daemon, never);
}

describe('a pool that comes with the blocks', () => {
  const [a, b] = [hash('a') as TxHash, hash('b') as TxHash];

  it('is asked for from the time of the daemon that was told last, and all of it after a new connection', async () => {
    const { asked, daemon } = poolOf(3);
    const seen = watch();
    expect(seen.asked).toEqual({ since: 0n });
    await round(seen, daemon, news({ extent: 'all', added: [unreadable(a)] }));
    expect([seen.asked, seen.has(a)]).toEqual([{ since: 7n }, true]);
    seen.reconnected();
    expect(seen.asked).toEqual({ since: 0n });
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
      expect([seen.asked, asked]).toEqual([undefined, [pool]]);
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

it('a look begins after it is asked for; who asks while one is under way shares the next', async () => {
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
