import type { Locator, Page } from '@playwright/test';
import { createWallet, expect, getTestCoins, goTo, NOTHING_KEPT, primaryAddress, send, test } from './support/wallet.ts';

test.use({ ...NOTHING_KEPT, viewport: { width: 1440, height: 900 } });

/** Anybody's address on the test chain. */
const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

const heading = (page: Page, name: string): Locator => page.getByRole('columnheader', { name, exact: true });

/** Where the decimal point of each amount stands, in pixels. */
async function points(amounts: Locator): Promise<Set<number>> {
  const found = new Set<number>();
  for (const amount of await amounts.all()) {
    const read =
      /[\d.]+(?= monero)/.exec((await amount.locator('.visually-hidden').first().textContent()) ?? '')?.[0] ?? 'an amount';
    await expect(amount.locator('.num').first(), 'every digit that is read aloud is seen').toContainText(read, {
      useInnerText: true,
    });
    found.add(Math.round((await amount.locator('.decimals').boundingBox())?.x ?? 0));
  }
  return found;
}

/** As languages are laid out that run so. */
const turnTo = (page: Page, dir: 'ltr' | 'rtl'): Promise<void> =>
  page.evaluate((to) => {
    document.documentElement.dir = to;
  }, dir);

/** Presses a heading as who uses no mouse does. */
async function sortBy(page: Page, name: string, order: 'ascending' | 'descending'): Promise<void> {
  await heading(page, name).getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(heading(page, name)).toHaveAttribute('aria-sort', order);
}

test('on a wide screen the history, the address book and the coins are tables that their headings sort', async ({ page }) => {
  await createWallet(page);
  const own = await primaryAddress(page);
  await page.goto('/#/settings/contacts');
  const dialog = page.getByRole('dialog');
  for (const [name, address] of [
    ['Zoe', PAYEE],
    ['Ana', own],
  ] as const) {
    await page.getByRole('button', { name: 'New entry' }).click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Address').fill(address);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog).toBeHidden();
  }
  const people = page.getByTestId('contacts').locator('tbody tr');
  await expect(people).toContainText(['Ana', 'Zoe']);
  await sortBy(page, 'Name', 'descending');
  await expect(people).toContainText(['Zoe', 'Ana']);
  await sortBy(page, 'Address', 'ascending');
  await expect(heading(page, 'Name')).toHaveAttribute('aria-sort', 'none');
  await expect(people).toContainText(own > PAYEE ? ['Zoe', 'Ana'] : ['Ana', 'Zoe']);

  await getTestCoins(page);
  await send(page, PAYEE, '0.123456789012');
  await page.goto('/#/settings/contacts');
  await sortBy(page, 'Paid last', 'descending');
  await expect(people, 'who was paid before who never was').toContainText([/Zoe.*20\d\d/, 'Ana']);
  await goTo(page, 'Home');
  const recent = page.locator('main a[href^="#/tx/"] > .amount');
  await expect(recent).toHaveCount(2);
  expect((await points(recent)).size, 'amounts of Home, whole and point below point').toBe(1);
  await turnTo(page, 'rtl');
  expect((await points(recent)).size, 'amounts of Home, from right to left').toBe(1);
  await turnTo(page, 'ltr');
  await goTo(page, 'History');
  const lines = page.getByRole('row').filter({ has: page.getByRole('link') });
  await expect(heading(page, 'When')).toHaveAttribute('aria-sort', 'descending');
  await expect(lines).toContainText(['Sent', 'Received']);
  const paid = page.locator('tbody td.amount');
  expect((await points(paid)).size, 'amounts of History').toBe(1);
  await turnTo(page, 'rtl');
  expect((await points(paid)).size, 'amounts of History, from right to left').toBe(1);
  const [of, numbers] = await Promise.all([
    heading(page, 'Amount').boundingBox(),
    paid.first().locator('.num').first().boundingBox(),
  ]);
  expect((numbers?.x ?? 0) - (of?.x ?? 0), 'and under their heading').toBeLessThan(40);
  await turnTo(page, 'ltr');
  await sortBy(page, 'When', 'ascending');
  await expect(lines).toContainText(['Received', 'Sent']);
  await sortBy(page, 'Amount', 'descending');
  await expect(lines).toContainText(['Received', 'Sent']);
  await sortBy(page, 'Amount', 'ascending');
  await expect(lines).toContainText(['Sent', 'Received']);
  // All of a line leads to its details, and the way back to the order that was left.
  await lines.first().click();
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(heading(page, 'Amount')).toHaveAttribute('aria-sort', 'ascending');

  await page.goto('/#/settings/coins');
  await page.getByLabel('Show spent coins').check();
  const coins = page.getByTestId('coins').locator('tbody tr');
  await expect(heading(page, 'Block')).toHaveAttribute('aria-sort', 'descending');
  expect((await points(coins.locator('td.amount'))).size, 'amounts of Coins').toBe(1);
  const amounts = async (): Promise<number[]> =>
    (await coins.locator('.visually-hidden').filter({ hasText: 'monero' }).allTextContents()).map((text) =>
      Number.parseFloat(text),
    );
  await sortBy(page, 'Amount', 'descending');
  const down = await amounts();
  expect(down.length).toBeGreaterThan(1);
  expect(down).toEqual(down.toSorted((a, b) => b - a));
  await sortBy(page, 'Amount', 'ascending');
  await expect.poll(amounts).toEqual(down.toReversed());
});

test('on a wide screen an account stands beside the list of all with its addresses, and a payment is begun from it', async ({
  page,
}) => {
  await createWallet(page);
  await page.goto('/#/settings/accounts');
  const list = page.getByTestId('accounts').getByRole('link');
  const detail = page.getByTestId('account-detail');
  const addresses = page.getByRole('region', { name: 'Addresses' }).locator('tbody tr');
  await expect(detail).toContainText('Primary account');
  await page.getByRole('button', { name: 'New account' }).click();
  await page.getByLabel('What is it for?').fill('Savings');
  await page.getByRole('button', { name: 'Make the account' }).click();
  // What was made is shown, and is the chosen one of the list alone.
  await expect(detail.getByRole('heading')).toHaveText('Savings');
  await expect(list).toHaveCount(2);
  await expect(page.getByTestId('accounts').locator('[aria-current]')).toHaveText(/Savings/);
  await expect(addresses).toHaveCount(1);
  const savings = await addresses.first().locator('.mono').textContent();

  // By keyboard: to an entry of the list and from there, past the button below it, to what is beside it.
  await list.first().focus();
  await page.keyboard.press('Enter');
  await expect(detail.getByRole('heading')).toHaveText('Primary account');
  await expect(addresses.first().locator('.mono')).not.toHaveText(savings ?? '');
  await expect(list.first(), 'the focus stays in the list').toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(addresses.first().locator('.mono')).toHaveText(savings ?? '');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'New account' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(detail.getByRole('button', { name: 'Rename' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Receive' })).toBeVisible();
  await expect(page.getByLabel('Account')).toHaveValue('1');
});

test('on a wide screen all of Safety is on one page; on a narrower one it is a list of pages', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/settings/safety');
  const titles = ['Backup file', 'Recovery words', 'Password', 'PIN', 'Lock automatically', 'View key'];
  for (const name of titles) await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Show the words' }).click();
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page.getByRole('link', { name: 'Show the words' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'PIN', exact: true })).toBeVisible();
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(page.getByRole('link', { name: /^Unlocking/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'PIN', exact: true })).toHaveCount(0);
});
