import type { Page } from '@playwright/test';
import { encodeQR } from 'qr';
import { UrEncoder } from '../src/ur/index.ts';
import { type Monerod, startMonerod } from '../test/support/programs.ts';
import { exchangeImages, PAYEE, type Pair, payByCodes, startHalves, usePair } from './support/by-codes.ts';
import { startDevice } from './support/screens.ts';
import { startSite } from './support/serve.ts';
import {
  allUnlocked,
  amountAt,
  coins,
  createWallet,
  createWithWords,
  expect,
  getTestCoins,
  goOn,
  goTo,
  isLive,
  nameAndPassword,
  primaryAddress,
  showWords,
  test,
} from './support/wallet.ts';

// A payment by codes alone: two browsers, each of which sees the other's screen through its camera, and one of which asks nobody.

const PAID = '0.123456789012';

const withDevices = test.extend<{ pair: Pair; monerod: Monerod; onMonerod: Pair }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's own form
  pair: async ({}, use) => usePair(process.env.NIGHTJAR_URL ?? '', use),
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's own form
  monerod: async ({}, use) => {
    const monerod = await startMonerod();
    await use(monerod);
    await monerod.stop();
  },
  onMonerod: async ({ monerod }, use) => {
    const site = await startSite(['--port', '0', '--daemon', monerod.url]);
    await usePair(site.url, use);
    await site.stop();
  },
});

withDevices('a payment passes by codes alone, and the offline device asks nobody', async ({ pair }) => {
  const { hot, tap } = pair;
  await startHalves(pair);
  const had = await getTestCoins(hot.page);
  await exchangeImages(pair, 1);
  const { fee } = await payByCodes(pair, PAID);
  await hot.page.goto('/#/');
  await expect.poll(() => amountAt(hot.page, 'balance'), { timeout: 60_000 }).toBe(had - coins(PAID) - fee);
  expect(tap.asked, 'asked by the offline device').toEqual([]);
});

/** With LONG=1: software that films and reads codes has both processors for minutes. */
(process.env.LONG === '1' ? withDevices : withDevices.skip)(
  'the same on monerod: coins that it mined, and a payment that it takes into a block',
  async ({ onMonerod: pair, monerod }) => {
    const { hot, tap } = pair;
    const address = await startHalves(pair);
    await monerod.generateBlocks(3, address);
    await monerod.generateBlocks(90, PAYEE);
    await isLive(hot.page);
    await allUnlocked(hot.page);
    const had = await amountAt(hot.page, 'balance');
    await exchangeImages(pair, 3);
    const { fee } = await payByCodes(pair, PAID);
    await hot.page.getByRole('link', { name: 'Details' }).click();
    await expect(hot.page.locator(`[data-address="${PAYEE}"]`)).toBeVisible();
    const hash = /[0-9a-f]{64}/.exec(hot.page.url())?.[0] ?? '';
    await monerod.minePool(PAYEE);
    const { txs } = await monerod.path<{ txs: { in_pool: boolean; block_height: number }[] }>('get_transactions', {
      txs_hashes: [hash],
    });
    expect(txs).toMatchObject([{ in_pool: false, block_height: 94 }]);
    await hot.page.goto('/#/');
    await expect.poll(() => amountAt(hot.page, 'balance'), { timeout: 60_000 }).toBe(had - coins(PAID) - fee);
    expect(tap.asked, 'asked by the offline device').toEqual([]);
  },
);

test('a camera that is refused is reported, with the alternatives', async () => {
  const device = await startDevice({ url: process.env.NIGHTJAR_URL ?? '', refusing: true });
  const { page, context } = device;
  await createWallet(page);
  await goTo(page, 'Send');
  // No camera permission can be granted here: same as refused.
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await page.getByRole('button', { name: 'Scan a code' }).click();
  await expect(page.getByText('The camera is not allowed for this page')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose a picture' })).toBeVisible();
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('none', 'NotFoundError'));
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('no camera that the browser can use')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.goto('/#/codes');
  await page.getByRole('button', { name: 'Scan codes' }).click();
  await expect(page.getByText('no camera that the browser can use')).toBeVisible();
  await page.getByTestId('codes').getByRole('link', { name: 'Use files' }).click();
  await expect(page.getByRole('heading', { name: 'Sign for a view-only wallet' })).toBeVisible();
  await context.close();
  await device.close();
});

/** Draws codes on a page of their own, as a camera sees them. */
async function picturesOn(page: Page): Promise<(text: string) => Promise<Buffer>> {
  const shows = await page.context().newPage();
  return async (text) => {
    const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
    const squares = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
    const { length } = rows;
    await shows.setContent(`<svg viewBox="0 0 ${length} ${length}" width="440"><path d="${squares.join('')}"/></svg>`);
    return shows.screenshot({ type: 'jpeg', clip: { x: 0, y: 0, width: 480, height: 480 } });
  };
}

