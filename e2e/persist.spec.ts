import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import playwright from '../playwright.config.ts';
import { createWallet, expect, getTestCoins, PASSWORD, test, writeWordsDown } from './support/wallet.ts';

// T18, in a browser with a profile of its own on disk: a private window is never promised anything.

function launch(folder: string, baseURL: string | undefined): Promise<BrowserContext> {
  const { use: settings } = playwright;
  return chromium.launchPersistentContext(folder, {
    ...settings?.launchOptions,
    ...settings?.contextOptions,
    viewport: settings?.viewport ?? null,
    baseURL: baseURL ?? '',
  });
}

const withProfile = test.extend<{ page: Page; context: BrowserContext; profile: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: fixtures must destructure
  profile: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'nightjar-profile-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  context: async ({ profile, baseURL }, use) => {
    const context = await launch(profile, baseURL);
    await use(context);
    await context.close();
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

withProfile(
  'T18 of a wallet that was removed just before the browser was killed nothing stays once it starts again',
  async ({ profile, baseURL }) => {
    const before = await launch(profile, baseURL);
    const page = before.pages()[0] ?? (await before.newPage());
    await page.goto('/');
    await createWallet(page, 'Gone');
    await page.getByRole('button', { name: 'Lock wallet' }).click();
    await page.getByRole('button', { name: 'Remove from this browser' }).click();
    const stored = await page.evaluate(() => Object.entries<string>(localStorage));
    expect(stored.map(([key]) => key)).toContain('nightjar.mark.Gone');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Remove this wallet' }).click();
    await expect(page.getByRole('link', { name: 'Create a wallet' })).toBeVisible();
    const killed = new Promise((resolve) => before.once('close', resolve));
    const client = await before.newCDPSession(page);
    client.send('Browser.crash').catch(() => undefined);
    await killed;

    const after = await launch(profile, baseURL);
    const again = after.pages()[0] ?? (await after.newPage());
    // Local storage gets to the disk seconds later, so that it may be as it was before.
    await again.addInitScript((entries) => {
      for (const [key, text] of entries) localStorage.setItem(key, text);
    }, stored);
    await again.goto('/');
    await expect(again.getByRole('link', { name: 'Create a wallet' })).toBeVisible();
    const stays = (): Promise<string> => again.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    await expect.poll(stays).not.toContain('Gone');
    await after.close();
  },
);
