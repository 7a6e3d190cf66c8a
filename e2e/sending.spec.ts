import type { Page, Route } from '@playwright/test';
import {
  amountAt,
  coins,
  createWallet,
  expect,
  fillPayment,
  getTestCoins,
  goTo,
  NOTHING_KEPT,
  test,
  toReview,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

// What a person sees between the form and the chain: stages, a way out, one payment and no second, and what became of it.

const OTHER = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
const SENDING = '**/daemon/send_raw_transaction';

const fillForm = (page: Page, amount: string): Promise<void> => fillPayment(page, OTHER, amount);

/** Keeps what the page says it is at from now on, each once. */
async function recordStages(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen: string[] = [];
    const look = (): void => {
      const text = document.querySelector('[data-testid=stages] [aria-current=step]')?.textContent?.trim();
      if (text !== undefined && seen.at(-1) !== text) seen.push(text);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    Object.assign(window, { seenStages: seen });
  });
  return () => page.evaluate(() => (window as unknown as { seenStages: string[] }).seenStages);
}

test('a payment shows its stages, stops when cancelled, and is sent once however often the button is pressed', async ({
  page,
}) => {
  await createWallet(page);
  const had = await getTestCoins(page);
  let sent = 0;
  await page.route(SENDING, async (route) => {
    sent += 1;
    await route.continue();
  });
  const held: Route[] = [];
  await page.route('**/daemon/get_outs.bin', (route) => void held.push(route));
  await fillForm(page, '0.5');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { name: 'Preparing the payment' })).toBeFocused();
  await expect(page.getByTestId('stages').locator('[aria-current=step]')).toHaveText('Fetching decoys');
  await expect(page.getByText('Nothing is sent yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Send' })).toBeFocused();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('0.5');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.unroute('**/daemon/get_outs.bin');
  for (const route of held) await route.abort();

  const stages = await recordStages(page);
  await toReview(page);
  expect(await stages(), 'what is reviewed is not signed').toEqual(['Choosing coins', 'Fetching decoys']);
  const total = await amountAt(page, 'total');
  expect(sent, 'a review sends nothing').toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.evaluate(() => {
    const felt: unknown[] = [];
    Object.assign(window, { felt });
    navigator.vibrate = (pattern) => felt.push(pattern) > 0;
  });
  await page.getByRole('button', { name: 'Send now' }).evaluate((button: HTMLButtonElement) => {
    for (let press = 0; press < 5; press += 1) button.click();
  });
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible({ timeout: 60_000 });
  expect(sent).toBe(1);
  expect(await amountAt(page, 'sent-amount')).toBe(coins('0.5'));
  expect(await page.evaluate(() => (window as unknown as { felt: unknown[] }).felt), 'felt once').toEqual([30]);
  await goTo(page, 'Send');
  await expect(page.getByLabel('Address', { exact: true }), 'the next payment').toHaveValue('');
  await goTo(page, 'Home');
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(had - total);
});

test('T3 no answer while sending: it is not offered again, and history keeps it', async ({ page }) => {
  await createWallet(page);
  await getTestCoins(page);
  await fillForm(page, '0.25');
  await toReview(page);
  const leaving: Route[] = [];
  await page.route(SENDING, (route) => void leaving.push(route));
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect.poll(() => leaving.length, { timeout: 60_000 }).toBe(1);
  await expect(page.getByRole('button', { name: 'Sending…' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Cancel' }), 'what leaves is not called back').toBeDisabled();
  for (const route of leaving) await route.abort();
  await expect(page.getByRole('heading', { name: 'Do not send again yet' })).toBeFocused();
  await expect(page.getByText('Do not pay twice.')).toBeVisible();
  await expect(page.getByRole('button', { name: /Review|Send now/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'See what was paid' }).click();
  await expect(page.getByRole('link', { name: /Sent.*0\.25/ })).toBeVisible();
});

test('a payment that the network refuses: the reason, the form as it was, and the coins free again', async ({ page }) => {
  await createWallet(page);
  const had = await getTestCoins(page);
  await fillForm(page, '0.25');
  await toReview(page);
  await page.route(SENDING, (route) =>
    route.fulfill({ json: { status: 'Failed', reason: 'double spend', double_spend: true, not_relayed: false } }),
  );
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('alert')).toContainText(
    'The network did not accept this transaction (double spend). Nothing was paid',
  );
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(OTHER);
  await goTo(page, 'Home');
  await expect(page.getByRole('link', { name: /Sent.*failed/ })).toBeVisible();
  expect(await amountAt(page, 'balance')).toBe(had);
  expect(had).toBe(coins('10'));
});

test('T3 a refused payment blocks one that would not conflict with it, until it is given up', async ({ page }) => {
  await createWallet(page);
  await getTestCoins(page);
  await fillForm(page, '0.25');
  await toReview(page);
  await page.route(SENDING, (route) =>
    route.fulfill({ json: { status: 'Failed', reason: 'double spend', double_spend: true, not_relayed: false } }),
  );
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('alert')).toContainText('did not accept this transaction');
  await page.unroute(SENDING);

  // The coin it spent is kept from what follows; another one is there.
  await page.goto('/#/settings/coins');
  await page.getByTestId('coins').getByRole('button', { name: 'Set aside' }).click();
  await expect(page.getByTestId('coins')).toContainText('set aside');
  await getTestCoins(page);
  await fillForm(page, '0.5');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('alert')).toContainText('This payment would not rule that one out', { timeout: 60_000 });

  await goTo(page, 'History');
  await page.getByRole('link', { name: /Sent.*failed/ }).click();
  await page.getByRole('button', { name: 'Give this payment up' }).click();
  await expect(page.getByText('Given up. Later payments choose their coins freely.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Give this payment up' })).toHaveCount(0);
  await goTo(page, 'Send');
  await toReview(page);
});
