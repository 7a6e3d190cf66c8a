import {
  amountAt,
  coins,
  createWithWords,
  expect,
  goTo,
  isLive,
  NOTHING_KEPT,
  otherBrowser,
  restoreWallet,
  shownTxHash,
  test,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

test('money at an address far beyond those made here is found once the wallet looks further', async ({
  page,
  context,
  baseURL,
}) => {
  page.setDefaultTimeout(30_000);
  const words = await createWithWords(page);
  await isLive(page);
  const far = await test.step('a program of the same words makes many addresses', async () => {
    await page.goto('/#/settings/console');
    await page.getByLabel('Command', { exact: true }).fill('create_address');
    await page.getByLabel('Parameters').fill('{"account_index": 0, "count": 230}');
    await page.getByRole('button', { name: 'Run' }).click();
    const made = JSON.parse((await page.getByTestId('result').textContent()) ?? '') as { addresses: string[] };
    return made.addresses.at(-1) ?? '';
  });
  expect((await page.request.post(`${baseURL}/faucet`, { data: { address: far } })).ok()).toBe(true);
  await goTo(page, 'Home');
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(coins('10'));
  await expect(page.getByRole('link', { name: /Received.*of 10 confirmations/ })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: /Received/ }).click();
  await expect(page.getByText('Transaction id')).toBeVisible();
  const txHash = await shownTxHash(page);

  const shop = await otherBrowser(context);
  await restoreWallet(shop, words, 'Shop');
  await isLive(shop);
  expect(await amountAt(shop, 'balance'), 'it lies beyond').toBe(0n);
  await shop.goto('/#/settings/scan');
  const ahead = shop.getByLabel('Addresses ahead, in each account');
  const widen = async (count: string): Promise<void> => {
    await ahead.fill(count);
    await shop.getByRole('button', { name: 'Look further' }).click();
  };
  await expect(ahead).toHaveValue('200');
  await widen('20');
  await expect(shop.getByText('Enter a whole number, 200 or more.')).toBeVisible();
  await widen('100000000');
  await expect(shop.getByText('At most 2,000,000 addresses can be looked for in all.')).toBeVisible();
  await widen('300');
  await expect(shop.getByText('From now on it looks further.')).toBeVisible();
  await expect(ahead).toHaveValue('300');
  await shop.getByLabel('Transaction id').fill(txHash);
  await shop.getByRole('button', { name: 'Find it' }).click();
  await expect(shop.getByText('It concerns this wallet.')).toBeVisible();
  await goTo(shop, 'Home');
  await expect.poll(() => amountAt(shop, 'balance'), { timeout: 60_000 }).toBe(coins('10'));
  await shop.context().close();
});
