import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isWalletName } from '../../../src/storage/backend.ts';
import { DATE_MARGIN } from '../../../src/wallet/sync/restore-height.ts';

/** A session that makes every wallet at once. */
vi.mock('../../../src/app/managers/session.svelte.ts', () => ({
  session: { takenNames: () => [], started: Promise.resolve(), make: async () => undefined },
}));

const page = Object.assign(new EventTarget(), {
  location: { hash: '' },
  scrollY: 0,
  history: {
    state: undefined as unknown,
    replaceState(state: unknown, _: string, address?: string) {
      this.state = state;
      if (address !== undefined) page.location.hash = address;
    },
  },
});

/** As a browser does it when the person presses a link. */
function goElsewhere(path: string): void {
  page.location.hash = `#/${path}`;
  page.history.state = undefined;
  page.dispatchEvent(new Event('hashchange'));
}

beforeEach(() => {
  vi.resetModules();
  page.location.hash = '';
  vi.stubGlobal('self', globalThis);
  vi.stubGlobal('window', page);
});
afterEach(() => vi.unstubAllGlobals());

it('T23 the day from which a restored wallet is searched for is shown as the worker takes it: two days before, never before the chain', async () => {
  const { DAY_MARGIN, RestoreStart } = await import('../../../src/app/managers/restore-start.svelte.ts');
  expect(DAY_MARGIN).toBe(DATE_MARGIN * 1000);
  const start = new RestoreStart();
  expect(start.searchFrom).toBeUndefined();
  const shown = (day: string): string => {
    start.date = day;
    return new Date(start.searchFrom ?? 0).toISOString().slice(0, 10);
  };
  expect([shown('2024-03-01'), shown('2014-04-18')]).toEqual(['2024-02-28', '2014-04-18']);
});

it('who asks for a wallet is led home to it, and stays elsewhere who went there, also while what was entered was still read', async () => {
  const { WalletCreation } = await import('../../../src/app/managers/wallet-creation.svelte.ts');
  const { router } = await import('../../../src/app/router.svelte.ts');
  const made = async (inBetween: () => void): Promise<string> => {
    goElsewhere('restore/name');
    const making = new WalletCreation();
    making.name.text = 'Ada';
    making.password.text = 'a long enough night';
    making.password.again = making.password.text;
    const from = router.here;
    inBetween();
    await making.run(async () => undefined, from);
    return router.segments.join('/');
  };
  expect(await made(() => undefined)).toBe('');
  expect(await made(() => goElsewhere('device'))).toBe('device');
});

it('T12 a code proposes a name that the store takes: one line that turns no text, cut between characters; without anything else none', async () => {
  const { NAME_MOST } = await import('../../../src/app/managers/new-name.svelte.ts');
  const { WalletCreation } = await import('../../../src/app/managers/wallet-creation.svelte.ts');
  const proposed = (label: string): string => {
    const { name } = new WalletCreation();
    name.text = 'as it was';
    name.propose(label);
    expect(name.text).toSatisfy(isWalletName);
    return name.text;
  };
  expect(proposed('\u202eMy\u2066\nsavings\u2069\u0000\u200b')).toBe('My savings');
  expect(proposed(' -.Gift: 5/10 "XMR"?')).toBe('Gift 5 10 XMR');
  expect(proposed('e\u0301te\u0301')).toBe('\u00e9t\u00e9');
  expect(proposed(`${'x'.repeat(NAME_MOST - 1)}😀${'y'.repeat(10_000)}`)).toBe('x'.repeat(NAME_MOST - 1));
  expect(proposed('\u202e\u0007 ')).toBe('as it was');
});
