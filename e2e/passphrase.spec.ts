import { expect, NOTHING_KEPT, nameAndPassword, primaryAddress, showLongWords, showWords, test } from './support/wallet.ts';

// A new wallet whose words need a passphrase.

test.use(NOTHING_KEPT);

const PASSPHRASE = 'a passphrase of my own';

test('words made with a passphrase say so, and bring the wallet back with it only; 25 words need none @wide', async ({
  page,
}) => {
  page.setDefaultTimeout(30_000);
  await page.goto('/#/create');
  await nameAndPassword(page, 'Covered');
  await page.locator('summary').click();
  await page.getByRole('checkbox', { name: 'Protect the words with a passphrase' }).check();
  await expect(page.getByText('if you lose it, the money is lost')).toBeVisible();
  const create = page.getByRole('button', { name: 'Create the wallet' });
  await create.click();
  await expect(page.getByText('Enter the passphrase, or untick the box.')).toBeVisible();
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Passphrase, again').fill('another');
  await create.click();
  await expect(page.getByText('The two passphrases do not match.')).toBeVisible();
  await page.getByLabel('Passphrase, again').fill(PASSPHRASE);
  await create.click();
  await expect(page.getByTestId('balance')).toBeVisible();
  const address = await primaryAddress(page);
  const words = await showWords(page);
  await expect(page.getByText('A passphrase belongs to these words.')).toBeVisible();
  await expect(page.locator('main')).not.toContainText(PASSPHRASE);
  await showLongWords(page);
  await expect(page.getByText('these need no passphrase')).toBeVisible();
  await page.getByRole('button', { name: 'Lock wallet' }).click();

  await page.goto('/#/restore');
  await page.getByLabel('The words, in order').fill(words.join(' '));
  await expect(page.getByText('These words were made in')).toBeVisible();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('A passphrase belongs to these words. Enter it too.')).toBeVisible();
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await nameAndPassword(page, 'Again');
  await page.getByRole('button', { name: 'Restore the wallet' }).click();
  await expect(page.getByTestId('balance')).toBeVisible();
  expect(await primaryAddress(page)).toBe(address);
});
