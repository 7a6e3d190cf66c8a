import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import playwright from '../playwright.config.ts';
import { WHOLE_CHROMIUM } from './support/screens.ts';
import {
  createWallet,
  createWithWords,
  expect,
  getTestCoins,
  goTo,
  leaveSight,
  PASSWORD,
  test,
  unlock,
} from './support/wallet.ts';

// What a browser keeps of the page, on the disk and in memory, read by somebody who has the device while the wallet is locked.

const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
/** The words of a gift, shared by another app. */
const GIFT = `monero-wallet:44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A?seed=gels-zeal-lucky`;

/** With the memory of pages that were left, which browsers of tests are without, and a profile on the disk. */
async function everydayBrowser(profile: string): Promise<BrowserContext> {
  const { args = [] } = playwright.use?.launchOptions ?? {};
  const settings = { executablePath: WHOLE_CHROMIUM, args, baseURL: process.env.NIGHTJAR_URL ?? '' };
  return chromium.launchPersistentContext(profile, { ...settings, ignoreDefaultArgs: ['--disable-back-forward-cache'] });
}

/** As the browser posts what another app shares: from no page of ours. */
async function share(page: Page, text: string): Promise<void> {
  await page.goto('about:blank');
  await page.evaluate(
    ([action, text]) => {
      const form = Object.assign(document.createElement('form'), { action, method: 'post', enctype: 'multipart/form-data' });
      form.autocomplete = 'off';
      const fields = { title: '', text, url: '' };
      for (const [name, value] of Object.entries(fields))
        form.append(Object.assign(document.createElement('input'), { name, value }));
      document.body.append(form);
      form.submit();
    },
    [`${process.env.NIGHTJAR_URL}/share`, text] as const,
  );
}

/** All that lies in files of a folder. */
const filesIn = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));

test('the browser’s history tells neither what was shared with the page, nor whom the wallet pays, nor its payments', async () => {
  const profile = test.info().outputPath('profile');
  const browser = await everydayBrowser(profile);
  const page = await browser.newPage();
  await createWallet(page);
  await getTestCoins(page);
  const row = page.locator('main a[href^="#/tx/"]').first();
  const txHash = ((await row.getAttribute('href')) ?? '').slice('#/tx/'.length);
  expect(txHash).toHaveLength(64);
  await row.click();
  await expect(page.getByText(txHash).first()).toBeVisible();
  await page.goBack();
  await page.goForward();
  await expect(page.getByText(txHash).first(), 'it is found again').toBeVisible();

  await page.goto('/#/settings/contacts');
  await page.getByRole('button', { name: 'New entry' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ana');
  await page.getByLabel('Address', { exact: true }).fill(PAYEE);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByTestId('contacts').getByRole('button', { name: 'Send' }).click();
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(PAYEE);

  await page.evaluate(() => navigator.serviceWorker.ready);
  await share(page, `A gift for you: ${GIFT}`);
  await expect(page.getByText('A payment request is waiting.')).toBeVisible();
  expect(page.url()).toMatch(/\/#\/send$/);
  await unlock(page);
  await expect(page.getByRole('heading', { name: 'Take the money from a paper wallet' })).toBeVisible();
  await goTo(page, 'Home');
  await page.goto('/#/kept-by-the-browser');
  await browser.close();

  const kept = filesIn(join(profile, 'Default'));
  const holds = (text: string) => kept.some((bytes) => bytes.includes(text, 0, 'utf16le') || bytes.includes(text, 0, 'utf8'));
  expect(holds('kept-by-the-browser'), 'what it keeps is found').toBe(true);
  expect({ gift: holds('gels-zeal'), payee: holds(PAYEE), payment: holds(txHash) }).toEqual({
    gift: false,
    payee: false,
    payment: false,
  });
});

test('a page that is come back to as it was left starts anew: a password that was typed and not used is gone', async () => {
  const browser = await everydayBrowser(test.info().outputPath('profile'));
  const page = await browser.newPage();
  await createWallet(page);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  const password = page.getByLabel('Password', { exact: true });
  await password.fill(PASSWORD);
  await page.evaluate(() => {
    window.addEventListener('pageshow', ({ persisted }) => {
      const texts = [...document.querySelectorAll('input')].map(({ value }) => value);
      sessionStorage.setItem('shown', JSON.stringify({ persisted, texts }));
    });
  });
  await page.goto(`${(process.env.NIGHTJAR_URL ?? '').replace('127.0.0.1', 'localhost')}/nightjar.json`);
  await page.evaluate(() => setTimeout(() => history.back()));
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  const shown = await page.evaluate(() => sessionStorage.getItem('shown'));
  expect(shown, 'the browser had kept it').toBe(JSON.stringify({ persisted: true, texts: [] }));
  await expect(password).toHaveValue('');
  await browser.close();
});

test('words or a key of a wallet in a field for something else are warned of, and kept in no draft', async ({ page }) => {
  const words = (await createWithWords(page)).join(' ');
  const warning = page.getByText('These look like the secret words of a wallet');
  const address = page.getByLabel('Address', { exact: true });
  await goTo(page, 'Send');
  await page.getByLabel('Amount', { exact: true }).fill('0.5');
  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByLabel('Note', { exact: true }).fill('thank you for the nice long evening with everybody at your place');
  await address.fill(words);
  await expect(warning).toBeVisible();
  await leaveSight(page);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await unlock(page);
  await goTo(page, 'Send');
  await expect(page.getByLabel('Amount', { exact: true }), 'a draft was kept').toHaveValue('0.5');
  await expect(address).toHaveValue('');
  await expect(page.getByLabel('Note', { exact: true })).toHaveValue(/^thank you/);
  await expect(warning, 'a long note is none').toHaveCount(0);
  await address.fill('ab'.repeat(32));
  await expect(page.getByText('This may be a secret key')).toBeVisible();

  await page.goto('/#/settings/contacts');
  await page.getByRole('button', { name: 'New entry' }).click();
  // With the numbers of a list, and a word misspelt.
  await address.fill(`1. ${words.replaceAll(' ', ', ').replace(',', 'xq,')}`);
  await expect(warning).toBeVisible();

  // A name is too short for all words: nothing of them is cut off before they are looked at, and nothing is saved.
  await page.goto('/#/settings/name');
  const name = page.getByLabel('Name of the wallet', { exact: true });
  await name.fill(words);
  await expect(warning).toBeVisible();
  await expect(page.getByText(/^Too long: \d+ characters, of 60 at most/)).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(name).toBeFocused();
  await expect(page.getByRole('banner')).toContainText('My wallet');
  await name.fill('n'.repeat(60));
  await expect(page.getByText(/^Too long/)).toHaveCount(0);
});
