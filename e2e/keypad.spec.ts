import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { PIN, setPin } from './support/pin.ts';
import { createWallet, expect, isLive, NOTHING_KEPT, test } from './support/wallet.ts';

// The page's own digits, where a finger points.

test.use({ ...NOTHING_KEPT, hasTouch: true, isMobile: true });

const keys = (page: Page) => page.getByRole('group', { name: 'PIN' });
const typed = (page: Page) => keys(page).getByRole('textbox', { name: 'PIN' });

async function tap(page: Page, digits: string): Promise<void> {
  for (const digit of digits) await page.getByRole('button', { name: digit, exact: true }).tap();
}

/** Whether a text stands anywhere in the document: in its markup, or in a field. */
const stands = (page: Page, text: string): Promise<boolean> =>
  page.evaluate(
    (what) =>
      document.documentElement.outerHTML.includes(what) ||
      [...document.querySelectorAll('input, textarea')].some((field) => (field as HTMLInputElement).value.includes(what)),
    text,
  );

test('T18 a PIN is tapped on the page’s own digits, or typed by keys; it stands nowhere in the document, and the password is one tap away', async ({
  page,
}) => {
  await createWallet(page);
  await setPin(page);
  await page.getByRole('button', { name: 'Lock wallet' }).tap();

  const unlock = page.getByRole('button', { name: 'Unlock', exact: true });
  await expect(typed(page)).toBeFocused();
  await expect(typed(page)).toHaveText('Digits entered: 0');
  for (const what of [page.getByRole('button', { name: '0', exact: true }), unlock])
    await expect(what).toBeInViewport({ ratio: 1 });
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);

  await tap(page, '4802');
  await expect(typed(page)).toHaveText('Digits entered: 4');
  await expect(keys(page).getByRole('status')).toHaveText('Digits entered: 4');
  await tap(page, '1');
  await page.getByRole('button', { name: 'Delete the last digit' }).tap();
  await expect(typed(page)).toHaveText('Digits entered: 4');
  await tap(page, '16');
  expect(await stands(page, '480216'), 'what was tapped').toBe(false);
  await unlock.tap();
  await expect(page.getByText('That is not the PIN. 4 tries are left.')).toBeVisible();
  await expect(typed(page), 'it is wiped').toHaveText('Digits entered: 0');
  await expect(typed(page)).toBeFocused();

  await test.step('hiding the page clears what was typed', async () => {
    await tap(page, '48');
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
      document.dispatchEvent(new Event('visibilitychange'));
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => false });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect(typed(page)).toHaveText('Digits entered: 0');
  });

  await page.getByRole('button', { name: 'Use the password instead' }).tap();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Use the PIN instead' }).tap();

  await test.step('a hardware keyboard types, deletes and submits', async () => {
    await expect(typed(page)).toBeFocused();
    await page.keyboard.type('48029');
    // Too short for any PIN: it takes no try, and stays.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('15');
    expect(await stands(page, PIN), 'what was typed').toBe(false);
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('balance')).toBeVisible();
  });

  await test.step('for re-authentication', async () => {
    await page.goto('/#/settings/safety/lock');
    await page.getByRole('button', { name: 'Set an amount' }).tap();
    await page.getByRole('dialog').getByLabel('Ask above, in XMR').fill('0.05');
    await tap(page, PIN);
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).tap();
    await expect(page.getByTestId('ask-above')).toHaveText('Payments above 0.05 XMR ask again.');
  });
});

test('the till’s price is tapped on the same digits, with the decimal sign of the language', async ({ page }) => {
  await createWallet(page);
  await isLive(page);
  await page.goto('/#/till');
  const price = page.getByLabel('To be paid, in XMR');
  await expect(price, 'no other keyboard comes up').toHaveAttribute('inputmode', 'none');
  await tap(page, '.5.');
  await expect(price).toHaveValue('0.5');
  await tap(page, '07');
  await page.getByRole('button', { name: 'Delete the last digit' }).tap();
  await expect(price).toHaveValue('0.50');
  await expect(page.getByRole('button', { name: 'Show the code' })).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Show the code' }).tap();
  await expect(page.getByTestId('till-amount')).toContainText('0.5 monero');

  await page.getByRole('link', { name: 'Back' }).tap();
  await page.goto('/#/settings/appearance');
  await page.getByLabel('Language').selectOption('Deutsch');
  await expect(page.locator('html'), 'every view is made anew in it').toHaveAttribute('lang', 'de');
  await page.goto('/#/till');
  await tap(page, '1,5');
  await expect(page.getByLabel('Zu zahlen, in XMR')).toHaveValue('1,5');
});
