import { makeOfflineWallet } from './support/by-codes.ts';
import { load, offlinePage, saved, watchWallet } from './support/halves.ts';
import { checkLooks } from './support/looks.ts';
import {
  amountAt,
  coins,
  createWallet,
  expect,
  getTestCoins,
  isLive,
  NOTHING_KEPT,
  otherBrowser,
  PASSWORD,
  primaryAddress,
  test,
  toReview,
} from './support/wallet.ts';

// Every view at both sizes and in both schemes: axe finds nothing, and nothing is wider than the screen.

test.use(NOTHING_KEPT);

const OTHER = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
/** Paths and the title each shows. */
const INSIDE = {
  '': 'Home',
  receive: 'Receive',
  till: 'Till',
  paper: 'Take the money from a paper wallet',
  send: 'Send',
  history: 'History',
  settings: 'Settings',
  'settings/daemon': 'Node',
  'settings/safety': 'Safety',
  'settings/safety/backup': 'Backup and recovery words',
  'settings/safety/unlock': 'Unlocking',
  'settings/safety/lock': 'Locking and large payments',
  'settings/safety/programs': 'Other wallet programs',
  'settings/contacts': 'Address book',
  'settings/accounts': 'Accounts',
  'settings/coins': 'Coins',
  'settings/scan': 'Scanning',
  'settings/proof': 'Messages and proofs',
  'settings/offline': 'Offline signing',
  'settings/appearance': 'Language and look',
  'settings/console': 'Commands',
  'settings/about': 'About and security',
  recovery: 'Recovery words',
} as const;
const OUTSIDE = {
  add: 'Add a wallet',
  create: 'A new wallet',
  restore: 'Restore a wallet',
  'restore-keys': 'Restore from keys',
  backup: 'Open a wallet file',
  watch: 'Watch an address',
} as const;

