import { readFile } from 'node:fs/promises';
import { bytesToHex } from '../src/base/index.ts';
import { keysFromSeed, loadCrypto, scalarMulBase } from '../src/crypto/index.ts';
import { encodeAddress } from '../src/protocol/index.ts';
import { openKeysFile } from '../src/wallet2/index.ts';
import {
  allUnlocked,
  amountAt,
  coins,
  createWallet,
  createWithWords,
  expect,
  fromTheStart,
  getTestCoins,
  goOn,
  goTo,
  isLive,
  nameAndPassword,
  otherBrowser,
  PASSWORD,
  primaryAddress,
  restoreWallet,
  seedWords,
  send,
  sendNow,
  test,
  toReview,
  unlock,
} from './support/wallet.ts';

test('two wallets are created and pay each other, their histories agree, and one is restored elsewhere from its seed @wide', async ({
  page,
  context,
}) => {
  const words = await createWithWords(page);
  const had = await getTestCoins(page);
  expect(had).toBe(coins('10'));

  const payee = await otherBrowser(context);
  await createWallet(payee, 'Shop');
  await payee.goto('/#/receive');
  await payee.getByRole('button', { name: 'New' }).click();
  await payee.getByLabel('What is it for?').fill('Order 7');
  await payee.getByRole('button', { name: 'Make the address' }).click();
  await expect(payee.getByText('Order 7').first()).toBeVisible();
  const address = (await payee.getByTestId('address').getAttribute('data-address')) ?? '';
  expect(address).toMatch(/^8[1-9A-HJ-NP-Za-km-z]{94}$/);

  const { fee, total } = await send(page, address, '1.234567890123');
  expect(total).toBe(coins('1.234567890123') + fee);

  await payee.goto('/#/');
  await expect.poll(() => amountAt(payee, 'balance'), { timeout: 60_000 }).toBe(coins('1.234567890123'));
  await goTo(payee, 'History');
  await payee.getByRole('link', { name: /Received/ }).click();
  await expect(payee.getByText('Order 7')).toBeVisible();

  await page.getByRole('link', { name: 'Done' }).click();
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(had - total);
  await allUnlocked(page);
  await goTo(page, 'History');
  await page.getByRole('link', { name: /Sent/ }).click();
  await expect(page.locator(`[data-address="${address}"]`)).toBeVisible();
  await page.getByLabel('Note').fill('Order 7, paid');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await goTo(page, 'History');
  await expect(page.getByRole('link', { name: /Order 7, paid/ })).toBeVisible();

  // And back: the shop returns a part of it, to an address of the first page.
  const mine = await primaryAddress(page);
  await payee.goto('/#/');
  await allUnlocked(payee);
  const refund = await send(payee, mine, '0.5');
  await page.goto('/#/');
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(had - total + coins('0.5'));
  await payee.goto('/#/');
  await expect.poll(() => amountAt(payee, 'balance'), { timeout: 60_000 }).toBe(coins('1.234567890123') - refund.total);

  // The words alone bring the same balance back in a browser that knows nothing.
  const fresh = await otherBrowser(context);
  await restoreWallet(fresh, words);
  await isLive(fresh);
  expect(await amountAt(fresh, 'balance')).toBe(had - total + coins('0.5'));
  await payee.context().close();
  await fresh.context().close();
});

test('one payment to several recipients, then everything is swept', async ({ page, context }) => {
  await createWallet(page);
  const had = await getTestCoins(page);
  const other = await otherBrowser(context);
  await createWallet(other, 'Other');
  const address = await primaryAddress(other);

  await page.goto('/#/send');
  await page.getByRole('button', { name: 'Add a recipient' }).click();
  await page.getByRole('button', { name: 'Add a recipient' }).click();
  for (const [index, amount] of ['0.1', '0.2', '0.3'].entries()) {
    const recipient = page.getByRole('group', { name: `Recipient ${index + 1}` });
    await recipient.getByLabel('Address', { exact: true }).fill(address);
    await recipient.getByLabel('Amount', { exact: true }).fill(amount);
  }
  await toReview(page);
  const fee = await amountAt(page, 'fee');
  await sendNow(page);
  await goTo(page, 'Home');
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(had - coins('0.6') - fee);
  await allUnlocked(page);

  await page.goto('/#/send');
  await page.getByLabel('Address', { exact: true }).fill(address);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await toReview(page);
  expect(await amountAt(page, 'total')).toBe(had - coins('0.6') - fee);
  await sendNow(page);
  await goTo(page, 'Home');
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(0n);
  await other.context().close();
});

