import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import playwright from '../playwright.config.ts';
import { WHOLE_CHROMIUM } from './support/screens.ts';
import { createWallet, expect, PASSWORD, test } from './support/wallet.ts';

/** How many workers that hash a password the wallet's worker has started so far. */
async function hashWorkers(page: Page): Promise<number> {
  const wallet = page.workers().find((worker) => worker.url().includes('wallet.worker'));
  const started = await wallet?.evaluate(() =>
    performance.getEntriesByType('resource').filter(({ name }) => name.includes('password.worker')),
  );
  return started?.length ?? 0;
}

test('the hash of a password begins when the person stops typing; only the right one opens the wallet', async ({ page }) => {
  await createWallet(page);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.reload();
  const field = page.getByLabel('Password', { exact: true });
  await expect(async () => {
    // The first pause takes the worker that was prepared; each further one starts another.
    for (const typed of ['correct', 'correct horse']) await field.fill(typed);
    expect(await hashWorkers(page)).toBeGreaterThan(1);
  }).toPass({ timeout: 20_000 });
  await field.press('Enter');
  await expect(page.getByText('That is not the password of this wallet')).toBeVisible();
  await field.fill(PASSWORD);
  await field.press('Enter');
  await expect(page.getByTestId('balance')).toBeVisible();
});

test('a password that is shown is not stored with the tab, as a browser stores what is in text fields', async () => {
  const profile = test.info().outputPath('profile');
  const { args = [] } = playwright.use?.launchOptions ?? {};
  const browser = await chromium.launchPersistentContext(profile, { executablePath: WHOLE_CHROMIUM, args });
  const page = await browser.newPage();
  await page.goto(`${process.env.NIGHTJAR_URL}/#/create`);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Show password' }).first().click();
  await expect(page.getByLabel('New password', { exact: true })).toHaveAttribute('type', 'text');
  const control = 'an ordinary text field';
  await page.evaluate((text) => {
    const field = document.body.appendChild(document.createElement('input'));
    field.value = text;
  }, control);
  await page.goto('about:blank');
  await browser.close();
  const sessions = join(profile, 'Default', 'Sessions');
  const stored = readdirSync(sessions).map((name) => readFileSync(join(sessions, name)));
  const holds = (text: string) => stored.some((bytes) => bytes.includes(text, 0, 'utf16le') || bytes.includes(text, 0, 'utf8'));
  expect(holds(control), 'what it stores is found').toBe(true);
  expect(holds(PASSWORD)).toBe(false);
});