test('axe finds no violation inside a wallet', async ({ page }) => {
  await createWallet(page);
  await isLive(page);
  await page.getByRole('button', { name: 'Get test coins' }).click();
  await expect(page.getByRole('link', { name: /Received/ })).toBeVisible();
  for (const [path, title] of Object.entries(INSIDE)) {
    await page.goto(`/#/${path}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeAttached();
    await checkLooks(page, title);
  }
  await page.goto('/#/history');
  await page.getByRole('link', { name: /Received/ }).click();
  await expect(page.getByText('Transaction id')).toBeVisible();
  await checkLooks(page, 'transaction');
  await page.goto('/#/receive');
  await page.getByRole('button', { name: 'New' }).click();
  await checkLooks(page, 'new address');
  await page.keyboard.press('Escape');
  const code = page.getByRole('img', { name: 'QR code of this address' });
  const { width: usual } = (await code.boundingBox()) ?? { width: 0 };
  await page.getByRole('button', { name: 'Show the code larger' }).click();
  await expect(page.getByRole('dialog').locator('svg[role="img"]')).toBeVisible();
  expect((await page.getByRole('dialog').locator('svg[role="img"]').boundingBox())?.width).toBeGreaterThan(1.3 * usual);
  await checkLooks(page, 'a code, larger');
  await page.keyboard.press('Escape');
  await page.goto('/#/send');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByText('Enter an amount')).toBeVisible();
  await checkLooks(page, 'send, with errors');
  await page.getByRole('button', { name: 'Paste a list' }).click();
  await page.getByLabel('One recipient a line').fill('Eve, 1\n0.5');
  await page.getByRole('button', { name: 'Fill in' }).click();
  await expect(page.getByText('Line 2:')).toBeVisible();
  await checkLooks(page, 'a list, with errors');
});

test('axe finds no violation in the console', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/settings/console');
  await page.getByLabel('Command', { exact: true }).fill('get_address');
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByTestId('result')).toBeVisible();
  await checkLooks(page, 'command with its result');
  await page.getByLabel('Parameters').fill('{"account_index": 9}');
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByText(/^Error -14/)).toBeVisible();
  await checkLooks(page, 'command with its error');
});

test('axe finds no violation in a payment signed offline by files', async ({ page: cold, context }) => {
  await createWallet(cold, 'Cold');
  const address = await primaryAddress(cold);
  await cold.goto('/#/settings/safety/programs');
  await cold.getByRole('button', { name: 'Show the view key' }).click();
  await cold.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
  await cold.getByRole('dialog').getByRole('button', { name: 'Show the code' }).click();
  await cold.getByText('The same as text').click();
  await checkLooks(cold, 'the view key as text');
  const viewKey = (await cold.getByTestId('view-key').locator('.mono').textContent()) ?? '';
  await cold.keyboard.press('Escape');
  const hot = await otherBrowser(context);
  await watchWallet(hot, address, viewKey);
  await getTestCoins(hot);
  await offlinePage(hot);
  const outputs = await saved(hot, 'Save outputs');
  await load(hot, 'Load signed transaction', outputs.bytes);
  await expect(hot.getByText('This is not a signed transaction')).toBeVisible();
  await offlinePage(cold);
  await load(cold, 'Load outputs', outputs.bytes);
  await expect(cold.getByText('Outputs known')).toBeVisible();
  await checkLooks(cold, 'outputs loaded');
  const images = await saved(cold, 'Save key images');
  await load(hot, 'Load key images', images.bytes);
  await expect(hot.getByText('Key images taken')).toBeVisible();
  await checkLooks(hot, 'key images loaded, a file refused');
  await hot.goto('/#/codes');
  await expect(hot.getByRole('button', { name: 'Show outputs' })).toBeVisible();
  await checkLooks(hot, 'codes of a wallet that watches');
  await hot.getByRole('button', { name: 'Show outputs' }).click();
  await hot.getByText('The other device does not read it?').click();
  await expect(hot.getByRole('slider', { name: /bytes a code/ })).toBeVisible();
  await checkLooks(hot, 'outputs as codes, with their settings');
  await hot.getByRole('button', { name: 'Scan the key images' }).click();
  await expect(hot.getByText(/no camera that the browser can use|not allowed for this page/)).toBeVisible();
  await checkLooks(hot, 'a scanner without a camera');
  await cold.goto('/#/codes');
  await expect(cold.getByRole('button', { name: 'Scan codes' })).toBeVisible();
  await checkLooks(cold, 'codes of a wallet that signs');
  await offlinePage(cold);

  await hot.goto('/#/send');
  await expect(hot.getByText('This wallet cannot sign')).toBeVisible();
  await checkLooks(hot, 'a payment of a wallet that cannot sign');
  await hot.getByLabel('Address', { exact: true }).fill(OTHER);
  await hot.getByLabel('Amount', { exact: true }).fill('1.25');
  await toReview(hot, 'Check before you save it');
  await checkLooks(hot, 'unsigned review');
  await saved(hot, 'Save unsigned transaction');
  await checkLooks(hot, 'unsigned saved');
  // Its coins are out with the file: no second payment takes them, and they are free again once it is given up.
  await hot.getByRole('button', { name: 'Give it up' }).click();
  await expect.poll(() => amountAt(hot, 'available')).toBe(coins('10'));
  await hot.getByRole('button', { name: 'Review' }).click();
  const unsigned = await saved(hot, 'Save unsigned transaction');
  await hot.goto('/#/');
  expect(await amountAt(hot, 'aside')).toBe(coins('10'));
  expect(await amountAt(hot, 'balance')).toBe(0n);
  await hot.goto('/#/send');
  expect(await amountAt(hot, 'available')).toBe(0n);
  await expect(hot.getByRole('link', { name: 'Set aside and not counted: 10' })).toBeVisible();
  await load(cold, 'Load unsigned transaction', unsigned.bytes);
  await expect(cold.getByRole('heading', { name: 'Check before you sign' })).toBeFocused();
  await checkLooks(cold, 'review to sign');
  const signed = await saved(cold, 'Sign and save');
  await expect(cold.getByText('Signed and saved')).toBeVisible();
  await checkLooks(cold, 'signed');
  await offlinePage(hot);
  await load(hot, 'Load signed transaction', signed.bytes);
  await expect(hot.getByRole('heading', { name: 'Check before it goes' })).toBeFocused();
  await checkLooks(hot, 'signed review');
  await hot.getByRole('button', { name: 'Send now' }).click();
  await expect(hot.getByText('The node accepted it')).toBeVisible({ timeout: 60_000 });
  await checkLooks(hot, 'sent');
  await hot.goto('/#/settings/coins');
  await expect(hot.getByTestId('coins').getByText('set aside', { exact: true })).toHaveCount(0);
  await hot.context().close();
});

test.describe('with the whole page cached', () => {
  test.use({ serviceWorkers: 'allow' });

  test('axe finds no violation on an offline device', async ({ page }) => {
    await page.goto('/#/device');
    await expect(page.getByText('All of the page is kept on this device')).toBeVisible();
    await checkLooks(page, 'what an offline device is');
    await makeOfflineWallet(page, 'Cold');
    await checkLooks(page, 'home of an offline device');
    await page.getByRole('button', { name: 'Show pairing code' }).click();
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Show the code' }).click();
    await expect(page.getByTestId('pairing')).toBeVisible();
    await checkLooks(page, 'pairing code');
  });
});

test('axe finds no violation while no wallet is open', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Create a wallet' })).toBeVisible();
  await checkLooks(page, 'welcome');
  await createWallet(page);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.getByLabel('Password', { exact: true }).fill(`${PASSWORD}!`);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('That is not the password')).toBeVisible();
  await checkLooks(page, 'unlock');
  for (const [path, title] of Object.entries(OUTSIDE)) {
    await page.goto(`/#/${path}`);
    const heading = page.getByRole('heading', { level: 1, name: title });
    await expect(heading).toBeVisible();
    await expect(path === 'create' ? page.getByLabel('New password', { exact: true }) : heading).toBeFocused();
    await checkLooks(page, title);
  }
  await page.goto('/#/restore');
  await page.getByLabel('The words, in order').fill(`${'abbey '.repeat(24)}zoom`);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Find the wrong word' })).toBeVisible();
  await checkLooks(page, 'a wrong word');
});
