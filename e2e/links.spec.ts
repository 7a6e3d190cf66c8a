import { createWallet, expect, getTestCoins, NOTHING_KEPT, PASSWORD, test, unlock } from './support/wallet.ts';

test.use(NOTHING_KEPT);

const ONE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
const TWO = '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';

test('a payment link waits until the wallet is unlocked, fills the form with all its recipients, and sends nothing; amounts hide at a tap @wide', async ({
  page,
}) => {
  await createWallet(page);
  await getTestCoins(page);
  await page.getByRole('button', { name: 'Hide amounts' }).click();
  await expect(page.getByTestId('balance')).toHaveText(/hidden/);
  await expect(page.getByTestId('balance')).not.toContainText('10');
  await page.getByRole('button', { name: 'Hide amounts' }).click();
  await expect(page.getByTestId('balance')).toContainText('10');

  await page.goto('about:blank');
  const request = `web+monero:${ONE};${TWO}?tx_amount=0.25;1.5&tx_description=rent`;
  await page.goto(`/#/pay?uri=${encodeURIComponent(request)}`);
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  expect(page.url(), 'the address bar forgets it').not.toContain(ONE);
  const waiting = page.getByText('A payment request is waiting.');
  await expect(waiting).toBeVisible();
  await unlock(page, PASSWORD);
  await expect(page.getByRole('heading', { level: 1, name: 'Send' })).toBeVisible();
  const addresses = page.getByLabel('Address', { exact: true });
  await expect(addresses).toHaveCount(2);
  await expect(addresses.nth(0)).toHaveValue(ONE);
  await expect(addresses.nth(1)).toHaveValue(TWO);
  await expect(page.getByLabel('Amount', { exact: true }).nth(0)).toHaveValue('0.25');
  await expect(page.getByLabel('Amount', { exact: true }).nth(1)).toHaveValue('1.5');
  await expect(page.getByRole('button', { name: 'Review' })).toBeVisible();
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await expect(waiting, 'it was seen').toHaveCount(0);

  await page.goto(`/?text=${encodeURIComponent(`Please pay ${ONE}`)}`);
  await unlock(page, PASSWORD);
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(ONE);
});

test('a copied request to several, in the other proposed form, is pasted with a tap; a browser that refuses says what to do @wide', async ({
  page,
  context,
  baseURL,
}) => {
  await createWallet(page);
  const origin = new URL(baseURL ?? '').origin;
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await page.goto('/#/send');
  const request = `monero:?address=${ONE}&tx_amount=0.25&address=${TWO}&tx_amount=1.5`;
  await page.evaluate((text) => navigator.clipboard.writeText(` ${text}\n`), request);
  await page.getByRole('button', { name: 'Paste', exact: true }).click();
  await expect(page.getByLabel('Address', { exact: true })).toHaveCount(2);
  await expect(page.getByLabel('Address', { exact: true }).nth(1)).toHaveValue(TWO);
  await expect(page.getByLabel('Amount', { exact: true }).nth(0)).toHaveValue('0.25');
  await expect(page.getByLabel('Amount', { exact: true }).nth(1)).toHaveValue('1.5');

  // What is not granted is refused.
  await context.clearPermissions();
  await context.grantPermissions(['notifications'], { origin });
  await page.getByRole('button', { name: 'Paste', exact: true }).first().click();
  await expect(page.getByText('The browser did not allow pasting')).toBeVisible();
  await expect(page.getByLabel('Address', { exact: true }).nth(0)).toHaveValue(ONE);
});

test('a payment request that is refused says what is wrong with it, and what to do', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/send');
  const address = page.getByLabel('Address', { exact: true });
  for (const [text, words] of [
    [`monero:${ONE}?tx_payment_id=${'ab'.repeat(32)}`, 'names a payment id of old'],
    [`monero:${ONE}?tx_amount=1&tx_amount=100`, 'does not say clearly how much each recipient gets'],
    ['monero:?tx_amount=1', 'cannot be read'],
  ] as const) {
    await address.fill(text);
    await address.blur();
    await expect(page.getByText(words), text).toBeVisible();
    await expect(address).toHaveValue(text);
    await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('');
  }
  await address.fill(`monero:${ONE}?tx_amount=2`);
  await address.blur();
  await expect(address).toHaveValue(ONE);
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('2');
});
