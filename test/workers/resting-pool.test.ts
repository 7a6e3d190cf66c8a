import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ScanAccount, ScanPool, ScanResult } from '../../src/protocol/scan/contract.ts';
import { RestingPool } from '../../workers/resting-pool.ts';

const IDLE_MS = 1_000;
const account: ScanAccount = { viewKey: new Uint8Array(32).fill(7), spendKeys: new Uint8Array(64), network: 'regtest' };

/** A pool that says what became of it. */
class Recorder implements ScanPool {
  readonly width = 2;
  closed = false;
  told: ScanAccount[] = [];
  release: (() => void) | undefined;

  async setAccount(given: ScanAccount): Promise<void> {
    this.told.push({ ...given, viewKey: given.viewKey.slice() });
  }

  scan(): Promise<ScanResult> {
    if (this.closed) throw new Error('scanned on a closed pool');
    return new Promise((resolve) => {
      this.release = () => resolve({} as ScanResult);
    });
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

describe('a pool that rests', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const started = () => {
    const made: Recorder[] = [];
    const pool = new RestingPool(() => {
      const recorder = new Recorder();
      made.push(recorder);
      return recorder;
    }, IDLE_MS);
    return { made, pool };
  };

  const scanned = async (pool: RestingPool, made: readonly Recorder[]): Promise<void> => {
    const scan = pool.scan(new ArrayBuffer(1));
    await vi.waitFor(() => expect(made.at(-1)?.release).toBeDefined());
    made.at(-1)?.release?.();
    await scan;
  };

  it('lets its workers go when nothing was scanned for a while, and tells new ones of the account', async () => {
    const { made, pool } = started();
    await pool.setAccount(account);
    await scanned(pool, made);
    await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
    expect(made[0]?.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(made[0]?.closed).toBe(true);
    await scanned(pool, made);
    expect(made).toHaveLength(2);
    expect(made[1]?.told).toEqual([account]);
  });

  it('never lets go of a worker that scans', async () => {
    const { made, pool } = started();
    await pool.setAccount(account);
    await scanned(pool, made);
    const long = pool.scan(new ArrayBuffer(1));
    await vi.advanceTimersByTimeAsync(10 * IDLE_MS);
    expect(made[0]?.closed).toBe(false);
    made[0]?.release?.();
    await long;
  });

  it('forgets the view key when closed', async () => {
    const { made, pool } = started();
    await pool.setAccount(account);
    await scanned(pool, made);
    await pool.close();
    expect(made[0]?.closed).toBe(true);
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    expect(made).toHaveLength(1);
  });
});
