import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { serveDevnet } from '../src/devnet/index.ts';
import { watchScreen } from './support/screen.ts';
import { startSite } from './support/serve.ts';
import {
  amountAt,
  createWallet,
  createWithWords,
  expect,
  getTestCoins,
  goTo,
  isLive,
  nameAndPassword,
  primaryAddress,
  restoreWallet,
  seedWords,
  showLongWords,
  showWords,
  test,
  unlock,
} from './support/wallet.ts';

// What a device and its browser do to a page over the days: no node, storage that is cleared or refused, a page put to sleep, paper.

test('a new wallet is usable before any sync: address, seed words and settings are there while no node answers', async ({
  page,
  context,
  faults,
}) => {
  await context.route('**/daemon/**', (route) => route.abort());
  await page.goto('/');
  await page.getByRole('link', { name: 'Create a wallet' }).click();
  await nameAndPassword(page, 'Mine');
  await page.getByRole('button', { name: 'Create the wallet' }).click();
  await expect(page.getByRole('link', { name: 'Write down the recovery words' })).toBeVisible();
  await goTo(page, 'Receive');
  await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
  await expect(page.getByTestId('address')).toHaveAttribute('data-address', /^8/);
  expect(await showWords(page)).toHaveLength(16);
  await expect(page.getByTestId('restore-from')).toContainText(String(new Date().getFullYear()));
  await goTo(page, 'History');
  await goTo(page, 'Settings');
  await expect(page.getByRole('link', { name: /Safety/ })).toBeVisible();
  faults.length = 0;
});

test('a wallet can be renamed: the new name is shown in the list, where it is unlocked, inside, and where it is removed @wide', async ({
  page,
}) => {
  await createWallet(page, 'Daily');
  await page.goto('/#/add');
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await createWallet(page, 'Mine');
  await goTo(page, 'Settings');
  await page.getByRole('link', { name: /Name of the wallet/ }).click();
  const name = page.getByLabel('Name of the wallet', { exact: true });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await name.fill('  ');
  await save.click();
  await expect(page.getByText('Give the wallet a name.')).toBeVisible();
  await name.fill('Daily ');
  await expect(page.getByText('A wallet here has that name already.')).toBeVisible();
  await save.click();
  await expect(page.getByRole('banner')).toContainText('Mine');
  await name.fill('Savings for a boat');
  await save.click();
  await expect(page.getByText('The wallet is called “Savings for a boat” now.')).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Savings for a boat');
  await page.reload();
  await page.getByRole('radio', { name: 'Savings for a boat' }).check();
  await expect(page.getByText('Mine', { exact: true })).toHaveCount(0);
  await unlock(page);
  await expect(page.getByRole('banner')).toContainText('Savings for a boat');
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.getByRole('button', { name: 'Remove from this browser' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove “Savings for a boat”?' });
  await dialog.getByRole('button', { name: 'I forgot the password' }).click();
  await dialog.getByLabel('Name of the wallet').fill('Savings for a boat');
  await dialog.getByRole('button', { name: 'Remove this wallet' }).click();
  await expect(page.getByText('Daily', { exact: true })).toBeVisible();
});

test('T18 after the browser cleared its storage, the seed words restore the wallet and its coins', async ({ page, context }) => {
  const words = await createWithWords(page);
  const had = await getTestCoins(page);
  const address = await primaryAddress(page);
  const { origin } = new URL(page.url());
  await page.goto('about:blank');
  const tools = await context.newCDPSession(page);
  await tools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Create a wallet' })).toBeVisible();
  await restoreWallet(page, words);
  await isLive(page);
  expect(await amountAt(page, 'balance')).toBe(had);
  expect(await primaryAddress(page)).toBe(address);
});

test('blocked storage is reported before a wallet is created that would be lost', async ({ page, faults }) => {
  // As in a browser whose owner has forbidden sites to keep anything.
  const refusal =
    "Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('refused', 'SecurityError'); } });\n";
  await page.route(/\/assets\/.*wallet\.worker.*\.js$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: refusal + (await answer.text()) });
  });
  await page.goto('/');
  await expect(page.getByText('This browser keeps no data here')).toBeVisible();
  faults.length = 0;
});

test('a page that the browser froze finds new payments when it resumes', async ({ page, context, baseURL }) => {
  await createWallet(page);
  const had = await getTestCoins(page);
  const address = await primaryAddress(page);
  await goTo(page, 'Home');
  const tools = await context.newCDPSession(page);
  await tools.send('Page.setWebLifecycleState', { state: 'frozen' });
  const given = await page.request.post(`${baseURL}/faucet`, { data: { address } });
  expect(given.ok()).toBe(true);
  await tools.send('Page.setWebLifecycleState', { state: 'active' });
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBeGreaterThan(had);
});

test('the screen stays on during a long restore, and no longer', async ({ page }) => {
  await createWallet(page);
  await showWords(page);
  const words = await showLongWords(page);
  const devnet = await serveDevnet({ history: { blocks: 6000, transactions: 0 } });
  const site = await startSite(['--port', '0', '--daemon', devnet.url]);
  const lock = await watchScreen(page);
  await restoreWallet(page, words, 'Long', site.url);
  await isLive(page);
  await expect.poll(async () => (await lock()).held).toBe(0);
  expect((await lock()).asked).toBeGreaterThan(0);
  await site.stop();
  await devnet.stop();
});