test('codes of other kinds are recognized, and a payment request is scanned into the form', async () => {
  const device = await startDevice({ url: process.env.NIGHTJAR_URL ?? '' });
  const { page } = device;
  await createWallet(page);
  const picture = await picturesOn(page);
  const outputs = new UrEncoder('xmr-output', new Uint8Array(300).fill(7), 60);
  const other = new UrEncoder('xmr-output', new Uint8Array(300).fill(8), 60);
  const images = new UrEncoder('xmr-keyimage', new Uint8Array(300).fill(7), 60);
  const texts = [outputs.part(2), images.part(1), other.part(1).slice(0, -4), 'https://example.org', other.part(1)];
  const pictures: Buffer[] = [];
  for (const text of texts) pictures.push(await picture(text));
  device.see(pictures);
  await page.goto('/#/codes');
  await page.getByRole('button', { name: 'Scan codes' }).click();
  await expect(page.getByText(`1 of ${outputs.count} parts`)).toBeVisible();
  for (const said of [
    'That code holds: Key images. It is for the other device.',
    'A code was read wrongly',
    'That is another kind of code',
    'That code belongs to another message',
    'This part was read before',
  ])
    await expect(page.getByText(said)).toBeVisible();

  device.see([await picture(`monero:${PAYEE}?tx_amount=1.5`)]);
  await goTo(page, 'Send');
  await page.getByRole('button', { name: 'Scan a code' }).click();
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(PAYEE);
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('1.5');

  // A code for signing is none for a field: that is said, and the next one is waited for.
  device.see([await picture(outputs.part(2)), await picture(`monero:${PAYEE}?tx_amount=2.5`)]);
  await page.getByRole('button', { name: 'Scan a code' }).click();
  await expect(page.getByText('That code belongs to “Offline signing” in Settings')).toBeVisible();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('2.5');
  await device.close();
});

test('a wallet moves to another device by one code: of its words, of its keys, or to watch it', async ({ page }) => {
  await createWithWords(page);
  const address = await primaryAddress(page);
  await showWords(page);
  await page.getByText('The same as a code').click();
  const device = await startDevice({ url: process.env.NIGHTJAR_URL ?? '' });
  await device.look(page.getByTestId('seed-code').locator('svg'));
  const { page: other } = device;
  const scan = other.getByRole('button', { name: 'Scan a code' });
  await other.goto('/#/restore');
  await scan.click();
  await expect(other.getByText('These words were made in')).toBeVisible();
  await goOn(other);
  await nameAndPassword(other, 'Moved');
  await other.getByRole('button', { name: 'Restore the wallet' }).click();
  await isLive(other);
  expect(await primaryAddress(other)).toBe(address);
  await other.getByRole('button', { name: 'Lock wallet' }).click();

  // The examples of the scheme's description (monero, docs/URI_SCHEME.md).
  const watched = '47PN2JMatPHNRXbdhhurNSKrZLXD5U5FjBkCuZ1Zyo2VLvBe8Gqj66mGTFRCMfW9pCFqG47Z9EsGWYwNV5hfDLRGRowEGWx';
  const viewKey = 'ac9fed8f56fe1b7e00c3b58dff826d9573231d30f1070ec177e096739b05600b';
  const spendKey = 'a7a919903097e25c4c8567fd1cc8aa2be00cc9e445f353b93c75a9bca8374a03';
  const picture = await picturesOn(other);
  device.see([
    await picture(`monero-wallet:${watched}?view_key=${viewKey}&spend_key=${spendKey}&label=MS-2201&height=2026-06-01`),
  ]);
  await other.goto('/#/restore');
  await scan.click();
  await expect(other.getByLabel('Secret spend key')).toHaveValue(spendKey);
  await expect(other.getByLabel('Primary address')).toHaveValue(watched);
  await goOn(other);
  await expect(other.getByLabel('Made on or after')).toHaveValue('2026-06-01');
  await goOn(other);
  await expect(other.getByLabel('Name of the wallet')).toHaveValue('MS-2201');

  device.see([await picture(`monero_wallet:${watched}?view_key=${viewKey}&height=1`)]);
  await other.goto('/#/restore');
  await scan.click();
  await expect(other.getByText('Read: address, view key and height')).toBeVisible();
  await expect(other.getByLabel('Secret view key')).toHaveValue(viewKey);

  device.see([await picture(`monero:${watched}`)]);
  await other.goto('/#/restore');
  await scan.click();
  await expect(other.getByText('This code restores no wallet')).toBeVisible();
  await device.close();
});

test('none of it is loaded before it is used', async ({ page }) => {
  const asked: string[] = [];
  // The service worker fetches all of the page for later, beside it.
  page.on('request', (request) => request.serviceWorker() === null && asked.push(new URL(request.url()).pathname));
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Create a wallet' })).toBeVisible();
  await createWallet(page);
  const scripts = asked.filter((path) => path.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(3);
  expect(scripts.filter((path) => /\/(code|Code|qr|player|camera|Cold|Device-|Pair|Scan)/.test(path))).toEqual([]);
});
