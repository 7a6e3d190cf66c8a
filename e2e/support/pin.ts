import type { Page } from '@playwright/test';
import { expect, PASSWORD } from './wallet.ts';

export const PIN = '480215';

/** Has a PIN open the wallet that is open, through Settings. */
export async function setPin(page: Page): Promise<void> {
  await page.goto('/#/settings/safety/unlock');
  await page.getByRole('button', { name: 'Set a PIN' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByLabel('New PIN', { exact: true }).fill(PIN);
  await dialog.getByLabel('New PIN, again').fill(PIN);
  await dialog.getByRole('button', { name: 'Set a PIN' }).click();
  await expect(page.getByText('The PIN opens this wallet now.')).toBeVisible();
}
