import { keepAnswers, keepBack, letGo } from './support/late.ts';
import {
  allUnlocked,
  amountAt,
  coins,
  createWallet,
  expect,
  getTestCoins,
  goTo,
  NOTHING_KEPT,
  otherBrowser,
  primaryAddress,
  send,
  sendNow,
  test,
  toReview,
  unlock,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

const OTHER = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

test('T11 coins are frozen and selected; a selection that links addresses is reported before it is sent @wide', async ({
  page,
  context,
}) => {
  page.setDefaultTimeout(30_000);
  await page.addInitScript(keepBack);
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
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: /Gift from Ada/ })).toBeVisible();
  const gift = (await page.getByTestId('address').getAttribute('data-address')) ?? '';
  await send(shop, gift, '0.75');
  await getTestCoins(page);
  await goTo(page, 'Home');
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(coins('10.75'));
  await allUnlocked(page);

  await page.getByRole('link', { name: 'Coins' }).click();
  const rows = page.getByTestId('coins').locator('li, tbody tr');
  const ofGift = rows.filter({ hasText: 'Gift from Ada' });
  const other = rows.filter({ hasText: 'Primary account' });
  await expect(rows).toHaveCount(2);
  await expect(ofGift).toContainText('0.75');
  await expect(ofGift).toContainText('can be spent');

  await test.step('all that is known of a coin', async () => {
    await ofGift.getByRole('button', { name: '0.75' }).click();
    const dialog = page.getByRole('dialog', { name: 'One coin' });
    await expect(dialog).toContainText('Gift from Ada');
    await expect(dialog.locator(`[data-address="${gift}"]`)).toBeVisible();
    const known = (name: string) =>
      dialog
        .locator('dl > div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('.mono')
        .textContent();
    const [image, key] = await Promise.all([known('Key image'), known('Its key on the chain')]);
    expect(new Set([image, key].filter((digits) => /^[0-9a-f]{64}$/.test(digits ?? ''))).size).toBe(2);
    await dialog.getByLabel('Name of the coin').fill('Birthday');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
    await expect(ofGift, 'its name in the list').toContainText('Birthday');
    await dialog.getByRole('link', { name: 'The payment it came with' }).click();
    await expect(page.locator('dl')).toContainText('Gift from Ada');
    await page.goBack();
  });

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
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.reload();
  await unlock(page);
  await page.getByRole('link', { name: 'A payment you have begun waits in Send.' }).click();
  await expect(page.getByText('Chosen coins, whole: 1')).toBeVisible();
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(theirs);
  await test.step('a coin that was frozen meanwhile is reported and does not count', async () => {
    const gone = page.getByText('Not all of the chosen coins can be spent now');
    await expect(gone).toHaveCount(0);
    await page.goto('/#/settings/coins');
    await expect(ofGift, 'a name outlasts the page').toContainText('Birthday');
    await ofGift.getByRole('button', { name: 'Set aside' }).click();
    await goTo(page, 'Send');
    await expect(gone).toBeVisible();
    expect(await amountAt(page, 'available')).toBe(0n);
    await page.getByRole('button', { name: 'Review' }).click();
    await expect(page.getByRole('alert').filter({ has: gone })).toBeVisible();
    await expect(page.getByText('Nothing can be spent right now')).toHaveCount(0);
    await page.goto('/#/settings/coins');
    // The coin is taken back once the form is there.
    await keepAnswers(page, 'setFrozen');
    await ofGift.getByRole('button', { name: 'Use again' }).click();
    await goTo(page, 'Send');
    await expect(gone).toBeVisible();
    await letGo(page);
    await expect(page.getByTestId('available')).toContainText('0.75');
    await expect(gone).toHaveCount(0);
  });
  await toReview(page);
  expect(await amountAt(page, 'total')).toBe(coins('0.75'));
  await sendNow(page);
  await goTo(page, 'Home');
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(coins('10'));
  await page.goto('/#/settings/coins');
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Show spent coins').check();
  await expect(ofGift).toContainText('spent');
  await shop.context().close();
});

test('coins are split, with cost and lock time shown first; change comes back in as many coins as the setting asks for', async ({
  page,
}) => {
  await createWallet(page);
  await getTestCoins(page);
  await page.goto('/#/settings/coins');
  await page.getByLabel('Coins to make').selectOption('3');
  await expect(page.getByText('All coins that can be spent: 1, worth 10 XMR')).toBeVisible();
  await page.getByRole('button', { name: 'See what it costs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Split into several coins' })).toBeVisible();
  await expect(page.getByTestId('split')).toContainText('3 coins of about 3.3');
  await expect(page.getByTestId('split')).toContainText('this transaction has 3 outputs');
  await expect(page.getByTestId('fees')).toContainText(/about 0\.\d+ XMR/);
  await toReview(page, 'Check the splitting');
  await expect(page.getByTestId('words')).toContainText('about 20 minutes. Until then all of it is locked.');
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('heading', { name: 'Sent to yourself' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Until then all of it is locked.')).toBeVisible();
  await page.goto('/#/settings/coins');
  const rows = page.getByTestId('coins').locator('li, tbody tr');
  await expect(rows.filter({ hasText: 'can be spent' })).toHaveCount(3, { timeout: 60_000 });
  await expect(rows.filter({ hasText: '3.33' })).toHaveCount(3);

  await page.getByLabel('Coins to have after a payment').selectOption('4');
  await page.goto('/#/send');
  await expect(page.getByLabel('Address', { exact: true }), 'the splitting is over').toHaveValue('');
  await page.getByLabel('Address', { exact: true }).fill(OTHER);
  await page.getByLabel('Amount', { exact: true }).fill('0.5');
  await toReview(page);
  await expect(page.getByTestId('words'), 'two are left, two are lacking').toContainText('comes back as change in 2 coins');
});

test('many coins are searched by the names they were given, and by amount', async ({ page }) => {
  await createWallet(page);
  await getTestCoins(page);
  await page.goto('/#/settings/coins');
  await page.getByLabel('Coins to make').selectOption('8');
  const search = page.getByRole('searchbox', { name: 'Search coins' });
  await expect(search, 'one is found by eye').toHaveCount(0);
  await page.getByRole('button', { name: 'See what it costs' }).click();
  await toReview(page, 'Check the splitting');
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('heading', { name: 'Sent to yourself' })).toBeVisible({ timeout: 60_000 });
  await page.goto('/#/settings/coins');
  const rows = page.getByTestId('coins').locator('li');
  await expect(rows).toHaveCount(8, { timeout: 60_000 });
  await rows.first().getByRole('button', { name: '1.2' }).click();
  const dialog = page.getByRole('dialog', { name: 'One coin' });
  await dialog.getByLabel('Name of the coin').fill('Birthday');
  await page.keyboard.press('Enter');
  await expect(rows.first()).toContainText('Birthday');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await search.fill('birth');
  await expect(rows).toHaveCount(1);
  await search.fill('1,2');
  await expect(rows).toHaveCount(8);
  await search.fill('rent');
  await expect(page.getByText('Nothing matches.')).toBeVisible();
  await expect(rows).toHaveCount(0);
});
