import type { Page } from '@playwright/test';
import { createWallet, expect, PASSWORD, test } from './support/wallet.ts';

/** How many workers that hash a password the wallet's worker has started so far. */
async function hashWorkers(page: Page): Promise<number> {
  const wallet = page.workers().find((worker) => worker.url().includes('wallet.worker'));
  const started = await wallet?.evaluate(() =>
    performance.getEntriesByType('resource').filter(({ name }) => name.includes('password.worker')),
  );
  return started?.length ?? 0;
}

test('the hash of a password begins when the person stops typing; only the right one opens the wallet', async ({ page }) => {
  await createWallet(page);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.reload();
  const field = page.getByLabel('Password', { exact: true });
  await expect(async () => {
    // The first pause takes the worker that was prepared; each further one starts another.
    for (const typed of ['correct', 'correct horse']) await field.fill(typed);
    expect(await hashWorkers(page)).toBeGreaterThan(1);
  }).toPass({ timeout: 20_000 });
  await field.press('Enter');
  await expect(page.getByText('That is not the password of this wallet')).toBeVisible();
  await field.fill(PASSWORD);
  await field.press('Enter');
  await expect(page.getByTestId('balance')).toBeVisible();
});
