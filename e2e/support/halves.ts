import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, fromTheStart, nameAndPassword } from './wallet.ts';

/** Two halves of a wallet, and the files that a person carries from one to the other. */

export async function watchWallet(page: Page, address: string, viewKey: string): Promise<void> {
  await page.goto('/#/watch');
  await page.getByLabel('Primary address').fill(address);
  await page.getByLabel('Secret view key').fill(viewKey);
  await fromTheStart(page);
  await nameAndPassword(page, 'Watched');
  await page.getByRole('button', { name: 'Watch this address' }).click();
  await expect(page.getByTestId('balance')).toBeVisible();
}

export async function offlinePage(page: Page): Promise<void> {
  await page.goto('/#/settings/offline');
  await expect(page.getByRole('heading', { level: 1, name: 'Offline signing' })).toBeVisible();
}

/** Presses a button that saves a file. Returns its name and bytes. */
export async function saved(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Presses a button that asks for a file, and gives it one. */
export async function load(page: Page, button: string, bytes: Buffer | string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await choosing).setFiles({ name: 'file', mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) });
}