/** An address with its view key that no other test pays. */
async function ownPair(): Promise<{ address: string; viewKey: string }> {
  await loadCrypto();
  const { spendKey, viewKey } = keysFromSeed(crypto.getRandomValues(new Uint8Array(32)));
  const parts = {
    network: 'mainnet',
    kind: 'standard',
    spendKey: scalarMulBase(spendKey),
    viewKey: scalarMulBase(viewKey),
  } as const;
  return { address: encodeAddress(parts), viewKey: bytesToHex(viewKey) };
}

test('view-only: sees what comes in, cannot sign', async ({ page }) => {
  const { address, viewKey } = await ownPair();
  await page.goto('/#/watch');
  await goOn(page);
  await expect(page.getByText('Enter the primary address of the wallet to watch.')).toBeVisible();
  await page.getByLabel('Primary address').fill(address);
  await page.getByLabel('Secret view key').fill(`01${'0'.repeat(62)}`);
  await fromTheStart(page);
  await nameAndPassword(page, 'Till');
  await page.getByRole('button', { name: 'Watch this address' }).click();
  // The key of another address leads back to where it was entered; the rest stays.
  await expect(page.getByRole('alert')).toContainText('must belong to this address');
  await expect(page.getByLabel('Primary address')).toHaveValue(address);
  await page.getByLabel('Secret view key').fill(viewKey);
  await fromTheStart(page);
  await page.getByRole('button', { name: 'Watch this address' }).click();
  await expect(page.getByTestId('balance')).toBeVisible();
  await isLive(page);
  const before = await amountAt(page, 'balance');
  await page.getByRole('button', { name: 'Get test coins' }).click();
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(before + coins('10'));
  await page.goto('/#/send');
  await expect(page.getByText('This wallet cannot sign')).toBeVisible();
});

test('lock and unlock: a wrong password is rejected @wide', async ({ page }) => {
  await createWallet(page, 'Mine');
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await unlock(page, 'not the password');
  await expect(page.getByText('That is not the password of this wallet')).toBeVisible();
  await unlock(page);
  await expect(page.getByTestId('balance')).toBeVisible();
});

