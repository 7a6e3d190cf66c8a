import { expect, it, vi } from 'vitest';
import type { OutputView } from '../../../src/wallet/api.ts';

// The coin list, over a wallet whose coins change while somebody chooses.

vi.hoisted(() => vi.stubGlobal('self', globalThis));
const wallet = vi.hoisted(() => ({ account: 0, api: { outputs: vi.fn(), setFrozen: vi.fn(async () => undefined) } }));
vi.mock('../../../src/app/managers/wallet.svelte.ts', () => ({ wallet }));

const { CoinList, takeChosenCoins } = await import('../../../src/app/managers/coins.svelte.ts');

const coin = (key: string, hold?: OutputView['hold']): OutputView =>
  ({ key, keyImage: `image ${key}`, amount: 5n, subaddress: { major: 0, minor: 0 }, hold }) as unknown as OutputView;

async function listOf(coins: readonly OutputView[]) {
  wallet.api.outputs.mockResolvedValue(coins);
  const list = new CoinList();
  await list.load(0);
  return list;
}

it('shows the newest first, and those that are spent only when asked', async () => {
  const list = await listOf([coin('a'), coin('b', 'spent'), coin('c', 'locked')]);
  expect(list.shown.map(({ key }) => key)).toEqual(['c', 'a']);
  list.showSpent = true;
  expect(list.shown.map(({ key }) => key)).toEqual(['c', 'b', 'a']);
});

it('shows the largest first where that is chosen, those of one amount newest first', async () => {
  const worth = (key: string, amount: bigint): OutputView => ({ ...coin(key), amount });
  const list = await listOf([worth('a', 7n), worth('b', 10n ** 20n), worth('c', 7n), worth('d', 1n)]);
  list.sorting = { by: 'amount', down: true };
  expect(list.shown.map(({ key }) => key)).toEqual(['b', 'c', 'a', 'd']);
});

it('no longer counts a chosen coin that was spent or frozen meanwhile', async () => {
  const list = await listOf([coin('a'), coin('b')]);
  for (const chosen of list.all) list.toggle(chosen);
  expect(list.amount).toBe(10n);
  wallet.api.outputs.mockResolvedValue([coin('a'), coin('b', 'spent')]);
  await list.load(0);
  expect([list.amount, list.chosen.map(({ key }) => key)]).toEqual([5n, ['a']]);
});

it('hands what is chosen to one payment, and to no second one', async () => {
  const list = await listOf([coin('a'), coin('b')]);
  list.toggle(list.all[0]!);
  list.handOver();
  expect(takeChosenCoins()).toEqual({ account: 0, keyImages: ['image a'], amount: 5n, addresses: 1 });
  expect(takeChosenCoins()).toBeUndefined();
});

it('shows no coins of an account that was left while they were fetched', async () => {
  const list = new CoinList();
  wallet.api.outputs.mockImplementation(async () => {
    wallet.account = 1;
    return [coin('a')];
  });
  await list.load(0);
  wallet.account = 0;
  expect([list.loaded, list.all]).toEqual([false, []]);
});
