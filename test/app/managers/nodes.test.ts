import { afterEach, beforeEach, expect, it, vi } from 'vitest';

// When the wallet's own node is gone, and who takes its place.

// What a page has and Node has not: the worker's client looks for it when it is loaded.
vi.hoisted(() => vi.stubGlobal('self', globalThis));

const HEALTH = {
  latency: 10,
  height: 100,
  behind: 0,
  rightNetwork: true,
  restricted: true,
  version: '',
  outdated: false,
  agrees: undefined,
};
const kept = new Map<string, string>();
const setDaemon = vi.fn(async () => undefined);
const health = new Map<string, object>();
let phase = 'offline';

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  kept.clear();
  health.clear();
  setDaemon.mockClear();
  phase = 'offline';
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.doMock('../../../src/app/managers/network.svelte.ts', () => ({ network: { online: true } }));
  vi.doMock('../../../src/app/managers/wallet.svelte.ts', () => ({
    wallet: {
      api: { setDaemon },
      get view() {
        return { sync: { phase } };
      },
    },
  }));
  vi.doMock('../../../src/app/managers/session.svelte.ts', () => ({
    session: {
      host: {
        daemon: async () => ({ url: 'https://own', trusted: true }),
        nodeHealth: async ({ url }: { url: string }) => health.get(url) ?? Promise.reject(new Error('gone')),
      },
    },
  }));
});
afterEach(() => {
  vi.useRealTimers();
});

const manager = async () => (await import('../../../src/app/managers/nodes.svelte.ts')).nodes;

it('takes the first node of the list that is good, with no trust, and only where the person allows it', async () => {
  kept.set('nightjar.nodes', 'https://own\nhttps://gone\nhttps://wrong\nhttps://good\nhttps://later\nftp://no');
  health.set('https://wrong', { ...HEALTH, rightNetwork: false });
  health.set('https://good', HEALTH);
  health.set('https://later', HEALTH);
  const nodes = await manager();
  expect(nodes.list).toHaveLength(5);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(setDaemon).not.toHaveBeenCalled();
  nodes.allowFailover(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(setDaemon.mock.calls[0]).toEqual([{ url: 'https://good', trusted: false }]);
});

it('goes on with its own while that answers, or when no other one does', async () => {
  kept.set('nightjar.nodes', 'https://gone\nhttps://behind\nhttps://other-chain');
  kept.set('nightjar.node-failover', 'yes');
  health.set('https://behind', { ...HEALTH, behind: 3 });
  health.set('https://other-chain', { ...HEALTH, agrees: false });
  await manager();
  await vi.advanceTimersByTimeAsync(120_000);
  phase = 'live';
  health.set('https://gone', HEALTH);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(setDaemon).not.toHaveBeenCalled();
});
