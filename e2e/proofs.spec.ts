import type { Page } from '@playwright/test';
import {
  allUnlocked,
  createWallet,
  expect,
  getTestCoins,
  goTo,
  NOTHING_KEPT,
  otherBrowser,
  PASSWORD,
  primaryAddress,
  send,
  shownTxHash,
  test,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

const open = async (page: Page, kind: string): Promise<void> => {
  await page.goto('/#/settings/proof');
  await page.getByRole('radio', { name: kind, exact: true }).check();
};
const made = async (page: Page): Promise<string> => {
  await expect(page.getByTestId('made')).toHaveText(/^(SigV2|ReserveProofV2|SpendProofV1)\w+$/, { timeout: 60_000 });
  return (await page.getByTestId('made').textContent()) ?? '';
};
/** The form that makes, and the one that checks. */
const forms = (page: Page) => [page.locator('main form:not([role=search])').first(), page.locator('main form').last()] as const;

test('a signed message, a reserve proof and a spend proof are verified by another wallet with its own node', async ({
  page,
  context,
}) => {
  const other = await otherBrowser(context);
  await Promise.all([createWallet(page), createWallet(other, 'Other')]);
  const address = await primaryAddress(page);
  await getTestCoins(page);
  await send(page, PAYEE, '1.5');
  await goTo(page, 'Home');
  await allUnlocked(page);
  await page.goto('/#/history');
  await page.locator('main .rows li a').first().click();
  const txHash = await shownTxHash(page);

  await test.step('the key of a payment, for the password alone', async () => {
    await page.getByText('They ask for the transaction key?').click();
    const show = page.getByRole('button', { name: 'Show the key' });
    await page.getByLabel('Password', { exact: true }).fill(`${PASSWORD}!`);
    await show.click();
    await expect(page.getByText('That is not the password of this wallet')).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await show.click();
    await expect(page.getByTestId('tx-key')).toHaveText(/^[0-9a-f]{64}$/);
    const key = await page.getByTestId('tx-key').textContent();
    await other.goto('/#/settings/console');
    await other.getByLabel('Command', { exact: true }).fill('check_tx_key');
    await other.getByLabel('Parameters').fill(JSON.stringify({ txid: txHash, tx_key: key, address: PAYEE }));
    await other.getByRole('button', { name: 'Run' }).click();
    await expect(other.getByTestId('result')).toContainText('"received": 1500000000000');
    await page.getByText('They ask for the transaction key?').click();
    await expect(page.getByTestId('tx-key'), 'it is gone once it was put away').toHaveCount(0);
  });

  await test.step('a message', async () => {
    await open(page, 'Message');
    const [sign] = forms(page);
    await sign.getByRole('button', { name: 'Sign' }).click();
    await expect(page.getByText('Enter the message.').first()).toBeVisible();
    await sign.getByLabel('Message').fill('This shop is mine, naïvely.');
    await sign.getByRole('button', { name: 'Sign' }).click();
    const signature = await made(page);
    await open(other, 'Message');
    const [, check] = forms(other);
    await check.getByLabel('The signer’s address').fill(address);
    await check.getByLabel('Message').fill('This shop is mine.');
    await check.getByLabel('Signature').fill(signature);
    await check.getByRole('button', { name: 'Check the signature' }).click();
    await expect(other.getByText('The signature is not valid')).toBeVisible();
    await check.getByLabel('Message').fill('This shop is mine, naïvely.');
    await expect(other.getByText('The signature is not valid'), 'a verdict is of what was checked').toHaveCount(0);
    await check.getByRole('button', { name: 'Check the signature' }).click();
    await expect(other.getByText('The signature is valid')).toBeVisible();
  });

  await test.step('what is held', async () => {
    await open(page, 'Balance');
    const [make] = forms(page);
    await make.getByLabel('At least, in XMR').fill('900');
    await make.getByRole('button', { name: 'Make a proof' }).click();
    await expect(page.getByText('Less than that can be proved here')).toBeVisible();
    await make.getByLabel('At least, in XMR').fill('2');
    await make.getByLabel('Message').fill('for the loan');
    await make.getByRole('button', { name: 'Make a proof' }).click();
    const proof = await made(page);
    await open(other, 'Balance');
    const [, check] = forms(other);
    await check.getByLabel('Primary address of that wallet').fill(address);
    await check.getByLabel('Message').fill('for the loan');
    await check.getByLabel('Proof').fill(proof);
    await check.getByRole('button', { name: 'Check the proof' }).click();
    await expect(other.getByText(/The proof is valid: [\d.]+ XMR, of which 0 XMR/)).toBeVisible();
  });

  await test.step('who sent', async () => {
    await open(page, 'Sender');
    const [make] = forms(page);
    await make.getByLabel('Transaction id').fill(txHash);
    await make.getByRole('button', { name: 'Make a proof' }).click();
    const proof = await made(page);
    await open(other, 'Sender');
    const [, check] = forms(other);
    await check.getByLabel('Transaction id').fill(txHash);
    await check.getByLabel('Proof').fill(proof);
    await check.getByRole('button', { name: 'Check the proof' }).click();
    await expect(other.getByText('whoever made it sent this transaction')).toBeVisible();
  });
  await other.context().close();
});
