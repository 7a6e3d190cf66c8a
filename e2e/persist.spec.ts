import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import playwright from '../playwright.config.ts';
import { createWallet, expect, getTestCoins, test, writeWordsDown } from './support/wallet.ts';

// T18, in a browser with a profile of its own on disk: a private window is never promised anything.

const withProfile = test.extend<{ page: Page; context: BrowserContext }>({
  context: async ({ baseURL }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'nightjar-profile-'));
    const { use: settings } = playwright;
    const context = await chromium.launchPersistentContext(folder, {
      ...settings?.launchOptions,
      ...settings?.contextOptions,
      viewport: settings?.viewport ?? null,
      baseURL: baseURL ?? '',
    });
    await use(context);
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  },
  page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),
});

/** Sets the browser's answer, and counts how often it is asked. */
async function decide(page: Page, baseURL: string | undefined, setting: 'granted' | 'denied'): Promise<void> {
  await page.addInitScript(() => {
    const storage = navigator.storage;
    const persist = storage.persist.bind(storage);
    Object.assign(window, { timesAsked: 0 });
    storage.persist = () => {
      (window as unknown as { timesAsked: number }).timesAsked += 1;
      return persist();
    };
  });
  const client = await page.context().newCDPSession(page);
  const permission = { name: 'persistent-storage' };
  await client.send('Browser.setPermission', { permission, setting, origin: baseURL ?? '' });
}

const timesAsked = (page: Page): Promise<number> => page.evaluate(() => (window as unknown as { timesAsked: number }).timesAsked);

withProfile('T18 a new wallet is promised to be kept, and a backup is still asked for', async ({ page, baseURL }) => {
  await decide(page, baseURL, 'granted');
  await createWallet(page);
  expect(await timesAsked(page), 'asked as the wallet is made').toBe(1);
  expect(await page.evaluate(() => navigator.storage.persisted())).toBe(true);
  await getTestCoins(page);
  await writeWordsDown(page);
  await page.getByRole('link', { name: 'Save a backup file' }).click();
  await expect(page.getByText('The browser has agreed to keep this wallet')).toBeVisible();
  await page.getByRole('button', { name: 'Save a backup file' }).click();
  await expect(page.getByText('Last saved today.')).toBeVisible();
  await page.goto('/#/');
  await expect(page.getByTestId('balance')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Save a backup file' })).toHaveCount(0);
});

withProfile('T18 a browser that refuses: said plainly, with the way to a backup', async ({ page, baseURL }) => {
  await decide(page, baseURL, 'denied');
  await createWallet(page);
  expect(await timesAsked(page), 'asked as the wallet is made').toBe(1);
  expect(await page.evaluate(() => navigator.storage.persisted())).toBe(false);
  await getTestCoins(page);
  await writeWordsDown(page);
  await page.getByRole('link', { name: 'Save a backup file' }).click();
  await expect(page.getByText('The browser may clear this site’s storage when space runs low')).toBeVisible();
  await page.getByRole('button', { name: 'Ask to keep it' }).click();
  await expect(page.getByText('The browser said no.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save a backup file' })).toBeVisible();
});
