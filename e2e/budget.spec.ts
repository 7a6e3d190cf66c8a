import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFront } from './support/front.ts';
import { createWallet, expect, getTestCoins, otherBrowser, send, test, unlock } from './support/wallet.ts';
import { compressed, FIRST_LOAD_BUDGET, FIRST_SEND_BUDGET, FORM_BUDGET, neededToPaint } from './support/weight.ts';

/** Anybody's address on the test chain. */
const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

const withFront = test.extend<{ front: Awaited<ReturnType<typeof startFront>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's own form
  front: async ({}, use) => {
    const front = await startFront(process.env.NIGHTJAR_URL ?? '');
    await use(front);
    await front.close();
  },
  baseURL: ({ front }, use) => use(front.url),
});

/** Parts of the page that are kept for the time without a connection. */
const keptLater = (): Promise<string[]> =>
  caches.open('nightjar-later').then(async (cache) => (await cache.keys()).map(({ url }) => url));

withFront(
  'a visit loads no more than its budget, first and up to its first payment; the rest comes when it is come back to',
  async ({ page, front, context }) => {
    const first = await otherBrowser(context, { serviceWorkers: 'allow' });
    expect(compressed(await neededToPaint(first)), 'kB to show the page').toBeLessThan(FIRST_LOAD_BUDGET);
    await first.context().close();

    await page.goto('/');
    await createWallet(page);
    await getTestCoins(page);
    await send(page, PAYEE, '0.1');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    // Of the two kernels the one that runs here, and that is kept at once.
    const kernels = [...front.asked].filter((path) => /nightjar-(fma|ext)-/.test(path));
    expect(kernels).toHaveLength(1);
    expect((await page.evaluate(keptLater)).map((url) => new URL(url).pathname)).toEqual(kernels);
    expect(compressed(front.asked), 'kB up to the first payment').toBeLessThan(FIRST_SEND_BUDGET);
    expect([...front.asked].filter((path) => /japanese|keys-file/.test(path))).toEqual([]);

    await page.reload();
    await unlock(page);
    await expect.poll(async () => (await page.evaluate(keptLater)).filter((url) => url.endsWith('/complete'))).toHaveLength(1);
    const kept = await page.evaluate(keptLater);
    expect(kept.filter((url) => url.includes('japanese'))).toHaveLength(2);
    expect(kept.filter((url) => url.includes('keys-file'))).toHaveLength(1);
    expect(kept.filter((url) => url.endsWith('.wasm'))).toHaveLength(2);
    expect(kept.filter((url) => url.includes('texts-'))).toEqual([]);
  },
);

// WebKit would run the entry a second time: two wallets in one worker.
test('no part that a worker loads later imports from the entry of the worker', () => {
  const assets = fileURLToPath(new URL('../dist/app/assets/', import.meta.url));
  const scripts = readdirSync(assets, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  expect(scripts.filter((path) => path.startsWith('later')).length).toBeGreaterThan(10);
  const importing = scripts.filter((path) =>
    /(from|import)\s*\(?["'][^"']*\.worker-/.test(readFileSync(join(assets, path), 'utf8')),
  );
  expect(importing).toEqual([]);
});

// Without a connection after a first visit, it would not load.
test('no part that is kept at the first visit needs one that is kept later', () => {
  const assets = fileURLToPath(new URL('../dist/app/assets/', import.meta.url));
  const first = readdirSync(assets).filter((name) => name.endsWith('.js'));
  expect(first.length).toBeGreaterThan(5);
  expect(first.filter((name) => /(from|import)\s*["']\.\/later\//.test(readFileSync(join(assets, name), 'utf8')))).toEqual([]);
});

// On a slow line the person waits for it.
test('the form that makes a wallet needs little beside what the first screen has', () => {
  const assets = fileURLToPath(new URL('../dist/app/assets/', import.meta.url));
  const form = readdirSync(assets).find((name) => /^Create-.*\.js$/.test(name)) ?? '';
  const needed = new Set([form]);
  for (const part of needed)
    for (const [, name = ''] of readFileSync(join(assets, part), 'utf8').matchAll(/(?:from|import)\s*["']\.\/([^"']+)/g))
      needed.add(name);
  const beside = [...needed].filter((name) => !name.startsWith('first-'));
  expect(beside.length).toBeGreaterThan(1);
  expect(compressed(beside.map((name) => `/assets/${name}`))).toBeLessThan(FORM_BUDGET);
});
