import type { Locator, Page } from '@playwright/test';
import { type Device, pictureOf, startDevice, startTap, type Tap } from './screens.ts';
import { amountAt, coins, expect, goOn, nameAndPassword, PASSWORD, primaryAddress, toReview } from './wallet.ts';

/** Signing by codes as two people do it, a device in each hand. */

/** Somebody on the chain of the tests. */
export const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

/** Two devices, of which one asks nobody once its tap is cut. */
export interface Pair {
  readonly hot: Device;
  readonly cold: Device;
  readonly tap: Tap;
}

/** @param url where the page is, for both */
export async function usePair(url: string, use: (pair: Pair) => Promise<void>): Promise<void> {
  const tap = await startTap(url);
  const [hot, cold] = await Promise.all([startDevice({ url }), startDevice({ url, proxy: tap.url })]);
  await use({ hot, cold, tap });
  await Promise.all([hot.close(), cold.close(), tap.close()]);
}

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
  await goOn(hot.page);
  await nameAndPassword(hot.page, 'Watching');
  await hot.page.getByRole('button', { name: 'Watch this address' }).click();
  await expect(hot.page.getByTestId('balance')).toBeVisible();
}

/** A payment planned and reviewed by the half that watches, and shown. */
export async function prepareUnsigned(page: Page, amount: string): Promise<void> {
  await page.getByRole('link', { name: 'Make a payment' }).click();
  await page.getByLabel('Address', { exact: true }).fill(PAYEE);
  await page.getByLabel('Amount', { exact: true }).fill(amount);
  await toReview(page, 'Check before you save it');
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

/** Fewer and larger codes: the films are shorter. */
export async function makeLarge(page: Page): Promise<void> {
  await page.getByText('The other device does not read it?').click();
  await page.getByRole('slider', { name: /bytes a code/ }).focus();
  for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowRight');
  await expect(page.getByText('350 bytes a code')).toBeVisible();
  await page.getByText('The other device does not read it?').click();
}

/** A wallet on the offline device, watched on the other one. From its making on, nothing that the offline device asks is answered. */
export async function startHalves({ hot, cold, tap }: Pair): Promise<string> {
  await makeOfflineWallet(cold.page, 'Cold', () => tap.cut());
  for (const absent of ['Send', 'History'])
    await expect(cold.page.getByRole('link', { name: absent, exact: true })).toHaveCount(0);
  await pairWith(hot, cold);
  const address = await primaryAddress(hot.page);
  expect(address).toBe(await primaryAddress(cold.page));
  await cold.page.goto('/#/');
  await hot.page.goto('/#/');
  return address;
}

/** Outputs one way, key images the other. @param count of each */
export async function exchangeImages({ hot, cold }: Pair, count: number): Promise<void> {
  await expect(hot.page.getByTestId('balance-label')).toHaveText('Balance, at most');
  await hot.page.goto('/#/codes');
  await hot.page.getByRole('button', { name: 'Show outputs' }).click();
  await makeLarge(hot.page);
  await scanCodes(hot, cold, 'Scan codes');
  await expect(cold.page.getByText(`Outputs known: ${count}`)).toBeVisible();
  await makeLarge(cold.page);
  await scanCodes(cold, hot, 'Scan the key images');
  await expect(hot.page.getByText(`Key images taken: ${count}`)).toBeVisible();
}

/** Planned and reviewed by the one, reviewed and signed by the other, reviewed and sent: what each shows is what was meant. */
export async function payByCodes({ hot, cold }: Pair, amount: string): Promise<{ readonly fee: bigint }> {
  await prepareUnsigned(hot.page, amount);
  await scanCodes(hot, cold, 'Scan codes');
  await expect(cold.page.getByRole('heading', { name: 'Check before you sign' })).toBeVisible();
  await expect(cold.page.locator(`[data-address="${PAYEE}"]`)).toBeVisible();
  expect(await amountAt(cold.page, 'amount')).toBe(coins(amount));
  const fee = await amountAt(cold.page, 'fee');
  await cold.page.getByRole('button', { name: 'Sign and show codes' }).click();
  await expect(cold.page.getByRole('heading', { name: 'Signed payment' })).toBeVisible();
  await scanCodes(cold, hot, 'Scan the signed payment');
  await expect(hot.page.getByRole('heading', { name: 'Check before it goes' })).toBeVisible();
  expect([await amountAt(hot.page, 'amount'), await amountAt(hot.page, 'fee')]).toEqual([coins(amount), fee]);
  await hot.page.getByRole('button', { name: 'Send now' }).click();
  await expect(hot.page.getByText('The node accepted it')).toBeVisible();
  return { fee };
}
