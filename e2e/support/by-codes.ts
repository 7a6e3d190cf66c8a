import type { Locator, Page } from '@playwright/test';
import { type Device, pictureOf } from './screens.ts';
import { expect, nameAndPassword, PASSWORD } from './wallet.ts';

/** Signing by codes as two people do it, a device in each hand. */

/** Somebody on the chain of the tests. */
export const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

/** The code that changes. */
export const code = (page: Page): Locator => page.getByTestId('code');

/** Makes of a browser an offline device with a wallet. @param cut called when all of the page is there, and nothing is asked any more */
export async function makeOfflineWallet(page: Page, name: string, cut = (): void => undefined): Promise<void> {
  await page.goto('/#/device');
  await expect(page.getByText('All of the page is kept on this device')).toBeVisible();
  await page.getByRole('button', { name: 'Make this an offline device' }).click();
  await expect(page.getByText('No node is asked, ever')).toBeVisible();
  cut();
  await page.getByRole('link', { name: 'Create a wallet' }).click();
  await nameAndPassword(page, name);
  await page.getByRole('button', { name: 'Create the wallet' }).click();
  await expect(page.getByRole('heading', { name: 'Sign with this device' })).toBeVisible();
}

/** Address, view key and height pass in one scan: the one watches what the other signs for. */
export async function pairWith(hot: Device, cold: Device): Promise<void> {
  await cold.page.getByRole('button', { name: 'Show pairing code' }).click();
  await cold.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await cold.page.getByRole('button', { name: 'Show the code' }).click();
  await hot.look(cold.page.getByTestId('pairing').locator('svg'));
  await hot.page.goto('/#/watch');
  await hot.page.getByRole('button', { name: 'Scan a pairing code' }).click();
  await expect(hot.page.getByText('Read: address, view key and height')).toBeVisible();
  await cold.page.getByRole('button', { name: 'Close' }).first().click();
  await nameAndPassword(hot.page, 'Watching');
  await hot.page.getByRole('button', { name: 'Watch this address' }).click();
  await expect(hot.page.getByTestId('balance')).toBeVisible();
}

/** A payment planned and reviewed by the half that watches, and shown. */
export async function prepareUnsigned(page: Page, amount: string): Promise<void> {
  await page.getByRole('link', { name: 'Make a payment' }).click();
  await page.getByLabel('Address', { exact: true }).fill(PAYEE);
  await page.getByLabel('Amount', { exact: true }).fill(amount);
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { name: 'Check before you save it' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Show as codes' }).click();
  await expect(page.getByRole('heading', { name: 'Unsigned payment' })).toBeVisible();
}

/** One device shows what it has, and the other one reads it. */
export async function scanCodes(from: Device, to: Device, button: string): Promise<void> {
  await to.look(code(from.page));
  await to.page.getByRole('button', { name: button }).click();
}

/** A film that breaks off: some of the parts are in it. */
export async function filmSome(from: Device, to: Device): Promise<void> {
  const pictures: Buffer[] = [];
  await code(from.page).scrollIntoViewIfNeeded();
  while (pictures.length < 8) pictures.push(await pictureOf(code(from.page)));
  to.see(pictures);
}
