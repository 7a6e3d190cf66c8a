import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { behaviours } from '../test/storage/contract.ts';
import { expect, NOTHING_KEPT, test } from './support/wallet.ts';

// The behaviours that every journal store has, on this browser's IndexedDB and Web Locks.

test.use(NOTHING_KEPT);
/** In one worker, which builds the harness once. */
test.describe.configure({ mode: 'default' });

/** Files of the harness by path: its scripts and the kernels. */
let files: ReadonlyMap<string, { readonly contentType: string; readonly body: string | Buffer }> = new Map();

test.beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      // Kernels stay files: the content policy lets nothing be loaded from a text.
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: { harness: fileURLToPath(new URL('./support/storage-harness.ts', import.meta.url)) },
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'storage-[name].js' },
      },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (!result || !('output' in result)) throw new Error('expected a bundle');
  files = new Map(
    result.output.map((file) => [
      `/${file.fileName}`,
      file.type === 'chunk'
        ? { contentType: 'text/javascript', body: file.code }
        : { contentType: 'application/wasm', body: Buffer.from(file.source) },
    ]),
  );
});

/** A page that can have the harness. */
async function openHarness(page: Page): Promise<void> {
  await page.route(
    ({ pathname }) => files.has(pathname),
    (route) => route.fulfill(files.get(new URL(route.request().url()).pathname) ?? { status: 404 }),
  );
  await page.goto('/');
}

test('T16 rows of IndexedDB that somebody filled with anything are damaged wallets, hide no sound one, and can be removed', async ({
  page,
}) => {
  await openHarness(page);
  const outcome = await page.evaluate(async () => {
    const path = '/storage-harness.js';
    const harness = (await import(path)) as typeof import('./support/storage-harness.ts');
    return harness.amongOtherRows();
  });
  expect(outcome).toEqual({
    listed: ['gap full', 'lost full', 'nothing damaged', 'part damaged', 'sound full', 'text damaged'],
    refused: ['damaged', 'damaged', 'damaged', 'damaged', 'damaged'],
    left: ['sound'],
    read: '1 events',
  });
});

test('T16 a database that a later version of the program has changed is named as that', async ({ page }) => {
  await openHarness(page);
  const said = await page.evaluate(async () => {
    const path = '/storage-harness.js';
    const harness = (await import(path)) as typeof import('./support/storage-harness.ts');
    return harness.laterVersion();
  });
  expect(said).toBe('newer-version');
});

test('T16 a wallet whose site was cleared while it was open acknowledges nothing any more', async ({ page }) => {
  await openHarness(page);
  const said = await page.evaluate(async () => {
    const path = '/storage-harness.js';
    const harness = (await import(path)) as typeof import('./support/storage-harness.ts');
    return harness.clearedWhileOpen();
  });
  expect(said).toBe('removed');
});

test('T17 a tab whose lock was taken away acknowledges nothing more, and drops nothing of the one that came after', async ({
  page,
}) => {
  await openHarness(page);
  const outcome = await page.evaluate(async () => {
    const path = '/storage-harness.js';
    const harness = (await import(path)) as typeof import('./support/storage-harness.ts');
    return harness.robbedOfTheLock();
  });
  const said = ['acknowledged', 'unavailable', 'locked', 'acknowledged', 'removed', 'acknowledged'];
  expect(outcome).toEqual({ said, left: '2 events' });
});

for (const [index, { name }] of behaviours.entries()) {
  test(`IndexedDB ${name}`, async ({ page }) => {
    await openHarness(page);
    const problem = await page.evaluate(async (at) => {
      const path = '/storage-harness.js';
      const harness = (await import(path)) as typeof import('./support/storage-harness.ts');
      return harness.run(at);
    }, index);
    expect(problem).toBe('');
  });
}
