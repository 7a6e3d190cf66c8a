import { mkdirSync } from 'node:fs';
import { held, putLedger } from './support/ledger.ts';
import { FOLDER, take } from './support/pictures.ts';
import { allUnlocked, amountAt, coins, expect, fillPayment, isLive, nameAndPassword, test } from './support/wallet.ts';

// `npm run screenshots`: a wallet on a Ledger, from its making to a payment. The Ledger is the tests' double.

const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

test('pictures of a wallet on a Ledger', async ({ page, context }) => {
  test.setTimeout(200_000);
  mkdirSync(FOLDER, { recursive: true });
  const desk = await putLedger(context);
  await page.goto('/#/ledger');
  await take(page, ['ledger-connect', 'phone', 'light']);
  await take(page, ['ledger-connect', 'desktop', 'dark']);
  await page.getByRole('button', { name: 'Connect the Ledger' }).click();
  await expect(page.getByTestId('fingerprint')).toBeVisible();
  await take(page, ['ledger-met', 'phone', 'light']);
  await take(page, ['ledger-met', 'desktop', 'light']);
  await page.getByRole('button', { name: 'Show it on the Ledger' }).click();
  await page.getByRole('button', { name: 'Yes, the same' }).click();
  await nameAndPassword(page, 'On a Ledger');
  await page.getByRole('radio', { name: 'Not sure' }).check();
  await page.getByRole('button', { name: 'Ask the Ledger and make the wallet' }).click();
  await isLive(page);
  await page.getByRole('button', { name: 'Get test coins' }).click();
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(coins('10'));
  await expect(page.locator('.notices p')).toHaveCount(0);
  await take(page, ['ledger-home', 'phone', 'light']);
  await allUnlocked(page);
  await page.goto('/#/receive');
  await take(page, ['ledger-receive', 'phone', 'dark']);
  await page.goto('/#/settings/ledger');
  await take(page, ['ledger-settings', 'desktop', 'light']);
  await fillPayment(page, PAYEE, '2.5');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByTestId('will-show')).toContainText('2.5 XMR', { timeout: 60_000 });
  await take(page, ['ledger-review', 'phone', 'light']);
  await take(page, ['ledger-review', 'desktop', 'light']);
  const look = held(desk, 'Amount');
  await page.getByRole('button', { name: 'Sign on the Ledger' }).click();
  await expect(page.getByTestId('on-ledger')).toContainText('It shows “Amount”');
  await take(page, ['ledger-signing', 'phone', 'light']);
  await take(page, ['ledger-signing', 'desktop', 'dark']);
  look.say(true);
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible({ timeout: 60_000 });
});
