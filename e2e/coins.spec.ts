import {
  allUnlocked,
  amountAt,
  coins,
  createWallet,
  expect,
  getTestCoins,
  goTo,
  otherBrowser,
  primaryAddress,
  send,
  test,
} from './support/wallet.ts';

test('T11 coins are set aside and chosen; a choice that links addresses is said before it is sent', async ({ page, context }) => {
  test.setTimeout(180_000);
  page.setDefaultTimeout(30_000);
  await createWallet(page);
  const shop = await otherBrowser(context);
  await createWallet(shop, 'Shop');
  const theirs = await primaryAddress(shop);
  await getTestCoins(shop);
  await page.goto('/#/receive');
  await page.getByRole('button', { name: 'New' }).click();
  await page.getByLabel('What is it for?').fill('Gift');
  await page.getByRole('button', { name: 'Make the address' }).click();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('What is it for?').fill('Gift from Ada');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: /Gift from Ada/ })).toBeVisible();
  const gift = (await page.getByTestId('address').getAttribute('data-address')) ?? '';
  await send(shop, gift, '0.75');
  await getTestCoins(page);
  await goTo(page, 'Home');
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(coins('10.75'));
  await allUnlocked(page);

  await page.getByRole('link', { name: 'Coins' }).click();
  const rows = page.getByTestId('coins').getByRole('listitem');
  const ofGift = rows.filter({ hasText: 'Gift from Ada' });
  const other = rows.filter({ hasText: 'Primary account' });
  await expect(rows).toHaveCount(2);
  await expect(ofGift).toContainText('0.75');
  await expect(ofGift).toContainText('can be spent');

  await ofGift.getByRole('button', { name: 'Set aside' }).click();
  await expect(ofGift).toContainText('set aside');
  await expect(ofGift.getByRole('checkbox')).toBeDisabled();
  await ofGift.getByRole('button', { name: 'Use again' }).click();
  await expect(ofGift).toContainText('can be spent');

  await other.getByRole('checkbox').check();
  await expect(page.getByText(/different addresses of yours/)).toHaveCount(0);
  await ofGift.getByRole('checkbox').check();
  await expect(page.getByText('These coins came to 2 different addresses of yours.')).toBeVisible();
  expect(await amountAt(page, 'chosen')).toBe(coins('10.75'));
  await other.getByRole('checkbox').uncheck();
  await expect(page.getByText(/different addresses of yours/)).toHaveCount(0);
  expect(await amountAt(page, 'chosen')).toBe(coins('0.75'));

  await page.getByRole('button', { name: 'Send these coins' }).click();
  await page.getByLabel('Address', { exact: true }).fill(theirs);
  await expect(page.getByText('Chosen coins, whole: 1')).toBeVisible();
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { name: 'Check before it goes' })).toBeVisible({ timeout: 60_000 });
  expect(await amountAt(page, 'total')).toBe(coins('0.75'));
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible({ timeout: 60_000 });
  await goTo(page, 'Home');
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(coins('10'));
  await page.goto('/#/settings/coins');
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Show spent coins').check();
  await expect(ofGift).toContainText('spent');
  await shop.context().close();
});
