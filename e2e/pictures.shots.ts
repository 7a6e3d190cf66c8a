import { copyFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { code, filmSome, makeOfflineWallet, pairWith, prepareUnsigned, scanCodes } from './support/by-codes.ts';
import { held, putLedger } from './support/ledger.ts';
import { FOLDER, type Shot, take } from './support/pictures.ts';
import { startDevice } from './support/screens.ts';
import {
  allUnlocked,
  createWallet,
  expect,
  fillPayment,
  getTestCoins,
  goTo,
  nameAndPassword,
  otherBrowser,
  primaryAddress,
  send,
  test,
  toReview,
} from './support/wallet.ts';

// `npm run screenshots`: draws docs/screenshots and public/screenshots anew from a wallet with a little history on the test chain.

/** What the browser shows before it installs the page (the manifest's `screenshots`), and which picture each is. */
const INSTALL = fileURLToPath(new URL('../public/screenshots/', import.meta.url));
const INSTALL_PICTURES = {
  'home-desktop.png': 'home-desktop-light.png',
  'home-phone.png': 'home-phone-dark.png',
  'receive-phone.png': 'receive-phone-light.png',
} as const;
const SHOTS: readonly Shot[] = [
  ['welcome', 'phone', 'light'],
  ['welcome', 'desktop', 'dark'],
  ['receive', 'phone', 'light'],
  ['receive', 'desktop', 'light'],
  ['home', 'phone', 'dark'],
  ['home', 'desktop', 'light'],
  ['home', 'desktop', 'dark'],
  ['review', 'phone', 'dark'],
  ['cold', 'phone', 'light'],
  ['codes', 'phone', 'dark'],
  ['scan', 'phone', 'light'],
  ['sign', 'phone', 'light'],
  ['ledger', 'phone', 'light'],
  ['ledger-check', 'phone', 'light'],
  ['ledger-review', 'phone', 'dark'],
  ['ledger-sign', 'phone', 'light'],
];

/** An address of nobody that the tests know. */
const SOMEBODY = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

const of = (wanted: string): readonly Shot[] => SHOTS.filter(([name]) => name === wanted);

test('pictures', async ({ page, context }) => {
  test.setTimeout(400_000);
  mkdirSync(FOLDER, { recursive: true });
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Create a wallet' })).toBeVisible();
  for (const shot of of('welcome')) await take(page, shot);

  await createWallet(page, 'Everyday');
  const mine = await primaryAddress(page);
  const shop = await otherBrowser(context);
  await createWallet(shop, 'Shop');
  const theirs = await primaryAddress(shop);
  await getTestCoins(page);
  await getTestCoins(shop);
  await pay(page, theirs, '0.349', 'Coffee beans');
  await send(shop, mine, '1.204581930071');
  await goTo(page, 'Home');
  await expect(page.getByRole('link', { name: /Received/ })).toHaveCount(2);
  await allUnlocked(page);
  await pay(page, theirs, '2.5', 'Rent share, November');
  await goTo(page, 'Receive');
  for (const label of ['Coffee shop', 'Invoice 118']) {
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByLabel('What is it for?').fill(label);
    await page.getByRole('button', { name: 'Make the address' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  for (const shot of of('receive')) await take(page, shot);
  await page.goto('/#/settings/safety/backup');
  await page.getByRole('button', { name: 'Save a backup file' }).click();
  await expect(page.getByText('Last saved today.')).toBeVisible();
  await goTo(page, 'Home');
  await expect(page.getByTestId('balance')).toBeVisible();
  for (const shot of of('home')) await take(page, shot);

  await allUnlocked(page);
  await fillPayment(page, theirs, '0.25');
  await toReview(page);
  for (const shot of of('review')) await take(page, shot);
  mkdirSync(INSTALL, { recursive: true });
  for (const [name, picture] of Object.entries(INSTALL_PICTURES)) copyFileSync(`${FOLDER}${picture}`, `${INSTALL}${name}`);
  await shop.context().close();
});

async function pay(page: Page, address: string, amount: string, note: string): Promise<void> {
  await send(page, address, amount);
  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByLabel('Note').fill(note);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Note saved')).toBeVisible();
}

test('pictures of signing by codes', async () => {
  test.setTimeout(400_000);
  const url = process.env.NIGHTJAR_URL ?? '';
  const [hot, cold] = await Promise.all([startDevice({ url }), startDevice({ url })]);
  await makeOfflineWallet(cold.page, 'Cold');
  await cold.context.setOffline(true);
  for (const shot of of('cold')) await take(cold.page, shot);
  await pairWith(hot, cold);
  await getTestCoins(hot.page);
  await hot.page.goto('/#/codes');
  await hot.page.getByRole('button', { name: 'Show outputs' }).click();
  await expect(code(hot.page)).toBeVisible();
  await hot.page.evaluate(() => window.scrollTo(0, 0));
  for (const shot of of('codes')) await take(hot.page, shot);
  await scanCodes(hot, cold, 'Scan codes');
  await expect(cold.page.getByRole('heading', { name: 'Key images' })).toBeVisible();
  await scanCodes(cold, hot, 'Scan the key images');
  await prepareUnsigned(hot.page, '0.25');
  await filmSome(hot, cold);
  await cold.page.getByRole('button', { name: 'Scan codes' }).click();
  await expect(cold.page.getByText(/[2-9] of \d+ parts/)).toBeVisible();
  await cold.page.evaluate(() => window.scrollTo(0, 0));
  for (const shot of of('scan')) await take(cold.page, shot);
  await cold.page.getByRole('button', { name: 'Cancel' }).click();
  await scanCodes(hot, cold, 'Scan codes');
  await expect(cold.page.getByRole('heading', { name: 'Check before you sign' })).toBeVisible();
  for (const shot of of('sign')) await take(cold.page, shot);
  await Promise.all([hot.close(), cold.close()]);
});

test('pictures of a Ledger', async ({ page, context }) => {
  test.setTimeout(400_000);
  const desk = await putLedger(context);
  await page.goto('/#/ledger');
  await page.getByRole('button', { name: 'Connect the Ledger' }).click();
  await expect(page.getByTestId('fingerprint')).toBeVisible();
  for (const shot of of('ledger')) await take(page, shot);
  await nameAndPassword(page, 'On a Ledger');
  await page.getByRole('radio', { name: 'Not sure' }).check();
  await page.getByRole('button', { name: 'Ask the Ledger and make the wallet' }).click();
  await getTestCoins(page);
  await goTo(page, 'Receive');
  const look = held(desk, 'Address');
  await page.getByRole('button', { name: 'Show it on the Ledger' }).click();
  await expect(page.getByText('The Ledger now shows')).toBeVisible();
  await page.getByText('The Ledger now shows').scrollIntoViewIfNeeded();
  for (const shot of of('ledger-check')) await take(page, shot);
  look.say(true);
  await fillPayment(page, SOMEBODY, '2.5');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByTestId('will-show')).toBeVisible({ timeout: 60_000 });
  await page.getByTestId('will-show').scrollIntoViewIfNeeded();
  for (const shot of of('ledger-review')) await take(page, shot);
  const signing = held(desk, 'Amount');
  await page.getByRole('button', { name: 'Sign on the Ledger' }).click();
  await expect(page.getByTestId('on-ledger')).toContainText('2.5 XMR');
  await page.getByRole('progressbar', { name: 'Progress of signing' }).scrollIntoViewIfNeeded();
  for (const shot of of('ledger-sign')) await take(page, shot);
  signing.say(false);
});