test('the till keeps the screen on while it is open', async ({ page }) => {
  const lock = await watchScreen(page);
  await createWallet(page);
  await isLive(page);
  await expect.poll(async () => (await lock()).held).toBe(0);
  await page.goto('/#/till');
  await expect.poll(async () => (await lock()).held).toBe(1);
  await page.goto('/#/receive');
  await expect.poll(async () => (await lock()).held).toBe(0);
});

/** Number of printed pages of the current view. */
async function sheets(page: Page): Promise<number> {
  const printed = (await page.pdf({ format: 'A4', printBackground: true })).toString('latin1');
  return printed.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}

test('the recovery words are printed on one sheet, with the wallet’s name, its address, and from when to search', async ({
  page,
}) => {
  await createWallet(page, 'Savings');
  await isLive(page);
  await showWords(page);
  expect(await sheets(page)).toBe(1);
  await page.getByRole('button', { name: 'Show 25 words instead' }).click();
  await expect(seedWords(page)).toHaveCount(25);
  expect(await sheets(page)).toBe(1);
  await page.emulateMedia({ media: 'print' });
  const paper = page.locator('main');
  await expect(paper.getByText('Savings')).toBeVisible();
  await expect(paper.locator('[data-address]')).toBeVisible();
  await expect(page.getByTestId('restore-from')).toContainText(/block \d/);
  await expect(page.getByRole('navigation', { name: 'Wallet' }), 'no more ink than is needed').toBeHidden();
  await expect(page.getByRole('button'), 'nor what cannot be pressed on paper').toHaveCount(0);
  await expect(paper.getByText('The same as a code'), 'nor what is folded away').toBeHidden();
});

test('what is typed as a secret comes on no paper', async ({ page }) => {
  await page.goto('/#/restore');
  const words = page.getByLabel('The words, in order');
  await words.fill('abandon ability able');
  const marks = page.locator('main ol');
  await expect(marks).toHaveText('abandonabilityable');
  await page.emulateMedia({ media: 'print' });
  await expect(words).toHaveCSS('color', 'rgba(0, 0, 0, 0)');
  await expect(marks).toBeHidden();
});

test('prices come from the person’s price source, which learns no amount, and are exported with the history', async ({
  page,
  context,
  watched,
}) => {
  const asked: string[] = [];
  watched.chosen.push('prices.test');
  await context.route('https://prices.test/**', async (route) => {
    const { method, url, body } = {
      method: route.request().method(),
      url: route.request().url(),
      body: route.request().postData(),
    };
    asked.push(`${method} ${url} ${body ?? ''}`.trim());
    await route.fulfill({ json: { monero: { eur: 125.5 } }, headers: { 'access-control-allow-origin': '*' } });
  });
  await createWallet(page);
  await getTestCoins(page);
  expect(asked, 'nobody is asked unasked').toEqual([]);
  await page.goto('/#/settings/money');
  await page.getByRole('radio', { name: 'From a source' }).check();
  await page.getByLabel('Currency').fill('eur');
  await page.getByLabel('Address that answers with the price').fill('https://prices.test/{currency}/{date}');
  await page.getByLabel('Where the price is in the answer').fill('monero.eur');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await goTo(page, 'Home');
  await expect(page.getByTestId('worth').first()).toContainText('€1,255.00');
  await goTo(page, 'History');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a table (CSV)' }).click(),
  ]);
  const [head = '', row = ''] = readFileSync(await file.path(), 'utf8').split('\r\n');
  const at = head.split(',').findIndex((name) => /eur/i.test(name));
  expect(row.split(',')[at]).toBe('1255.00');
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((one) => !/^GET https:\/\/prices\.test\/eur\/[\d-]*$/.test(one))).toEqual([]);
});

test('a price jump is asked about once, for all recipients; Home shows the previous price meanwhile', async ({
  page,
  context,
  watched,
}) => {
  let price = 100;
  watched.chosen.push('prices.test');
  await context.route('https://prices.test/**', (route) =>
    route.fulfill({ body: String(price), headers: { 'access-control-allow-origin': '*' } }),
  );
  await createWallet(page);
  await getTestCoins(page);
  await page.goto('/#/settings/money');
  await page.getByRole('radio', { name: 'From a source' }).check();
  await page.getByLabel('Currency').fill('eur');
  await page.getByLabel('Address that answers with the price').fill('https://prices.test/');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  price = 300;
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('nightjar.money') ?? '');
    kept.rate.at -= 3_600_000;
    localStorage.setItem('nightjar.money', JSON.stringify(kept));
  });
  const far = page.getByText('This price is far from the one before');
  await goTo(page, 'Home');
  await expect(far).toBeVisible();
  await expect(page.getByTestId('worth').first()).toContainText('€1,000.00');
  await goTo(page, 'Send');
  await page.getByRole('button', { name: 'Add a recipient' }).click();
  await expect(far).toHaveCount(1);
  await expect(page.getByRole('group', { name: /Recipient/ }).filter({ has: far }), 'it is of no recipient').toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Type in EUR' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Use this price' }).click();
  await expect(far).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Type in EUR' })).toHaveCount(2);
  await goTo(page, 'Home');
  await expect(page.getByTestId('worth').first()).toContainText('€3,000.00');
});
