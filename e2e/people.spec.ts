import { readFile } from 'node:fs/promises';
import {
  createWallet,
  expect,
  getTestCoins,
  goTo,
  isLive,
  NOTHING_KEPT,
  otherBrowser,
  primaryAddress,
  send,
  shownTxHash,
  test,
  toReview,
  unlock,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

/** A stranger's address on the test chain. */
const SHOP = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

test('who is paid: the address book, a payment request with its words, and a proof that the payee checks', async ({
  page,
  context,
}) => {
  const shop = await otherBrowser(context);
  await createWallet(shop, 'Shop');
  await shop.goto('/#/receive');
  await shop.getByRole('button', { name: 'New' }).click();
  await shop.getByLabel('What is it for?').fill('Order 7');
  await shop.getByRole('button', { name: 'Make the address' }).click();
  await expect(shop.getByText('Order 7').first()).toBeVisible();
  const address = (await shop.getByTestId('address').getAttribute('data-address')) ?? '';

  await createWallet(page);
  await page.goto('/#/settings/contacts');
  await page.getByRole('button', { name: 'New entry' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('The shop');
  await dialog.getByLabel('Address').fill(address.slice(0, 90));
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText(/address/i).last(), 'what is wrong is said, and nothing is kept').toBeVisible();
  await dialog.getByLabel('Address').fill(address);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByTestId('contacts')).toContainText('The shop');

  await getTestCoins(page);
  await goTo(page, 'Send');
  await page.getByRole('button', { name: 'Address book' }).click();
  await dialog.getByRole('button', { name: /The shop/ }).click();
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(address);
  await expect(page.getByText('In your address book: The shop')).toBeVisible();
  // Whom else one could pay is out of the way, until the field is empty again.
  const others = page.getByRole('button', { name: /^(The shop|Address book)$/ });
  await expect(others).toHaveCount(0);
  await page.getByLabel('Address', { exact: true }).fill('');
  await expect(others).toHaveCount(2);
  await page.getByLabel('Address', { exact: true }).fill(`monero:${address}?tx_amount=0.25&tx_description=Beans%2C%20two%20bags`);
  await expect(page.getByText('The request says “Beans, two bags”')).toBeVisible();
  await toReview(page);
  await expect(page.locator('dl')).toContainText('The shop');
  await expect(page.getByTestId('asked')).toContainText('“Beans, two bags”');
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('heading', { name: 'Sent to The shop' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Details' }).click();
  await expect(page.getByLabel('Note')).toHaveValue('Beans, two bags');

  await expect(page.locator('dl')).toContainText('The shop');

  // Found again by whom it went to, and by its amount with either decimal sign.
  const txHash = await shownTxHash(page);
  await goTo(page, 'History');
  const row = page.getByRole('link', { name: /Beans, two bags/ });
  await expect(row).toContainText('The shop');
  for (const [wanted, rows] of [
    ['the shop', 1],
    ['0,25', 1],
    ['0.25', 1],
    ['0.26', 0],
  ] as const) {
    await page.getByRole('searchbox').fill(wanted);
    await expect(row, wanted).toHaveCount(rows);
  }
  await page.goto(`/#/tx/${txHash}`);
  await page.getByLabel('Message').fill('order 7');
  await page.getByRole('button', { name: 'Make a proof' }).click();
  await expect(page.getByTestId('proof')).toHaveText(/^OutProofV2/);
  const proof = (await page.getByTestId('proof').textContent()) ?? '';

  await shop.goto('/#/settings/proof');
  await shop.getByLabel('Transaction id').fill(txHash);
  await shop.getByLabel('Address that was paid').fill(address);
  await shop.getByLabel('Proof').fill(proof);
  await shop.getByRole('button', { name: 'Check the proof' }).click();
  await expect(shop.getByText('The proof is not valid')).toBeVisible();
  await shop.getByRole('textbox', { name: 'Message' }).fill('order 7');
  await shop.getByRole('button', { name: 'Check the proof' }).click();
  await expect(shop.getByText(/The proof is valid. (The address received )?0.25 XMR/)).toBeVisible();
  await shop.context().close();
});

test('somebody who was paid is saved in the address book from the payment, and their address is copied there', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const friend = await otherBrowser(context);
  await createWallet(friend, 'Friend');
  const address = await primaryAddress(friend);
  await createWallet(page);
  await getTestCoins(page);
  await send(page, address, '0.5');
  const save = page.getByRole('button', { name: 'Save in the address book' });
  await expect(save).toBeVisible();
  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Copy address' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  await save.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('Give it a name')).toBeVisible();
  await dialog.getByLabel('Name').fill('A friend');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('dl')).toContainText('A friend');
  await expect(save).toHaveCount(0);
  await page.goto('/#/send');
  await page.getByRole('button', { name: 'A friend', exact: true }).click();
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(address);
  await friend.context().close();
});

test('the address book leads to a payment of whom it has @wide', async ({ page }) => {
  await createWallet(page);
  const own = await primaryAddress(page);
  await page.goto('/#/settings/contacts');
  await page.getByRole('button', { name: 'New entry' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('The shop');
  await dialog.getByLabel('Address').fill(SHOP);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByTestId('contacts').getByRole('button', { name: 'Send' }).click();
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(SHOP);
  await expect(page.getByText('In your address book: The shop')).toBeVisible();
  await page.goBack();
  await expect(page.getByTestId('contacts')).toContainText('The shop');
  await page.getByRole('button', { name: 'New entry' }).click();
  await dialog.getByLabel('Name').fill('The shop again');
  await dialog.getByLabel('Address').fill(SHOP);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('This address is in the address book already, as The shop.')).toBeVisible();
  await dialog.getByLabel('Address').fill(own);
  await expect(dialog.getByText('This is your own address “Primary address”, in the account “Primary account”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('contacts').getByRole('button', { name: 'Send' })).toHaveCount(1);

  // A payment that was begun outlasts both another one and the lock.
  const [address, amount] = [page.getByLabel('Address', { exact: true }), page.getByLabel('Amount', { exact: true })];
  await goTo(page, 'Send');
  await address.fill('');
  await amount.fill('7.5');
  await page.goto('/#/settings/contacts');
  await page.getByTestId('contacts').getByRole('button', { name: 'Send' }).click();
  await expect(address).toHaveValue(SHOP);
  await expect(amount).toHaveValue('');
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await unlock(page);
  await goTo(page, 'Send');
  await expect(page.getByText('The payment you had begun before is kept.')).toBeVisible();
  await page.getByRole('button', { name: 'Go back to it' }).click();
  await expect(amount).toHaveValue('7.5');
  await expect(address).toHaveValue('');
});

test('an OpenAlias name is resolved once a service is set, on request, if the answer is protected by DNSSEC', async ({
  page,
  watched,
}) => {
  const asked: string[] = [];
  let verified = false;
  watched.chosen.push('names.test');
  await createWallet(page);
  const address = await primaryAddress(page);
  await page.route('https://names.test/**', async (route) => {
    asked.push(route.request().url());
    const Answer = [{ type: 16, data: `"oa1:xmr recipient_address=${address}; recipient_name=Ada;"` }];
    const headers = { 'access-control-allow-origin': '*' };
    await route.fulfill({ headers, json: { Status: 0, AD: verified, Answer } });
  });
  await goTo(page, 'Send');
  const field = page.getByLabel('Address', { exact: true });
  await field.fill('ada@example.org');
  await expect(page.getByText('Nobody is asked about names until you choose a service')).toBeVisible();
  await page.getByRole('link', { name: 'Choose a service' }).click();
  await expect(page.getByTestId('names')).toHaveText('Off: nobody is asked.');
  await page.getByLabel('Address of the service').fill('http://names.test/query');
  await page.getByRole('button', { name: 'Use this service' }).click();
  await expect(page.getByText('Enter an address that begins with https://')).toBeVisible();
  await page.getByLabel('Address of the service').fill('https://names.test/query');
  await page.getByRole('button', { name: 'Use this service' }).click();
  await expect(page.getByTestId('names')).toHaveText('On: names.test is asked.');

  await goTo(page, 'Send');
  await expect(field).toHaveValue('ada@example.org');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('alert').first()).toContainText('This is a name. Look it up first');
  expect(asked, 'nobody was asked unasked').toEqual([]);
  await page.getByRole('button', { name: 'Ask names.test' }).click();
  await expect(page.getByText('The answer is not protected by DNSSEC')).toBeVisible();
  expect(asked).toEqual(['https://names.test/query?name=ada.example.org&type=TXT&do=true']);
  verified = true;
  await page.getByRole('button', { name: 'Ask names.test' }).click();
  const found = page.getByTestId('alias');
  await expect(found).toContainText('ada@example.org');
  await expect(found).toContainText('Protected by DNSSEC, as names.test says');
  await expect(field, 'it is not taken by itself').toHaveValue('ada@example.org');
  await found.getByRole('button', { name: 'Pay to this address' }).click();
  await expect(field).toHaveValue(address);
  await page.goto('/#/settings/app');
  await page.getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByTestId('names')).toHaveText('Off: nobody is asked.');
});

test('an image of a QR code fills the form, read by the browser or by our reader', async ({ page }) => {
  await createWallet(page);
  const address = await primaryAddress(page);
  // Chromium on Linux has no reader of its own: this is ours.
  const code = await page.getByRole('img', { name: /QR code/ }).screenshot();
  const read = async (buffer: Buffer): Promise<void> => {
    await page.getByRole('button', { name: 'Scan a code' }).click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a picture' }).click();
    await (await choosing).setFiles({ name: 'code.png', mimeType: 'image/png', buffer });
  };
  await goTo(page, 'Send');
  await read(await page.screenshot());
  await expect(page.getByText('No QR code could be read in this picture')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await read(code);
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(address);

  // What a reader of the browser's own would say stands in for it.
  await page.evaluate((said) => {
    class Reader {
      static getSupportedFormats = async () => ['qr_code'];
      detect = async () => [{ rawValue: said }];
    }
    Object.assign(window, { BarcodeDetector: Reader });
  }, `monero:${address}?tx_amount=1.5`);
  await read(code);
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('1.5');
});

test('accounts are created and named; each has its own addresses and balance', async ({ page }) => {
  await createWallet(page);
  const first = await primaryAddress(page);
  await page.goto('/#/settings/accounts');
  await page.getByRole('button', { name: 'New account' }).click();
  await page.getByLabel('What is it for?').fill('Savings');
  await page.getByRole('button', { name: 'Make the account' }).click();
  await expect(page.getByTestId('accounts').getByRole('listitem')).toHaveCount(2);
  await expect(page.getByText('Account made: Savings')).toBeVisible();
  await page.getByRole('button', { name: 'New account' }).click();
  await page.getByLabel('What is it for?').fill('Savings ');
  await page.getByRole('button', { name: 'Make the account' }).click();
  await expect(page.getByText('Another account has this name already.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('listitem').filter({ hasText: 'Primary account' }).getByRole('button').click();
  await page.getByLabel('What is it for?').fill('Savings');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Another account has this name already.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('accounts').getByRole('listitem')).toHaveCount(2);
  const held = page.getByRole('region', { name: 'Accounts' });
  await goTo(page, 'Home');
  await expect(held.getByRole('listitem')).toHaveCount(2);
  await expect(held.getByRole('listitem').filter({ hasText: 'used by Receive and Send' })).toContainText('Primary account');
  await goTo(page, 'Receive');
  await expect(page.getByRole('combobox', { name: 'Account' }), 'a new account is not switched to').toHaveValue('0');
  const shown = page.getByTestId('address');
  await expect(shown, 'an address that nobody has yet').toHaveAttribute('data-address', /^8/);
  const offered = (await shown.getAttribute('data-address')) ?? '';
  await page.getByRole('link', { name: /^Primary address/ }).click();
  await expect(shown, 'the primary one is there to be chosen').toHaveAttribute('data-address', first);
  await page.getByRole('combobox', { name: 'Account' }).selectOption('1');
  await expect(shown).toHaveAttribute('data-address', /^8/);
  expect([first, offered]).not.toContain(await shown.getAttribute('data-address'));
  await page.goto('/#/settings/accounts');
  await page.getByRole('button', { name: 'Rename' }).nth(1).click();
  await page.getByLabel('What is it for?').fill('Rainy days');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByTestId('accounts')).toContainText('Rainy days');
});

test('a wallet without input is locked after the chosen time, or never', async ({ page }) => {
  await page.clock.install();
  await createWallet(page);
  await isLive(page);
  await page.clock.fastForward('14:00');
  await expect(page.getByTestId('balance')).toBeVisible();
  await page.keyboard.press('Shift');
  await page.clock.fastForward('14:00');
  await expect(page.getByTestId('balance')).toBeVisible();
  await page.clock.fastForward('02:00');
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible();
  await unlock(page);
  await page.goto('/#/settings/safety/lock');
  await page.getByRole('radio', { name: 'Never' }).check();
  await page.clock.fastForward('03:00:00');
  await expect(page.getByRole('radio', { name: 'Never' })).toBeChecked();
});

test('the address book is exported and imported as CSV, and searchable once it is long @wide', async ({ page }) => {
  await createWallet(page);
  const own = await primaryAddress(page);
  await page.goto('/#/settings/contacts');
  const load = async (table: string): Promise<void> => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add from a table (CSV)' }).click();
    await (await choosing).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
  };
  const search = page.getByRole('searchbox', { name: 'Search the address book' });
  await load(`name,address\n'=Shop,${SHOP}\nShop again,${SHOP}\nNobody,${SHOP.slice(0, 94)}x\nMe,${own}\n`);
  await expect(page.getByText('Added to the address book: 2. Left out: 2.')).toBeVisible();
  await expect(page.getByText('Rows are left out that have no name')).toBeVisible();
  const rows = page.getByTestId('contacts').locator('li, tbody tr');
  await expect(rows).toHaveCount(2);
  await expect(search, 'two are found by eye').toHaveCount(0);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a table (CSV)' }).click();
  const saved = await readFile(await (await downloading).path(), 'utf8');
  expect(saved).toBe(`name,address\r\n'=Shop,${SHOP}\r\nMe,${own}\r\n`);

  await page.goto('/#/receive');
  const more: string[] = [];
  for (let at = 1; at <= 6; at++) {
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByLabel('What is it for?').fill(`Order ${at}`);
    await page.getByRole('button', { name: 'Make the address' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByText(`Order ${at}`, { exact: true }).first()).toBeVisible();
    more.push((await page.getByTestId('address').getAttribute('data-address')) ?? '');
  }
  const addresses = page.getByRole('searchbox', { name: 'Search addresses' });
  const found = page.locator('main li a.leads');
  for (const [wanted, name] of [
    ['order 4', 'Order 4'],
    [(more[1] ?? '').replace(/(.{5})/g, '$1 '), 'Order 2'],
    [(more[2] ?? '').slice(20, 32), 'Order 3'],
  ] as const) {
    await addresses.fill(wanted);
    await expect(found).toHaveCount(1);
    await expect(found).toContainText(name);
  }
  await addresses.fill('order 7');
  await expect(page.getByText('Nothing matches.')).toBeVisible();
  await addresses.fill(SHOP);
  await expect(page.getByText('It is none of this wallet’s, as far as it looks')).toBeVisible();
  await addresses.fill(more[1] ?? '');
  await expect(page.getByText('This is your own address “Order 2”')).toBeVisible();

  await page.goto('/#/settings/contacts');
  await load(more.map((address, at) => `Guest ${at},${address}`).join('\n'));
  await expect(rows).toHaveCount(8);
  await search.fill('guest 3');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Guest 3');
  await search.fill(SHOP.slice(10, 30));
  await expect(rows).toContainText('=Shop');
});

test('an address says whether it is one of the wallet’s own, and which', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/receive');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByLabel('What is it for?').fill('Rent');
  await page.getByRole('button', { name: 'Make the address' }).click();
  await expect(page.getByText('Rent', { exact: true }).first()).toBeVisible();
  const rent = (await page.getByTestId('address').getAttribute('data-address')) ?? '';
  await page.goto('/#/settings/proof');
  await page.getByRole('radio', { name: 'Own address' }).check();
  const look = async (text: string): Promise<void> => {
    await page.getByLabel('Address', { exact: true }).fill(text);
    await page.getByRole('button', { name: 'Is it mine?' }).click();
  };
  await look(rent.replace(/(.{5})/g, '$1 '));
  await expect(page.getByText('This is your own address “Rent”, in the account “Primary account”.')).toBeVisible();
  await look(SHOP);
  await expect(page.getByText('It is none of this wallet’s, as far as it looks')).toBeVisible();
  await look(rent.slice(0, 90));
  await expect(page.getByRole('alert')).toContainText(/address/i);

  await test.step('where it is about to be paid', async () => {
    await goTo(page, 'Send');
    const address = page.getByLabel('Address', { exact: true });
    await address.fill(rent);
    await address.blur();
    await expect(page.getByText('This is your own address “Rent”')).toBeVisible();
    await address.fill(SHOP);
    await address.blur();
    await expect(page.getByText('An address or a whole payment request')).toBeVisible();
    await expect(page.getByText('This is your own address')).toHaveCount(0);
  });
});
