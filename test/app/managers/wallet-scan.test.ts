import { beforeEach, expect, it, vi } from 'vitest';

// A scanned code of a wallet, on its way to the form that takes it.

const page = vi.hoisted(() => {
  const window = Object.assign(new EventTarget(), {
    location: { hash: '' },
    scrollY: 0,
    history: { state: undefined, pushState, replaceState: () => undefined },
  });
  function pushState(_: unknown, __: string, address: string): void {
    window.location.hash = address;
  }
  vi.stubGlobal('self', globalThis);
  vi.stubGlobal('window', window);
  return { answer: (): void => undefined };
});

const KEYS = {
  kind: 'keys',
  keys: { spendKey: 'ab'.repeat(32), viewKey: undefined, address: undefined },
  from: undefined,
  label: '',
};

/** A worker that reads the code when the test lets it. */
vi.mock('../../../src/app/managers/session.svelte.ts', () => ({
  session: {
    network: 'mainnet',
    host: {
      readWalletCode: () =>
        new Promise((resolve) => {
          page.answer = () => resolve(KEYS);
        }),
    },
  },
}));

const { router } = await import('../../../src/app/router.svelte.ts');
const { takeScanned, WalletScan } = await import('../../../src/app/managers/wallet-scan.svelte.ts');

beforeEach(() => router.go('restore'));

/** @param meanwhile what the person does while the code is read */
async function scan(meanwhile: () => void = () => undefined): Promise<void> {
  const reading = new WalletScan().read('a code of keys');
  meanwhile();
  page.answer();
  await reading;
}

it('leads to the form that is for it, which has it once', async () => {
  await scan();
  expect(router.view).toBe('restore-keys');
  expect(takeScanned('words')).toBeUndefined();
  expect(takeScanned('keys')).toMatchObject(KEYS);
  expect(takeScanned('keys')).toBeUndefined();
});

it('leads nobody away who went elsewhere while it was read, and nothing of it is left', async () => {
  await scan(() => router.go('settings'));
  expect(router.view).toBe('settings');
  expect(takeScanned('keys')).toBeUndefined();
});

it('leads nobody away whose browser has not announced yet that they went elsewhere', async () => {
  await scan(() => {
    window.location.hash = '#/settings';
  });
  expect(window.location.hash).toBe('#/settings');
  expect(takeScanned('keys')).toBeUndefined();
  window.dispatchEvent(new Event('hashchange'));
});

it('is dropped once the place of its form is left, also where no form took it', async () => {
  await scan();
  router.go('restore');
  router.go('restore-keys');
  expect(takeScanned('keys')).toBeUndefined();
});
