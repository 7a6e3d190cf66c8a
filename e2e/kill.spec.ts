import type { Page } from '@playwright/test';
import {
  amountAt,
  coins,
  createWallet,
  createWithWords,
  enterWords,
  expect,
  fillPayment,
  getTestCoins,
  isLive,
  otherBrowser,
  PASSWORD,
  primaryAddress,
  test,
  unlock,
} from './support/wallet.ts';

// T16: the renderer is killed at random instants (as a crash or a power cut would), the wallet is opened again, and what the
// page had shown as done is still there. ROUNDS=n for the long form.

const ROUNDS = Number(process.env.ROUNDS ?? 4);

/** Kills the renderer process, including its workers. */
async function kill(page: Page): Promise<Page> {
  const context = page.context();
  const crashed = new Promise((resolve) => page.once('crash', resolve));
  const client = await context.newCDPSession(page);
  client.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
  const next = await context.newPage();
  await next.goto('/');
  return next;
}

/** A random instant, so that kills fall into every phase; the seed is printed, so that a failure can be reproduced. */
function instants(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const after = (page: Page, ms: number): Promise<void> => page.waitForTimeout(ms);

test('T16 killed while sending: acknowledged payments and notes are never missing', async ({ page: first, context, faults }) => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const next = instants(seed);
  let page = first;
  await createWallet(page, 'Killed');
  await getTestCoins(page);
  await getTestCoins(page);
  const payee = await otherBrowser(context);
  await createWallet(payee, 'Payee');
  const address = await primaryAddress(payee);

  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await fillPayment(page, address, `0.10${round + 1}`);
    await page.getByRole('button', { name: 'Review' }).click();
    const reviewed = page.getByRole('button', { name: 'Send now' });
    const busy = page.getByText(/can be spent now|Nothing can be spent/);
    await expect(reviewed.or(busy)).toBeVisible({ timeout: 60_000 });
    if (await reviewed.isVisible()) {
      await reviewed.click();
      const sent = page.getByRole('heading', { name: 'Sent' });
      await Promise.race([sent.waitFor(), after(page, next() * 1_500)]);
      if (await sent.isVisible()) {
        const href = await page.getByRole('link', { name: 'Details' }).getAttribute('href');
        if (href) acknowledged.push(href.replace('#/tx/', ''));
      }
    }
    page = await kill(page);
    await unlock(page);
    await expect(page.getByTestId('balance')).toBeVisible();
    for (const txHash of acknowledged) {
      await page.goto(`/#/tx/${txHash}`);
      await expect(page.locator('dd', { hasText: txHash }).first(), `payment ${txHash}`).toBeVisible();
      await expect(page.locator(`[data-address="${address}"]`)).toBeVisible();
    }
    await page.goto('/#/');
    await isLive(page);
    await expect(page.getByTestId('locked')).toHaveCount(0, { timeout: 60_000 });
  }

  // What left and what arrived agree: nothing was paid twice, nothing vanished.
  const paid = coins('20') - (await amountAt(page, 'balance'));
  await payee.goto('/#/');
  const arrived = await amountAt(payee, 'balance');
  expect(paid).toBeGreaterThanOrEqual(arrived);
  expect(paid - arrived, 'fees of at most the payments made').toBeLessThan(coins('0.5') * BigInt(ROUNDS));
  // The crash of the killed page is expected.
  faults.length = 0;
  await payee.context().close();
});

test('T16 killed while syncing: it goes on where it was, and finds everything', async ({ page: first, context, faults }) => {
  const next = instants(Number(process.env.SEED ?? Date.now() % 1_000_000));
  const words = await createWithWords(first, 'Whole');
  const had = await getTestCoins(first);
  const fresh = await otherBrowser(context);
  await fresh.goto('/#/restore');
  await enterWords(fresh, words);
  await fresh.getByLabel('Name of the wallet').fill('Again');
  await fresh.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await fresh.getByLabel('New password, again').fill(PASSWORD);
  await fresh.getByRole('button', { name: 'Restore the wallet' }).click();
  await expect(fresh.getByTestId('balance')).toBeVisible();
  let page = fresh;
  for (let round = 0; round < ROUNDS; round += 1) {
    await after(page, next() * 600);
    page = await kill(page);
    await unlock(page);
    await expect(page.getByTestId('balance')).toBeVisible();
  }
  await isLive(page);
  expect(await amountAt(page, 'balance')).toBe(had);
  faults.length = 0;
  await page.context().close();
});
