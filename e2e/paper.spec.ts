import type { Page } from '@playwright/test';
import { watchScreen } from './support/screen.ts';
import {
  amountAt,
  createWallet,
  createWithWords,
  expect,
  getTestCoins,
  goTo,
  isLive,
  NOTHING_KEPT,
  showWords,
  test,
  unlock,
} from './support/wallet.ts';

// Money that a person has on paper, taken into the open wallet.

test.use(NOTHING_KEPT);

const lock = (page: Page): Promise<void> => page.getByRole('button', { name: 'Lock wallet' }).click();
const look = (page: Page): Promise<void> => page.getByRole('button', { name: 'Look for its money' }).click();
const words = (page: Page) => page.getByLabel('The words, in order');

test('the money of a paper is shown with its cost and taken, also after the node was lost; then there is none left @wide', async ({
  page,
  context,
  faults,
}) => {
  page.setDefaultTimeout(30_000);
  await createWallet(page, 'Paper');
  const whole = await getTestCoins(page);
  const paper = await showWords(page);
  await lock(page);
  const own = await createWithWords(page, 'Mine');
  await isLive(page);

  await goTo(page, 'Receive');
  await page.getByRole('link', { name: 'Take the money from a paper wallet' }).click();
  await words(page).fill(own.join(' '));
  await look(page);
  await expect(page.getByRole('alert')).toContainText('the open wallet itself');
  await words(page).fill(paper.join(' '));
  await expect(page.getByText('These words were made in')).toBeVisible();
  await look(page);
  await expect(page.getByTestId('paper-arrives')).toBeVisible({ timeout: 60_000 });
  expect(await amountAt(page, 'paper-total')).toBe(whole);
  expect((await amountAt(page, 'paper-arrives')) + (await amountAt(page, 'paper-fee'))).toBe(whole);

  await context.route('**/daemon/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Take it' }).click();
  await expect(page.getByRole('alert')).toBeVisible({ timeout: 60_000 });
  await context.unroute('**/daemon/**');
  faults.length = 0;
  await expect(page.getByTestId('paper-arrives')).toBeVisible({ timeout: 60_000 });
  const arrives = await amountAt(page, 'paper-arrives');
  await page.getByRole('button', { name: 'Take it' }).click();
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Done' }).click();
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBeGreaterThan(0n);
  expect(Number(await amountAt(page, 'balance')) / Number(arrives)).toBeCloseTo(1, 4);
  await expect(page.getByRole('link', { name: /From a paper wallet/ })).toBeVisible();

  await page.goto('/#/paper');
  await words(page).fill(paper.join(' '));
  await expect(page.getByText('These words were made in')).toBeVisible();
  await look(page);
  await expect(page.getByText('Nothing is left on it.')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Another paper' }).click();
  await expect(words(page), 'the words are not kept').toHaveValue('');
});

test('a code that is put where an address belongs leads there, and stays in no draft', async ({ page }) => {
  page.setDefaultTimeout(30_000);
  await createWallet(page, 'Mine');
  await isLive(page);
  const key = '01'.padEnd(64, '0');
  await page.goto('/#/send');
  await page.getByLabel('Address', { exact: true }).fill(`monero-wallet:?spend_key=${key}&height=1`);
  await expect(page.getByRole('heading', { name: 'Take the money from a paper wallet' })).toBeVisible();
  await expect(page.getByLabel('Secret spend key')).toHaveValue(key);
  await expect(page.getByLabel('Block height')).toHaveValue('1');
  await look(page);
  await expect(page.getByText('Nothing was found on it.')).toBeVisible({ timeout: 60_000 });
  await page.goto('/#/send');
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue('');
  await page.goto(`/#/pay?uri=${encodeURIComponent(`monero-wallet:?spend_key=${key}&height=2`)}`);
  await expect(page.getByLabel('Block height'), 'nor does a link fill in a payment').toHaveValue('2');
  await expect(page.getByLabel('Secret spend key')).toHaveValue(key);
});

test('a search keeps the screen on; one that the lock ends is told of where the wallet is unlocked, and is not kept', async ({
  page,
  context,
  faults,
}) => {
  page.setDefaultTimeout(30_000);
  const screen = await watchScreen(page);
  await createWallet(page, 'Mine');
  await isLive(page);
  await context.route('**/daemon/**', (route) => route.abort());
  await page.goto('/#/paper');
  await page.getByText('Keys', { exact: true }).click();
  await page.getByLabel('Secret spend key').fill('01'.padEnd(64, '0'));
  await page.getByText('Not sure', { exact: true }).click();
  await look(page);
  await expect(page.getByText('if the wallet locks itself, the search ends')).toBeVisible();
  await expect.poll(async () => (await screen()).held).toBe(1);
  await lock(page);
  await expect.poll(async () => (await screen()).held).toBe(0);
  const told = page.getByText('that ended the search on your paper wallet');
  await expect(told).toBeVisible();
  await unlock(page);
  await expect(told).toBeHidden();
  await page.goto('/#/paper');
  await expect(page.getByRole('button', { name: 'Look for its money' })).toBeVisible();
  await page.getByText('Keys', { exact: true }).click();
  await expect(page.getByLabel('Secret spend key')).toHaveValue('');
  faults.length = 0;
});
