import type { Page } from '@playwright/test';
import { PIN, setPin } from './support/pin.ts';
import { createWallet, expect, fillPayment, getTestCoins, PASSWORD, test, unlock } from './support/wallet.ts';

/** Anybody's address on the test chain. */
const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

async function enterPin(page: Page, pin: string): Promise<void> {
  await page.getByLabel('PIN', { exact: true }).fill(pin);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
}

/** Wallets whose passwords lie behind a PIN, and the tries that each has left. @param tries to be left from now on */
const keptPins = (page: Page, tries?: number): Promise<unknown> =>
  page.evaluate(
    (left) =>
      new Promise((resolve) => {
        const asked = indexedDB.open('nightjar-pins');
        asked.onsuccess = () => {
          const found: unknown[] = [];
          const rows = asked.result.transaction('pins', 'readwrite');
          const cursor = rows.objectStore('pins').openCursor();
          cursor.onsuccess = () => {
            const row = cursor.result;
            if (row === null) return;
            if (left !== undefined) row.update({ ...row.value, tries: left });
            found.push([row.key, left ?? row.value.tries]);
            row.continue();
          };
          rows.oncomplete = () => {
            asked.result.close();
            resolve(found);
          };
        };
      }),
    tries,
  );

const lock = (page: Page): Promise<void> => page.getByRole('button', { name: 'Lock wallet' }).click();
const unlocked = (page: Page): Promise<void> => expect(page.getByTestId('balance')).toBeVisible();

test('T18 a PIN opens the wallet, asks again above the person’s limit, and is gone after five wrong tries; out of sight is locked @wide', async ({
  page,
}) => {
  await createWallet(page);
  await getTestCoins(page);
  await page.goto('/#/settings/safety/unlock');
  await page.getByRole('button', { name: 'Set a PIN' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByLabel('New PIN', { exact: true }).fill('123456');
  await dialog.getByRole('button', { name: 'Set a PIN' }).click();
  await expect(dialog.getByText('not all the same and not in sequence')).toBeVisible();
  await dialog.getByLabel('New PIN', { exact: true }).fill(PIN);
  await dialog.getByLabel('New PIN, again').fill(PIN);
  await dialog.getByRole('button', { name: 'Set a PIN' }).click();
  await expect(page.getByText('The PIN opens this wallet now.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop using the PIN' }), 'who has no mouse goes on from there').toBeFocused();

  await page.goto('/#/settings/safety/lock');
  await page.getByRole('button', { name: 'Set an amount' }).click();
  await dialog.getByLabel('Ask above, in XMR').fill('0,05');
  await dialog.getByLabel('PIN', { exact: true }).fill(PIN);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByTestId('ask-above')).toHaveText('Payments above 0.05 XMR ask again.');

  await lock(page);
  // What is too short for any PIN takes no try.
  await page.getByLabel('PIN', { exact: true }).fill('48021');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Unlock', exact: true })).toBeDisabled();
  await enterPin(page, '480216');
  await expect(page.getByText('That is not the PIN. 4 tries are left.')).toBeVisible();
  await page.reload();
  await enterPin(page, '480216');
  await expect(page.getByText('That is not the PIN. 3 tries are left.')).toBeVisible();
  await enterPin(page, PIN);
  await unlocked(page);

  await fillPayment(page, PAYEE, '0.1');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(dialog.getByText('This payment is above the amount you have set')).toBeVisible();
  await dialog.getByLabel('PIN', { exact: true }).fill(PIN);
  await dialog.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible({ timeout: 60_000 });

  await page.goto('/#/settings/safety/lock');
  await page.getByLabel('Lock as soon as the page is out of sight').check();
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await page.reload();
  for (const left of [4, 3, 2]) {
    await enterPin(page, '111112');
    await expect(page.getByText(`${left} tries are left`)).toBeVisible();
  }
  await enterPin(page, '111112');
  await expect(page.getByText('1 try is left')).toBeVisible();
  await enterPin(page, '111112');
  await expect(page.getByText('The PIN no longer opens this wallet')).toBeVisible();
  expect(await keptPins(page), 'nothing is left to try').toEqual([]);
  await unlock(page);
  await unlocked(page);
});

test('T16 of a page that was killed during the last try of a PIN nothing is left to try, and a try is counted before it is made', async ({
  page,
}) => {
  await createWallet(page, 'Tried');
  await setPin(page);
  await lock(page);
  // Closed before anybody knows whether it was right.
  await page.getByLabel('PIN', { exact: true }).fill('480216');
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect.poll(() => keptPins(page)).toEqual([['Tried', 4]]);
  await page.reload();
  await keptPins(page, 0);
  await enterPin(page, PIN);
  await expect(page.getByText('The PIN no longer opens this wallet')).toBeVisible();
  expect(await keptPins(page)).toEqual([]);
  await unlock(page);
  await unlocked(page);
});
