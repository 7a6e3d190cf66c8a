import { expect, it, vi } from 'vitest';
import type { PaperPrice, PaperView } from '../../../src/wallet/index.ts';

// The form of a paper wallet, over a worker that answers when it is told to.

const KEY = '01'.padEnd(64, '0');
const OTHER = '02'.padEnd(64, '0');
const HASH = 'ab'.repeat(32);

// What a page has and Node has not: the worker's client looks for it when it is loaded.
vi.hoisted(() => vi.stubGlobal('self', globalThis));

const worker = vi.hoisted(() => ({ prices: [] as ((price: PaperPrice) => void)[], opened: [] as unknown[] }));

vi.mock('../../../src/app/managers/session.svelte.ts', () => ({
  session: {
    network: 'mainnet',
    host: {
      paper: {
        open: async (...asked: unknown[]) => void worker.opened.push(asked.slice(0, 2)),
        price: () => new Promise((resolve) => worker.prices.push(resolve)),
        close: async () => undefined,
      },
    },
  },
}));
vi.mock('../../../src/app/managers/wallet.svelte.ts', () => ({ wallet: { view: { network: 'mainnet' } } }));

const { PaperFlow } = await import('../../../src/app/managers/paper.svelte.ts');

const price = (amount: bigint): PaperPrice => ({ amount, fee: 1n });

it('shows the price of the paper that is open: a late answer about an earlier one, or an earlier state, is dropped', async () => {
  const flow = new PaperFlow();
  const first = flow.ask();
  await flow.begin();
  const second = flow.ask();
  const third = flow.ask();
  const [late, earlier, now] = worker.prices;
  now?.(price(3n));
  await third;
  late?.(price(1n));
  earlier?.(price(2n));
  await Promise.all([first, second]);
  expect(flow.price).toEqual(price(3n));
});

it('offers nothing that somebody else has spent since the price was asked for', async () => {
  const sync = { phase: 'live', height: 9, daemonHeight: 9, problem: undefined };
  const view = (unlocked: bigint) => ({ sync, balance: { total: 3n, unlocked } }) as unknown as PaperView;
  const flow = Object.assign(new PaperFlow(), { price: price(2n), view: view(3n) });
  expect(flow.offer).toEqual(price(2n));
  flow.view = view(0n);
  expect(flow.offer).toBeUndefined();
});

it('keeps what a code says beside its keys to those keys: others are of another address, and may have been paid earlier', async () => {
  const flow = new PaperFlow();
  const { form } = flow;
  const keys = { spendKey: KEY, viewKey: undefined, address: 'that of the code' };
  form.fill({ kind: 'keys', keys, from: undefined, txHashes: [HASH], label: '' });
  await flow.open();
  expect(worker.opened).toEqual([[{ keys }, { kind: 'transactions', txHashes: [HASH] }]]);
  await flow.begin();
  form.fill({ kind: 'keys', keys, from: undefined, txHashes: [HASH], label: '' });
  form.keys.spendKey = OTHER;
  form.start.take({ kind: 'height', height: 5 });
  await flow.open();
  const typed = { spendKey: OTHER, viewKey: undefined, address: undefined };
  expect(worker.opened[1]).toEqual([{ keys: typed }, { kind: 'height', height: 5 }]);
});
