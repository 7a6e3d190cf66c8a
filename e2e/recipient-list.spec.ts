import {
  allUnlocked,
  amountAt,
  coins,
  createWallet,
  expect,
  fillPayment,
  getTestCoins,
  goTo,
  NOTHING_KEPT,
  otherBrowser,
  primaryAddress,
  sendNow,
  test,
  toReview,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

const OTHER = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

test('a list of recipients is filled in whole or not at all, and each is paid @wide', async ({ page, context }) => {
  page.setDefaultTimeout(30_000);
  await createWallet(page);
  const had = await getTestCoins(page);
  const shop = await otherBrowser(context);
  await createWallet(shop, 'Shop');
  const theirs = await primaryAddress(shop);
  await page.goto('/#/settings/contacts');
  await page.getByRole('button', { name: 'New entry' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('Address', { exact: true }).fill(theirs);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await goTo(page, 'Send');
  await page.getByRole('button', { name: 'Add a recipient' }).click();
  const recipient = (number: number) => page.getByRole('group', { name: `Recipient ${number}` });
  await recipient(2).getByLabel('Address', { exact: true }).fill(OTHER);
  await recipient(2).getByLabel('Amount', { exact: true }).fill('0.1');
  await page.getByRole('button', { name: 'Paste a list' }).click();
  const dialog = page.getByRole('dialog', { name: 'A list of recipients' });
  const field = dialog.getByLabel('One recipient a line');
  await expect(field).toBeFocused();
  await field.fill(`address,amount\n${theirs.slice(0, -1)}1, 0.2\n\nEve, 1\nada; 0,3\n0.4`);
  await dialog.getByRole('button', { name: 'Fill in' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Line 2: A character of this address is wrong or missing. Copy it again from the original.\n' +
      'Line 4: “Eve” is no address and no name in your address book.\n' +
      'Line 6: Expected an address or a name, and then an amount.',
    { useInnerText: true },
  );
  await expect(field).toBeFocused();
  await expect(recipient(3), 'nothing was filled in').toHaveCount(0);
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'payroll.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`"Name";"Amount"\r\n"${theirs}";"0,2"\r\n"ada";"0,3"\r\n`),
  });
  await expect(field).toHaveValue(/"ada";"0,3"/);
  await dialog.getByRole('button', { name: 'Fill in' }).click();
  await expect(dialog).toHaveCount(0);

  await expect(recipient(1).getByLabel('Address', { exact: true }), 'what was typed stays').toHaveValue(OTHER);
  await expect(recipient(2).getByLabel('Address', { exact: true })).toHaveValue(theirs);
  await expect(recipient(3).getByText('In your address book: Ada Recipient 2 has the same address.')).toBeVisible();
  await expect(page.getByText('has the same address'), 'said once').toHaveCount(1);
  await expect(recipient(3).getByLabel('Amount', { exact: true })).toHaveValue('0.3');
  await toReview(page);
  const fee = await amountAt(page, 'fee');
  expect(await amountAt(page, 'total')).toBe(coins('0.6') + fee);
  await sendNow(page);
  await goTo(page, 'Home');
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(had - coins('0.6') - fee);
  await goTo(shop, 'Home');
  await expect.poll(() => amountAt(shop, 'balance'), { timeout: 60_000 }).toBe(coins('0.5'));

  await test.step('more than one payment reaches are refused', async () => {
    await goTo(page, 'Send');
    await page.getByRole('button', { name: 'Paste a list' }).click();
    for (const list of [`${theirs} 0.01\n`.repeat(16), `x${', '.repeat(100_000)}1`]) {
      await field.fill(list);
      await dialog.getByRole('button', { name: 'Fill in' }).click();
      await expect(dialog.getByRole('alert')).toHaveText('One payment reaches at most 15 recipients. Split it.');
    }
  });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await test.step('a payment to oneself is called that before it goes', async () => {
    await goTo(page, 'Home');
    await allUnlocked(page);
    await fillPayment(page, await primaryAddress(page), '0.01');
    await toReview(page);
    await expect(page.getByTestId('own')).toHaveText(
      'This is your own address “Primary address”, in the account “Primary account”.',
    );
  });
  await shop.context().close();
});