test('the seed is shown for the password alone, and the password can be changed', async ({ page }) => {
  const words = await createWithWords(page);
  await page.goto('/#/settings/safety/backup');
  await page.getByRole('link', { name: 'Show the words' }).click();
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Show the words' }).click();
  await expect(page.getByText('That is not the password of this wallet')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Show the words' }).click();
  await expect(seedWords(page)).toHaveText(words);
  await page.goto('/#/settings/safety/unlock');
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Change the password' }).click();
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByLabel('New password', { exact: true }).fill('another long one');
  await dialog.getByLabel('New password, again').fill('another long one');
  await dialog.getByRole('button', { name: 'Change the password' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await unlock(page);
  await expect(page.getByText('That is not the password of this wallet')).toBeVisible();
  await unlock(page, 'another long one');
  await expect(page.getByTestId('balance')).toBeVisible();
});

test('a .keys file is saved for the password alone; the wallet comes back from it, and from its secret spend key', async ({
  page,
  context,
}) => {
  await loadCrypto();
  await createWallet(page);
  const address = await primaryAddress(page);
  await page.goto('/#/settings/safety/programs');
  await page.getByRole('button', { name: 'Save a .keys file' }).click();
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  let saved = 0;
  page.on('download', () => {
    saved += 1;
  });
  await dialog.getByLabel('Password', { exact: true }).fill('wrong');
  await save.click();
  await expect(dialog.getByText('That is not the password of this wallet')).toBeVisible();
  expect(saved, 'nothing leaves for a wrong password').toBe(0);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const downloading = page.waitForEvent('download');
  await save.click();
  const download = await downloading;
  await expect(dialog).toBeHidden();
  expect(download.suggestedFilename()).toBe('My wallet.keys');
  const file = await readFile(await download.path());
  await expect(openKeysFile(file, 'wrong')).rejects.toMatchObject({ code: 'wrong-password' });
  const { account, spendKey } = await openKeysFile(file, PASSWORD);
  expect(spendKey).toBeDefined();
  expect(encodeAddress({ network: 'regtest', kind: 'standard', ...account })).toBe(address);

  const other = await otherBrowser(context);
  const restore = other.getByRole('button', { name: 'Restore the wallet' });
  await other.goto('/#/backup');
  await other.getByLabel('Wallet file').setInputFiles(await download.path());
  await other.getByLabel('Password of the file').fill('wrong');
  await nameAndPassword(other, 'From a file', 'quite another one');
  await restore.click();
  await expect(other.getByRole('alert')).toHaveText('That is not the password of this file. Try again.');
  await expect(other.getByLabel('Password of the file')).toBeFocused();
  await other.getByLabel('Password of the file').fill(PASSWORD);
  await restore.click();
  expect(await primaryAddress(other)).toBe(address);

  await other.getByRole('button', { name: 'Lock wallet' }).click();
  await other.goto('/#/restore');
  await other.getByRole('link', { name: 'I have secret keys, not words' }).click();
  await other.getByLabel('Secret spend key').fill('abc');
  await goOn(other);
  await expect(other.getByText('A secret key has 64 characters')).toBeVisible();
  await other.getByLabel('Secret spend key').fill('f'.repeat(64));
  await fromTheStart(other);
  await nameAndPassword(other, 'From a key');
  await restore.click();
  await expect(other.getByText('This is not a valid key')).toBeVisible();
  // It is said where the keys are, which are as they were.
  await expect(other.getByLabel('Secret spend key')).toHaveValue('f'.repeat(64));
  const key = bytesToHex(spendKey!);
  await other.getByLabel('Primary address').fill('nobody');
  await goOn(other);
  await expect(other.getByText('This is not a Monero address')).toBeVisible();
  await other.getByLabel('Primary address').fill(address);
  await other.getByLabel('Secret spend key').fill(`${key[0] === '0' ? '1' : '0'}${key.slice(1)}`);
  await fromTheStart(other);
  await restore.click();
  await expect(other.getByText('These keys and this address belong to different wallets')).toBeVisible();
  await other.getByLabel('Secret spend key').fill(key);
  await fromTheStart(other);
  await restore.click();
  await expect(other.getByTestId('balance')).toBeVisible();
  expect(await primaryAddress(other)).toBe(address);
  await other.context().close();
});

test('T18 a backup is restored in another browser, with labels and notes', async ({ page, context }) => {
  await createWallet(page, 'Traveller');
  const had = await getTestCoins(page);
  await goTo(page, 'History');
  await page.getByRole('link', { name: /Received/ }).click();
  await page.getByLabel('Note').fill('First coins');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.goto('/#/settings/safety/backup');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save a backup file' }).click();
  const download = await downloading;
  const path = await download.path();
  expect((await readFile(path)).includes(Buffer.from('First coins')), 'nothing lies in the file in clear').toBe(false);

  const other = await otherBrowser(context);
  await other.goto('/#/backup');
  const file = { name: download.suggestedFilename(), mimeType: 'application/octet-stream', buffer: await readFile(path) };
  await other.getByLabel('Wallet file').setInputFiles(file);
  await expect(other.getByLabel('Name of the wallet'), 'by the file’s').toHaveValue('Traveller');
  await other.getByLabel('Password of the backup').fill('wrong');
  await other.getByRole('button', { name: 'Restore the wallet' }).click();
  await expect(other.getByRole('alert')).toHaveText('That is not the password of this file. Try again.');
  await expect(other.getByLabel('Password of the backup')).toBeFocused();
  await other.getByLabel('Password of the backup').fill(PASSWORD);
  await other.getByRole('button', { name: 'Restore the wallet' }).click();
  await expect(other.getByTestId('balance')).toBeVisible();
  expect(await amountAt(other, 'balance')).toBe(had);
  await expect(other.getByText('First coins')).toBeVisible();
  await other.context().close();
});

test('T17 a second tab says that the wallet is open elsewhere @wide', async ({ page, context }) => {
  await createWallet(page);
  const second = await context.newPage();
  await second.goto('/');
  await unlock(second);
  await expect(second.getByText('This wallet is open in another tab or window')).toBeVisible();
  await page.close();
  await unlock(second);
  await expect(second.getByTestId('balance')).toBeVisible();
});

test('T17 a tab lists the wallets as another tab leaves them: made, renamed, or removed while it asks about that one', async ({
  page,
  context,
}) => {
  await createWallet(page, 'First');
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  const second = await context.newPage();
  await second.goto('/');
  await expect(second.getByText('First', { exact: true })).toBeVisible();
  await second.getByRole('button', { name: 'Remove from this browser' }).click();
  const asking = second.getByRole('dialog', { name: 'Remove “First”?' });
  await expect(asking).toBeVisible();

  await createWallet(page, 'Second');
  await page.goto('/#/settings/name');
  await page.getByLabel('Name of the wallet', { exact: true }).fill('Boat');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await expect(second.getByText('Boat', { exact: true })).toBeAttached();
  await expect(asking, 'what is asked about is still there').toBeVisible();

  await page.getByRole('radio', { name: 'First' }).check();
  await page.getByRole('button', { name: 'Remove from this browser' }).click();
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Remove this wallet' }).click();
  await expect(page.getByText('First', { exact: true })).toHaveCount(0);
  await expect(second.getByText('First', { exact: true })).toHaveCount(0);
  await expect(second.getByRole('dialog'), 'nothing is asked about the other one').toHaveCount(0);
  await unlock(second);
  await expect(second.getByRole('banner')).toContainText('Boat');
});
