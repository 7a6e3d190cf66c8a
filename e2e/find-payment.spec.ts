import {
  amountAt,
  coins,
  createWallet,
  createWithWords,
  expect,
  getTestCoins,
  goOn,
  goTo,
  isLive,
  NOTHING_KEPT,
  nameAndPassword,
  showLongWords,
  shownTxHash,
  showWords,
  test,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

test('a payment from before the wallet’s first block is found by its id; one that is none of its is not @wide', async ({
  page,
}) => {
  page.setDefaultTimeout(30_000);
  await createWallet(page);
  await showWords(page);
  const words = await showLongWords(page);
  await getTestCoins(page);
  await page.getByRole('link', { name: /Received/ }).click();
  await expect(page.getByText('Transaction id')).toBeVisible();
  const txHash = await shownTxHash(page);
  const block = page.locator('dl > div').filter({ has: page.getByText('Block', { exact: true }) });
  const height = Number(/[\d,]+/.exec((await block.textContent()) ?? '')?.[0].replaceAll(',', ''));

  const id = page.getByLabel('Transaction id');
  const find = async (text: string): Promise<void> => {
    await page.goto('/#/settings/scan');
    await id.fill(text);
    await page.getByRole('button', { name: 'Find it' }).click();
  };
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await createWithWords(page, 'Somebody else');
  await isLive(page);
  await find(txHash);
  await expect(page.getByText('There is nothing to search for')).toBeVisible();
  await find('ab'.repeat(32));
  await expect(page.getByText('The node did not give this transaction.')).toBeVisible();
  await find(txHash.slice(1));
  await expect(page.getByRole('alert')).toContainText('A transaction id has 64 characters');

  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.goto('/#/restore');
  // As a list is copied, with its numbers.
  const list = words.map((word, at) => `${at + 1}. ${word}`).join('\n');
  await page.getByLabel('The words, in order').fill(list);
  await goOn(page);
  await page.getByRole('radio', { name: 'By block' }).check();
  await page.getByLabel('Block height').fill(String(height + 1));
  await goOn(page);
  await nameAndPassword(page, 'Too late');
  await page.getByRole('button', { name: 'Restore the wallet' }).click();
  await isLive(page);
  expect(await amountAt(page, 'balance')).toBe(0n);
  await find(` ${txHash.toUpperCase()} `);
  await expect(page.getByText('It concerns this wallet.')).toBeVisible();
  await goTo(page, 'Home');
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(coins('10'));
  await find(txHash);
  await expect(page, 'one that is known is shown').toHaveURL(/#\/tx\//);
  await expect(page.getByText(txHash).first()).toBeVisible();
  await page.goto('/#/settings/scan');
  await id.fill(txHash);
  await page.getByRole('button', { name: 'Find it' }).evaluate((button: HTMLElement) => {
    button.click();
    window.location.hash = '#/history';
  });
  await expect(page.getByRole('link', { name: /Received/ })).toBeVisible();
  await expect(page, 'whoever has gone elsewhere meanwhile stays there').toHaveURL(/#\/history$/);
});
