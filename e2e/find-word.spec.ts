import {
  createWallet,
  expect,
  goOn,
  isLive,
  NOTHING_KEPT,
  nameAndPassword,
  primaryAddress,
  showWords,
  test,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

const OTHER = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

test('the one wrong word of a seed is found by the address of its wallet, and the wallet restored @wide', async ({ page }) => {
  page.setDefaultTimeout(30_000);
  await createWallet(page);
  const words = await showWords(page);
  const address = await primaryAddress(page);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.goto('/#/restore');
  const field = page.getByLabel('The words, in order');
  await field.fill(words.with(5, words[5] === 'zoo' ? 'abandon' : 'zoo').join(' '));
  await expect(page.getByRole('heading', { name: 'Find the wrong word' })).toHaveCount(0);
  await goOn(page);
  await expect(page.getByText('The words do not fit together')).toBeVisible();
  const known = page.getByLabel('Primary address');
  const find = page.getByRole('button', { name: 'Find the word' });
  await find.click();
  await expect(page.getByText('Enter the address.')).toBeVisible();
  await known.fill(OTHER);
  await find.click();
  await expect(page.getByText('No change of one word gives the wallet of this address.')).toBeVisible();
  await known.fill(address);
  await find.click();
  await expect(page.getByText(`Word 6 should be “${words[5]}”.`)).toBeVisible();
  await page.getByRole('button', { name: 'Use it' }).click();
  await expect(field).toHaveValue(words.join(' '));
  await expect(page.getByText('These words were made in')).toBeVisible();
  await goOn(page);
  await nameAndPassword(page, 'Found again');
  await page.getByRole('button', { name: 'Restore the wallet' }).click();
  await isLive(page);
  expect(await primaryAddress(page)).toBe(address);
});
