import { beforeEach, expect, it, vi } from 'vitest';
import type { WalletView } from '../../../src/wallet/api.ts';
import type { PageWallet } from '../../../workers/host.ts';
import { RemoteError } from '../../../workers/wire.ts';

// The open wallet as the page shows it, over answers that come late.

vi.hoisted(() => {
  vi.stubGlobal('self', globalThis);
  // No frame is drawn here.
  vi.stubGlobal('document', { hidden: true });
});

const { wallet } = await import('../../../src/app/managers/wallet.svelte.ts');
const { nextTask } = await import('../../../src/app/services/frame-scheduling.ts');
const { errorText } = await import('../../../src/app/errors.ts');

const view = (version: number, sync: Partial<WalletView['sync']> = {}): WalletView =>
  ({ version, sync: { phase: 'live', height: 100, rate: 0, ...sync }, accounts: [{}, {}] }) as unknown as WalletView;

interface Worker {
  readonly api: PageWallet;
  readonly calls: string[];
  /** Tells the page of a change. */
  changed(view: WalletView): void;
  left: boolean;
  /** Answers that are kept back until they are let go, by the name of their call. */
  readonly kept: Map<string, () => void>;
}

function worker(first = view(1), keep: readonly string[] = []): Worker {
  const calls: string[] = [];
  const kept = new Map<string, () => void>();
  const answer = (name: string, value: unknown) =>
    keep.includes(name) ? new Promise((resolve) => kept.set(name, () => resolve(value))) : Promise.resolve(value);
  const made: Worker = {
    calls,
    kept,
    left: false,
    changed: () => undefined,
    api: {
      view: () => answer('view', first),
      subscribe: (listener: (view: WalletView) => void) => {
        made.changed = listener;
        return answer('subscribe', () => {
          made.left = true;
        });
      },
      history: ({ limit }: { limit: number }) => {
        calls.push(`history ${limit}`);
        return answer(
          'history',
          Array.from({ length: Math.min(limit, 60) }, (_, i) => ({ txHash: String(i) })),
        );
      },
      subaddresses: (account: number) => {
        calls.push(`subaddresses ${account}`);
        return answer(`subaddresses ${account}`, [{ address: `of ${account}` }]);
      },
      contacts: () => answer('contacts', [{ id: '1', address: '4A', description: 'Ada' }]),
      drafts: async () => [],
    } as unknown as PageWallet,
  };
  return made;
}

beforeEach(() => wallet.leave());

it('shows the lists of its version, and fetches them anew only when that changes', async () => {
  const { api, calls } = worker();
  await wallet.enter(api);
  await vi.waitFor(() => expect(wallet.listsLoaded).toBe(true));
  expect([wallet.history.length, wallet.more, wallet.contactName('4A')]).toEqual([50, true, 'Ada']);
  expect(calls).toEqual(['history 51', 'subaddresses 0']);
  await wallet.loadMore();
  expect([wallet.history.length, wallet.more]).toEqual([60, false]);
  expect(calls).toEqual(['history 51', 'subaddresses 0', 'history 101', 'subaddresses 0']);
});

it('shows the balance before the lists have come, and says that they have not', async () => {
  const made = worker(view(1), ['history']);
  await wallet.enter(made.api);
  expect([wallet.view?.version, wallet.history, wallet.listsLoaded]).toEqual([1, [], false]);
  made.kept.get('history')?.();
  await vi.waitFor(() => expect(wallet.listsLoaded).toBe(true));
  expect(wallet.history.length).toBe(50);
});

it('asks for no list where only the progress of the sync has changed', async () => {
  const made = worker(view(1, { phase: 'syncing', height: 10 }));
  await wallet.enter(made.api);
  await vi.waitFor(() => expect(wallet.listsLoaded).toBe(true));
  const before = made.calls.length;
  made.changed(view(1, { phase: 'syncing', height: 40, rate: 900 }));
  await vi.waitFor(() => expect(wallet.view?.sync.height).toBe(40));
  expect([made.calls.length, wallet.syncStart, wallet.scanRate]).toEqual([before, 10, 900]);
  made.changed(view(2));
  await vi.waitFor(() => expect(made.calls.length).toBe(before + 2));
  expect(wallet.syncStart).toBe(100);
});

it('fetches the lists of a running scan now and then, and at its end', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const made = worker(view(1, { phase: 'syncing', height: 10 }));
    await wallet.enter(made.api);
    const asked = () => made.calls.filter((call) => call.startsWith('history')).length;
    const counts = [];
    for (const [wait, next] of [
      [100, view(2, { phase: 'syncing', height: 20 })],
      [4800, view(3, { phase: 'syncing', height: 30 })],
      [200, view(4, { phase: 'syncing', height: 40 })],
      [100, view(5)],
    ] as const) {
      vi.advanceTimersByTime(wait);
      made.changed(next);
      await vi.waitFor(() => expect(wallet.view?.version).toBe(next.version));
      await nextTask();
      counts.push(asked());
    }
    expect(counts).toEqual([1, 1, 2, 3]);
  } finally {
    vi.useRealTimers();
  }
});

it('shows nothing of a wallet that was left while it was being asked', async () => {
  const made = worker(view(1), ['history', 'subscribe']);
  await wallet.enter(made.api);
  wallet.leave();
  made.kept.get('history')?.();
  made.kept.get('subscribe')?.();
  await vi.waitFor(() => expect(made.left).toBe(true));
  expect([wallet.view, wallet.history, wallet.contacts, wallet.listsLoaded]).toEqual([undefined, [], [], false]);
  expect(() => wallet.api).toThrow('expected an open wallet');
});

it('shows no address of one account under the name of another', async () => {
  const made = worker(view(1), ['subaddresses 1']);
  await wallet.enter(made.api);
  const first = wallet.chooseAccount(1);
  expect(wallet.subaddresses).toEqual([]);
  await wallet.chooseAccount(0);
  made.kept.get('subaddresses 1')?.();
  await first;
  expect(wallet.subaddresses).toEqual([{ address: 'of 0' }]);
});

it('what went wrong for an unknown reason is tried again after locking, and without a wallet after loading the page again', async () => {
  const unknown = () => [
    errorText(new Error('x.')),
    errorText(new RemoteError({ room: 'page', code: 'internal', message: 'y', data: undefined })),
  ];
  wallet.leave();
  for (const said of unknown()) expect(said).toMatch(/^Something went wrong: [xy]\. Load the page again/);
  await wallet.enter(worker().api);
  for (const said of unknown()) expect(said).toMatch(/[Ll]ock the wallet, unlock it/);
});

it('a part of the page that did not come is told as one, in the words of no browser', () => {
  for (const message of [
    'Failed to fetch dynamically imported module: https://wallet.example/assets/spanish-x.js',
    'error loading dynamically imported module: https://wallet.example/assets/spanish-x.js',
    'Importing a module script failed.',
  ])
    expect(errorText(new Error(message))).toMatch(/^This part of the page did not load\. Check your connection/);
});
