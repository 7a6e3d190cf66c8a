import { type Proxy, startProxy } from './support/proxy.ts';
import { amountAt, createWallet, expect, getTestCoins, isLive, test, unlock } from './support/wallet.ts';

test('without a connection the page opens, says so, and shows what the wallet knew', async ({ page, context }) => {
  await createWallet(page);
  const had = await getTestCoins(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await context.setOffline(true);
  await page.goto('/');
  await expect(page.getByText('You are offline')).toBeVisible();
  await unlock(page);
  await expect(page.getByText('This is what the wallet last knew')).toBeVisible();
  expect(await amountAt(page, 'balance')).toBe(had);
  await expect(page.locator('main .sync .title')).toHaveText('Daemon out of reach');
  await page.goto('/#/receive');
  await expect(page.getByTestId('address')).toBeVisible();
  await page.goto('/#/settings/about');
  await expect(page.getByText('Proof of work is not checked')).toBeVisible();

  await context.setOffline(false);
  await page.goto('/#/');
  await isLive(page);
});

test.describe('a new version', () => {
  let proxy: Proxy;

  test.beforeAll(async () => {
    proxy = await startProxy(process.env.NIGHTJAR_URL ?? '');
  });
  test.afterAll(() => proxy.close());
  test.use({ baseURL: async ({ browserName: _ }, use) => use(proxy.url) });

  test('T13 waits until the person accepts it, and is named', async ({ page }) => {
    await createWallet(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await unlock(page);
    await expect(page.getByTestId('balance')).toBeVisible();
    // The server has another build now: its service worker differs.
    proxy.append('/service-worker.js', '\n// another build');
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await expect(page.getByText('A new version is ready')).toBeVisible();
    await expect(page.getByText(/Version \d+\.\d+\.\d+/).first()).toBeVisible();
    await expect(page.getByTestId('balance'), 'the open wallet is left alone').toBeVisible();
    await page.getByRole('button', { name: 'Later' }).click();
    await expect(page.getByTestId('balance')).toBeVisible();
    await page.reload();
    await page.getByRole('button', { name: 'Start it now' }).click();
    await expect(page.getByText('A new version is ready')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible();
  });
});
