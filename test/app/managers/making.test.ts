import { afterEach, expect, it, vi } from 'vitest';
import { DATE_MARGIN } from '../../../src/wallet/sync/restore-height.ts';

vi.mock('../../../src/app/managers/session.svelte.ts', () => ({ session: { backend: [] } }));
vi.mock('../../../src/app/router.svelte.ts', () => ({ router: {} }));
afterEach(() => vi.unstubAllGlobals());

it('T23 the day from which a restored wallet is searched for is shown as the worker takes it: two days before, never before the chain', async () => {
  vi.stubGlobal('self', globalThis);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('location', { hash: '' });
  const { DAY_MARGIN, RestoreStart } = await import('../../../src/app/managers/making.svelte.ts');
  expect(DAY_MARGIN).toBe(DATE_MARGIN * 1000);
  const start = new RestoreStart();
  expect(start.searchFrom).toBeUndefined();
  const shown = (day: string): string => {
    start.date = day;
    return new Date(start.searchFrom ?? 0).toISOString().slice(0, 10);
  };
  expect([shown('2024-03-01'), shown('2014-04-18')]).toEqual(['2024-02-28', '2014-04-18']);
});
