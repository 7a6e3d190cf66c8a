import { isKept, keepAnswers, keepBack, letGo } from './support/late.ts';
import { createWallet, expect, getTestCoins, goTo, isLive, NOTHING_KEPT, PASSWORD, test } from './support/wallet.ts';

// Answers of the wallet come late: who has gone on meanwhile is not thrown back, and nothing is done that they have turned away from.

test.use(NOTHING_KEPT);
test.beforeEach(({ page }) => page.addInitScript(keepBack));

/** Addresses of two strangers on the test chain. */
const ANNA = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
const PIN = '480215';

test('T18 a payment whose question for the password was closed while that was looked at is not sent', async ({ page }) => {
  await createWallet(page);
  await getTestCoins(page);
  const dialog = page.getByRole('dialog');
  await page.goto('/#/settings/safety/lock');
  await page.getByRole('button', { name: 'Set an amount' }).click();
  await dialog.getByLabel('Ask above, in XMR').fill('0');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByTestId('ask-above')).toHaveText('Every payment asks again.');

  await page.goto('/#/send');
  await page.getByLabel('Address', { exact: true }).fill(ANNA);
  await page.getByLabel('Amount', { exact: true }).fill('0.1');
  await page.getByRole('button', { name: 'Review' }).click();
  const send = page.getByRole('button', { name: 'Send now' });
  await send.click({ timeout: 60_000 });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await keepAnswers(page, 'checkPassword');
  await dialog.getByRole('button', { name: 'Send now' }).click();
  await isKept(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await letGo(page);
  await expect(send).toBeEnabled();
  await expect(page.getByRole('heading', { name: 'Check before it goes' })).toBeVisible();

  // Asked again, it goes.
  await send.click();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible({ timeout: 60_000 });
});

test('T18 a PIN whose dialog was closed while the password was looked at is not set, and none but the one that was typed twice', async ({
  page,
}) => {
  await createWallet(page);
  const dialog = page.getByRole('dialog');
  await page.goto('/#/settings/safety/unlock');
  const open = page.getByRole('button', { name: 'Set a PIN' });
  const set = async (): Promise<void> => {
    await open.click();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByLabel('New PIN', { exact: true }).fill(PIN);
    await dialog.getByLabel('New PIN, again').fill(PIN);
    await keepAnswers(page, 'checkPassword');
    await dialog.getByRole('button', { name: 'Set a PIN' }).click();
    await isKept(page);
  };
  await set();
  await page.keyboard.press('Escape');
  await letGo(page);
  await set();
  await dialog.getByLabel('New PIN', { exact: true }).fill('999999');
  await letGo(page);
  await expect(page.getByText('The PIN opens this wallet now.')).toHaveCount(1);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.getByLabel('PIN', { exact: true }).fill(PIN);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect(page.getByTestId('balance')).toBeVisible();
});

test('an entry of the address book that is saved late leaves the next one as it is being typed, and the focus where it is', async ({
  page,
}) => {
  await createWallet(page);
  await page.goto('/#/settings/contacts');
  const dialog = page.getByRole('dialog');
  const another = page.getByRole('button', { name: 'New entry' });
  const [name, address] = [dialog.getByLabel('Name'), dialog.getByLabel('Address')];
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  await another.click();
  await name.fill('Anna');
  await address.fill(`${ANNA.slice(0, -1)}n`);
  await keepAnswers(page, 'saveContact');
  await save.click();
  await isKept(page);
  await name.focus();
  await letGo(page);
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await expect(name).toBeFocused();

  await address.fill(ANNA);
  await keepAnswers(page, 'saveContact');
  await save.click();
  await isKept(page);
  await page.keyboard.press('Escape');
  await another.click();
  await name.fill('Ben');
  await letGo(page);
  await expect(page.getByTestId('contacts')).toContainText('Anna');
  await expect(name).toHaveValue('Ben');
});

test('the till requests the amount as it was when submitted, and a note edited while it is being saved keeps the edit', async ({
  page,
}) => {
  await createWallet(page);
  await isLive(page);
  await page.goto('/#/till');
  await page.getByLabel('One XMR costs').fill('150');
  await page.getByLabel('Currency').fill('EUR');
  const price = page.getByLabel('To be paid, in EUR');
  await price.fill('3.00');
  await keepAnswers(page, 'addresses');
  await page.getByRole('button', { name: 'Show the code' }).click();
  await isKept(page);
  await price.fill('3.005');
  await letGo(page);
  await expect(page.getByTestId('till-amount')).toContainText('0.02 monero');
  await expect(page.getByTestId('till-money')).toHaveText('€3.00');

  await page.goto('/#/');
  await goTo(page, 'Home');
  await page.getByRole('button', { name: 'Get test coins' }).click();
  await page.getByRole('link', { name: /Received/ }).click({ timeout: 60_000 });
  const note = page.getByLabel('Note');
  await note.fill('For the garden');
  await keepAnswers(page, 'notes');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await isKept(page);
  await note.fill('For the garden, in May');
  await letGo(page);
  await expect(page.getByText('Note saved')).toBeVisible();
  await expect(note).toHaveValue('For the garden, in May');
});

test('switching to a listed node late does not change the form being filled in', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/settings/daemon');
  await page.getByLabel('Address of another node').fill(new URL('/daemon', page.url()).href);
  await page.getByRole('button', { name: 'Add the node' }).click();
  await keepAnswers(page, 'setDaemon');
  await page.getByRole('button', { name: 'Use this one' }).click();
  await isKept(page);
  await page.getByText('A node you name').click();
  const own = page.getByLabel('Node address');
  await own.fill('https://mine.example');
  await letGo(page);
  await expect(page.getByText('Node changed')).toBeVisible();
  await expect(own).toHaveValue('https://mine.example');
});

test('an export requested twice while it is being made is saved once', async ({ page }) => {
  await createWallet(page);
  await isLive(page);
  await page.getByRole('button', { name: 'Get test coins' }).click();
  await page.getByRole('link', { name: /Received/ }).waitFor({ timeout: 60_000 });
  await goTo(page, 'History');
  const saved: string[] = [];
  page.on('download', (download) => saved.push(download.suggestedFilename()));
  await keepAnswers(page, 'history');
  const save = page.getByRole('button', { name: 'Save as a table' });
  await save.dblclick();
  await isKept(page);
  await letGo(page);
  await expect(page.getByText('nightjar-history').first()).toBeVisible();
  await expect(save).toBeEnabled();
  await expect.poll(() => saved.length).toBe(1);
});
