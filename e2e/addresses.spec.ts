import type { Page } from '@playwright/test';
import { createWallet, expect, goTo, isLive, NOTHING_KEPT, test, unlock } from './support/wallet.ts';

// The list of addresses in Receive, as its owner orders it.

test.use(NOTHING_KEPT);

const list = (page: Page) => page.getByRole('region', { name: 'Addresses' });
const shown = async (page: Page): Promise<string[]> => {
  const names = await list(page).locator('li strong').allTextContents();
  // The one that is offered to the next payer has no name.
  return names.map((name) => name.trim()).filter((name) => name !== 'Address 1');
};

async function makeAddress(page: Page, name: string): Promise<void> {
  await list(page).getByRole('button', { name: 'New' }).click();
  await page.getByLabel('What is it for?').fill(name);
  await page.getByRole('button', { name: 'Make the address' }).click();
  await expect(page.getByRole('region', { name: 'Address', exact: true }).getByText(name)).toBeVisible();
}

test('an address is pinned to the top, another hidden and shown again by the keyboard; it stays so @wide', async ({ page }) => {
  page.setDefaultTimeout(30_000);
  await createWallet(page);
  await isLive(page);
  await goTo(page, 'Receive');
  for (const name of ['Rent', 'Old invoice', 'Shop']) await makeAddress(page, name);
  await page.getByRole('button', { name: 'Pin', exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Unpin' }), 'keeps the focus').toBeFocused();
  await expect.poll(async () => (await shown(page))[0]).toBe('Shop');
  await expect(list(page).getByRole('link', { name: /Shop/ })).toContainText('pinned');

  await list(page)
    .getByRole('link', { name: /Old invoice/ })
    .click();
  await page.getByRole('button', { name: 'Hide', exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Show again' })).toBeFocused();
  await list(page).getByRole('link', { name: /Rent/ }).click();
  const without = ['Shop', 'Primary address', 'Rent'];
  await expect.poll(() => shown(page)).toEqual(without);

  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.goto('/#/');
  await unlock(page);
  await goTo(page, 'Receive');
  await expect(list(page).getByRole('link', { name: /Shop/ })).toBeVisible();
  expect(await shown(page)).toEqual(without);
  await page.getByRole('checkbox', { name: 'Show hidden addresses (1)' }).press('Space');
  await list(page)
    .getByRole('link', { name: /Old invoice/ })
    .click();
  await page.getByRole('button', { name: 'Show again' }).click();
  await expect(page.getByRole('checkbox', { name: /hidden/ })).toHaveCount(0);
  await expect.poll(() => shown(page)).toContain('Old invoice');
});
