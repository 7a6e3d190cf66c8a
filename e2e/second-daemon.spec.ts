import { type ServedDevnet, serveDevnet } from '../src/devnet/index.ts';
import { createWallet, expect, getTestCoins, goTo, isLive, NOTHING_KEPT, test } from './support/wallet.ts';

test.use(NOTHING_KEPT);

let stranger: ServedDevnet;

test.beforeAll(async ({ baseURL }) => {
  stranger = await serveDevnet({ history: { blocks: 2500, transactions: 0 }, origins: [baseURL ?? ''] });
});

test.afterAll(() => stranger?.stop());

test('T5 a second daemon with another chain is a plain warning, in settings and beside what was received', async ({
  page,
  baseURL,
}) => {
  page.setDefaultTimeout(30_000);
  await createWallet(page);
  await isLive(page);
  await getTestCoins(page);
  await page.getByRole('link', { name: /Received/ }).click();
  await expect(page.getByText('Confirmations')).toBeVisible();
  await expect(page.getByTestId('second-daemon'), 'no word of none beside a payment that is deep enough').toHaveCount(0);
  await page.goto('/#/settings/daemon');

  const address = page.getByLabel('Address of the second node');
  await address.fill('no address');
  await page.getByRole('button', { name: 'Compare with this node' }).click();
  await expect(page.getByText('Enter an address that begins with http:// or https://.')).toBeVisible();

  // The gateway itself, by its whole address: the same chain.
  await address.fill(`${baseURL}/daemon`);
  await page.getByRole('button', { name: 'Compare with this node' }).click();
  await expect(page.getByText(/^Both nodes have the same blocks, up to block [\d,]+\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Compare now' }).click();
  await goTo(page, 'Home');
  await page.getByRole('link', { name: /Received/ }).click();
  await expect(page.getByTestId('second-daemon')).toHaveText('has the same block');

  await page.goto('/#/settings/daemon');
  await address.fill(stranger.url);
  await page.getByRole('button', { name: 'Compare with this node' }).click();
  await expect(page.getByText(/The two nodes show different chains/)).toBeVisible();
  await goTo(page, 'Home');
  await expect(page.getByText(/The two nodes show different chains/)).toBeVisible();
  await page.getByRole('link', { name: /Received/ }).click();
  await expect(page.getByTestId('second-daemon')).toHaveText('shows another chain');
  await expect(page.getByText('A second node does not have the block of this payment.')).toBeVisible();

  await page.goto('/#/settings/daemon');
  await page.getByRole('button', { name: 'Stop comparing' }).click();
  await expect(page.getByText(/The two nodes show different chains/)).toHaveCount(0);
});
