import type { Page } from '@playwright/test';
import { encodeQR } from 'qr';
import { UrEncoder } from '../src/ur/index.ts';
import { makeOfflineWallet, PAYEE, pairWith, prepareUnsigned, scanCodes } from './support/by-codes.ts';
import { type Device, startDevice, startTap, type Tap } from './support/screens.ts';
import { amountAt, coins, createWallet, expect, getTestCoins, goTo, primaryAddress, test } from './support/wallet.ts';

// A payment by codes alone: two browsers, each of which sees the other's screen through its camera, and one of which asks nobody.

const PAID = '0.123456789012';

interface Pair {
  readonly hot: Device;
  readonly cold: Device;
  readonly tap: Tap;
}

const withDevices = test.extend<{ pair: Pair }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's own form
  pair: async ({}, use) => {
    const url = process.env.NIGHTJAR_URL ?? '';
    const tap = await startTap(url);
    const [hot, cold] = await Promise.all([startDevice({ url }), startDevice({ url, proxy: tap.url })]);
    await use({ hot, cold, tap });
    await Promise.all([hot.close(), cold.close(), tap.close()]);
  },
});

/** Fewer and larger codes: the films are shorter. */
async function makeLarge(page: Page): Promise<void> {
  await page.getByText('The other device does not read it?').click();
  await page.getByRole('slider', { name: /bytes a code/ }).focus();
  for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowRight');
  await expect(page.getByText('350 bytes a code')).toBeVisible();
  await page.getByText('The other device does not read it?').click();
}

withDevices('a payment passes by codes alone, and the offline device asks nobody', async ({ pair }) => {
  test.setTimeout(480_000);
  const { hot, cold, tap } = pair;

  // From here on whatever the offline device asks is written down, and nothing is answered.
  await makeOfflineWallet(cold.page, 'Cold', () => tap.cut());
  for (const absent of ['Send', 'History'])
    await expect(cold.page.getByRole('link', { name: absent, exact: true })).toHaveCount(0);
  await pairWith(hot, cold);
  expect(await primaryAddress(hot.page)).toBe(await primaryAddress(cold.page));
  await cold.page.goto('/#/');
  const had = await getTestCoins(hot.page);
  await expect(hot.page.getByTestId('balance-label')).toHaveText('Balance, at most');

  await hot.page.goto('/#/codes');
  await hot.page.getByRole('button', { name: 'Show outputs' }).click();
  await makeLarge(hot.page);
  await scanCodes(hot, cold, 'Scan codes');
  await expect(cold.page.getByText('Outputs known: 1')).toBeVisible();
  await makeLarge(cold.page);
  await scanCodes(cold, hot, 'Scan the key images');
  await expect(hot.page.getByText('Key images taken: 1')).toBeVisible();

  // What is signed is what was meant, on the offline device's own screen.
  await prepareUnsigned(hot.page, PAID);
  await scanCodes(hot, cold, 'Scan codes');
  await expect(cold.page.getByRole('heading', { name: 'Check before you sign' })).toBeVisible();
  await expect(cold.page.locator(`[data-address="${PAYEE}"]`)).toBeVisible();
  expect(await amountAt(cold.page, 'amount')).toBe(coins(PAID));
  const fee = await amountAt(cold.page, 'fee');
  await cold.page.getByRole('button', { name: 'Sign and show codes' }).click();
  await expect(cold.page.getByRole('heading', { name: 'Signed payment' })).toBeVisible();
  await scanCodes(cold, hot, 'Scan the signed payment');
  await expect(hot.page.getByRole('heading', { name: 'Check before it goes' })).toBeVisible();
  expect([await amountAt(hot.page, 'amount'), await amountAt(hot.page, 'fee')]).toEqual([coins(PAID), fee]);
  await hot.page.getByRole('button', { name: 'Send now' }).click();
  await expect(hot.page.getByText('The node accepted it')).toBeVisible();
  await hot.page.goto('/#/');
  await expect.poll(() => amountAt(hot.page, 'balance'), { timeout: 60_000 }).toBe(had - coins(PAID) - fee);
  expect(tap.asked, 'asked by the offline device').toEqual([]);
});

test('a camera that is refused is said in words, with the ways beside it', async () => {
  const device = await startDevice({ url: process.env.NIGHTJAR_URL ?? '', refusing: true });
  const { page, context } = device;
  await createWallet(page);
  await goTo(page, 'Send');
  // Nobody is there to be asked: as after a no.
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

test('codes of other kinds are told from those awaited, and a request is scanned into the form', async () => {
  const device = await startDevice({ url: process.env.NIGHTJAR_URL ?? '' });
  const { page } = device;
  await createWallet(page);
  // A page that shows whatever code it is told to.
  const shows = await page.context().newPage();
  const picture = async (text: string): Promise<Buffer> => {
    const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
    const squares = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
    const { length } = rows;
    await shows.setContent(`<svg viewBox="0 0 ${length} ${length}" width="440"><path d="${squares.join('')}"/></svg>`);
    return shows.screenshot({ type: 'jpeg', clip: { x: 0, y: 0, width: 480, height: 480 } });
  };
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
  await device.close();
});

test('none of it is fetched before it is asked for', async ({ page }) => {
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
