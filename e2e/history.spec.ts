import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import {
  createWallet,
  expect,
  getTestCoins,
  goTo,
  isLive,
  NOTHING_KEPT,
  otherBrowser,
  primaryAddress,
  test,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

const recipientOf = (page: Page, number: number): Locator => page.getByRole('group', { name: `Recipient ${number}` });

test('one payment to two of my addresses: a row for each, both told in its details, on either side', async ({
  page,
  context,
}) => {
  await createWallet(page);
  const addresses: string[] = [];
  for (const label of ['Rent', 'Deposit']) {
    await page.goto('/#/receive');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByLabel('What is it for?').fill(label);
    await page.getByRole('button', { name: 'Make the address' }).click();
    await expect(page.getByRole('link', { name: label })).toBeVisible();
    addresses.push((await page.getByTestId('address').getAttribute('data-address')) ?? '');
  }
  const payer = await otherBrowser(context);
  await createWallet(payer, 'Payer');
  await getTestCoins(payer);
  await payer.goto('/#/send');
  await payer.getByRole('button', { name: 'Add a recipient' }).click();
  await payer.getByRole('button', { name: 'Add a recipient' }).click();
  const [rent = '', deposit = ''] = addresses;
  for (const [index, [address, amount]] of [
    [rent, '0.1'],
    [deposit, '0.2'],
    [rent, '0.3'],
  ].entries()) {
    const recipient = recipientOf(payer, index + 1);
    await recipient.getByLabel('Address', { exact: true }).fill(address ?? '');
    await recipient.getByLabel('Amount', { exact: true }).fill(amount ?? '');
  }
  await payer.getByRole('button', { name: 'Add a note' }).click();
  await payer.getByLabel('Note', { exact: true }).fill('The flat');
  await payer.getByRole('button', { name: 'Review' }).click();
  await expect(payer.getByTestId('note')).toHaveText('The flat', { timeout: 60_000 });
  await payer.getByRole('button', { name: 'Send now' }).click();
  await payer.getByRole('link', { name: 'Details' }).click({ timeout: 60_000 });
  await expect(payer.locator('dd [data-address]')).toHaveCount(3);
  await expect(payer.getByLabel('Note', { exact: true })).toHaveValue('The flat');

  await test.step('all of it fills the form again', async () => {
    const again = payer.getByRole('button', { name: 'Pay again' });
    await expect(again, 'a thumb finds it before it scrolls').toBeInViewport({ ratio: 1 });
    await again.click();
    await expect(payer.getByRole('heading', { name: 'Send', exact: true })).toBeFocused();
    const typed = () =>
      Promise.all(
        [1, 2, 3].map(async (number) => {
          const [address, amount] = ['Address', 'Amount'].map((label) =>
            recipientOf(payer, number).getByLabel(label, { exact: true }),
          );
          return `${await amount?.inputValue()} to ${await address?.inputValue()}`;
        }),
      );
    // As it was shuffled.
    await expect.poll(async () => (await typed()).sort()).toEqual([`0.1 to ${rent}`, `0.2 to ${deposit}`, `0.3 to ${rent}`]);
    await expect(payer.getByLabel('Note', { exact: true })).toHaveValue('The flat');
  });

  await goTo(page, 'History');
  const rows = page.getByRole('link', { name: /Received/ });
  await expect(rows).toHaveCount(2, { timeout: 60_000 });
  await rows.filter({ hasText: '0.40' }).click();
  for (const told of ['Rent', 'Deposit']) await expect(page.locator('dl')).toContainText(told);
  for (const amount of ['0.4 monero', '0.2 monero']) await expect(page.locator('main')).toContainText(amount);
  await payer.context().close();
});

test('an entry older than the loaded page is found by searching, and opens by its URL', async ({ page, baseURL }) => {
  await createWallet(page);
  const address = await primaryAddress(page);
  await goTo(page, 'Home');
  await isLive(page);
  let oldest = '';
  for (let payments = 0; payments < 52; payments += 1) {
    const answer = await page.request.post(`${baseURL}/faucet`, { data: { address } });
    expect(answer.ok()).toBe(true);
    if (payments > 0) continue;
    await expect(page.getByRole('link', { name: /Received.*of 10 confirmations/ })).toBeVisible({ timeout: 60_000 });
    oldest = (await page.getByRole('link', { name: /Received/ }).getAttribute('href'))?.replace('#/tx/', '') ?? '';
  }
  await goTo(page, 'History');
  const rows = page.getByRole('link', { name: /Received/ });
  await expect(page.getByRole('button', { name: 'Show older entries' })).toBeVisible({ timeout: 60_000 });
  await expect(rows).toHaveCount(50);
  await expect(page.locator(`a[href="#/tx/${oldest}"]`)).toHaveCount(0);
  await page.getByRole('searchbox').fill(oldest.slice(0, 12));
  await expect(rows).toHaveCount(1);
  await page.getByRole('searchbox').fill('');

  // Going back, by the arrow as by the browser, leads to the row that was left, where it was.
  await page.getByRole('button', { name: 'Show older entries' }).click();
  await expect(rows).toHaveCount(52);
  const scrollY = (): Promise<number> => page.evaluate(() => window.scrollY);
  for (const back of ['arrow', 'browser']) {
    await rows.nth(40).scrollIntoViewIfNeeded();
    await expect.poll(scrollY).toBeGreaterThan(500);
    const scrolled = await scrollY();
    const href = (await rows.nth(40).getAttribute('href')) ?? '';
    await rows.nth(40).click();
    await expect(page.getByText('Transaction id')).toBeVisible();
    await expect.poll(scrollY).toBe(0);
    if (back === 'arrow') await page.getByRole('link', { name: 'Back' }).click();
    else await page.goBack();
    const row = page.locator(`a[href="${href}"]`);
    await expect(row).toBeFocused();
    await expect(row).toBeInViewport({ ratio: 1 });
    // Rows lose a line as they are confirmed.
    await expect.poll(async () => Math.abs((await scrollY()) - scrolled)).toBeLessThan(400);
  }
  await goTo(page, 'Home');
  await goTo(page, 'History');
  await expect(page.getByRole('heading', { name: 'History' })).toBeFocused();
  await expect.poll(scrollY).toBe(0);

  await page.goto(`/#/tx/${oldest}`);
  await expect(page.getByText(oldest)).toBeVisible();

  await goTo(page, 'History');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a table' }).click();
  const table = await readFile(await (await downloading).path(), 'utf8');
  expect(table.trimEnd().split('\r\n')).toHaveLength(53);
  expect(table).toContain(`,${oldest},`);
});

test('on a tablet, amounts of the history end where their card does', async ({ page }) => {
  await createWallet(page);
  await getTestCoins(page);
  await page.setViewportSize({ width: 820, height: 1180 });
  await page.goto('/#/history');
  const row = page.getByRole('link', { name: /^Received/ });
  await expect(row).toBeVisible();
  const gap = await row.evaluate((link) => {
    const text = document.createRange();
    text.selectNodeContents(link.querySelector('.decimals') ?? link);
    return link.getBoundingClientRect().right - text.getBoundingClientRect().right;
  });
  expect(gap).toBeLessThan(16);
});

test('a note being edited is not replaced when blocks come in', async ({ page }) => {
  await createWallet(page);
  await goTo(page, 'Home');
  await isLive(page);
  await page.getByRole('button', { name: 'Get test coins' }).click();
  await page.getByRole('link', { name: /Received/ }).click({ timeout: 60_000 });
  await page.getByLabel('Note').fill('For the garden');
  const confirmations = page.locator('dl > div', { hasText: 'Confirmations' }).locator('dd');
  await expect(confirmations).toHaveText(/^[3-9]/, { timeout: 60_000 });
  await expect(page.getByLabel('Note')).toHaveValue('For the garden');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Note saved')).toBeVisible();
});
