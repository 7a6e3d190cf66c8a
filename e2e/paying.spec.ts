import type { Page } from '@playwright/test';
import {
  amountAt,
  coins,
  createWallet,
  expect,
  getTestCoins,
  goTo,
  leaveSight,
  sendNow,
  test,
  unlock,
} from './support/wallet.ts';

// What a person types in Send: read as it was meant, kept until it is sent, and asked about again where it costs too much.

const OTHER = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

/** Records that the wallets of this browser have. */
const recordsKept = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('nightjar');
        opening.onerror = reject;
        opening.onsuccess = () => {
          const counting = opening.result.transaction('records').objectStore('records').count();
          counting.onsuccess = () => resolve(counting.result);
          opening.result.close();
        };
      }),
  );

/** Runs in the page: typing never pauses there. */
function withoutPauses(): void {
  const { setTimeout: run } = globalThis;
  Object.assign(globalThis, { setTimeout: (work: () => void, ms: number) => (ms === 500 ? 0 : run(work, ms)) });
}

test('a payment typed with a decimal comma is kept while the person looks elsewhere, and a fee beside which it is small needs a second yes @wide', async ({
  page,
  context,
  faults,
}) => {
  await createWallet(page);
  await getTestCoins(page);
  const address = page.getByLabel('Address', { exact: true });
  const amount = page.getByLabel('Amount', { exact: true });
  const review = page.getByRole('heading', { name: 'Check before it goes' });

  await test.step('a decimal comma is accepted; ambiguous amounts are refused', async () => {
    await goTo(page, 'Send');
    await address.fill(OTHER);
    for (const [typed, said] of [
      ['1,234.5', /without thousands separators/],
      ['1.234,5', /without thousands separators/],
      ['1,234', /1,2340/],
    ] as const) {
      await amount.fill(typed);
      await amount.blur();
      await expect(page.getByRole('alert')).toContainText(said);
    }
    await amount.fill('0,75');
    await amount.blur();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Type in/ }), 'nobody asked for money').toHaveCount(0);
  });

  const told = page.getByTestId('fees').locator('label');
  let fees: bigint[] = [];
  await test.step('each priority says what this payment would cost, and when it would be in a block', async () => {
    await expect(page.getByTestId('fees').locator('summary')).toContainText(/Automatic.*about 0\.\d+ XMR.*in about 2 min/);
    await page.getByTestId('fees').locator('summary').click();
    await expect(told.first()).toBeVisible();
    await expect(told).toHaveCount(5);
    await expect(told.filter({ hasText: /about 0\.\d+ XMR.*in about 2 min/ })).toHaveCount(5);
    fees = (await told.allTextContents()).map((text) => coins(/about (0\.\d+) XMR/.exec(text)?.[1] ?? ''));
    const [automatic, slow, ...dearer] = fees;
    expect(automatic, 'nothing waits').toBe(slow);
    expect(dearer.every((fee, i) => fee > (fees[i + 1] ?? 0n))).toBe(true);
  });

  await test.step('the draft stays: on another tab, and on the way back from the review', async () => {
    await goTo(page, 'History');
    await goTo(page, 'Send');
    await expect(address).toHaveValue(OTHER);
    await expect(amount).toHaveValue('0,75');
    await page.getByRole('button', { name: 'Review' }).click();
    await expect(review).toBeVisible({ timeout: 60_000 });
    expect(await amountAt(page, 'amount')).toBe(coins('0.75'));
    expect(Number(await amountAt(page, 'fee')) / Number(fees[0]), 'it costs what was told, nearly').toBeCloseTo(1, 1);
    const words = page.getByTestId('words');
    for (const said of [
      /Coins used: 1, worth 10 XMR/,
      /9\.2\d+ XMR comes back as change, to be spent after about 20 minutes/,
      /Left in this account: 9\.2\d+ XMR\./,
      /Of what is left, 0 XMR can be spent at once/,
      /It should be in a block in about 2 min/,
      /gateway and its node see your network address/,
    ]) {
      await expect(words).toContainText(said);
    }
    // Folded away where there is no room beside the facts.
    const isWide = (page.viewportSize()?.width ?? 0) > 1000;
    if (!isWide) {
      await expect(words.getByText(/see your network address/)).toBeHidden();
      await words.getByText('what the node learns').click();
    }
    await expect(words.getByText(/see your network address/)).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Send' })).toBeVisible();
    await expect(address).toHaveValue(OTHER);
    await expect(amount).toHaveValue('0,75');
    await page.goForward();
    await expect(page.getByRole('heading', { name: 'Send' }), 'what was let go is not offered again').toBeVisible();
  });

  await test.step('the fee is subtracted from the amount if the person chooses that, and the draft keeps the choice', async () => {
    const taken = page.getByLabel('Take the fee out of the amount');
    await taken.check();
    await amount.fill('0,000001');
    await page.getByRole('button', { name: 'Review' }).click();
    await expect(page.getByText('The fee is more than the amount it is taken out of.')).toBeVisible({ timeout: 60_000 });
    await amount.fill('0,75');
    await page.getByRole('button', { name: 'Review' }).click();
    await expect(review).toBeVisible({ timeout: 60_000 });
    expect(await amountAt(page, 'total')).toBe(coins('0.75'));
    expect(await amountAt(page, 'amount')).toBe(coins('0.75') - (await amountAt(page, 'fee')));
    await page.goBack();
    await expect(taken).toBeChecked();
    await taken.uncheck();
  });

  await test.step('T1 fee: one that is large beside the amount is marked, and is paid after a second yes only', async () => {
    await amount.fill('0,00000001');
    await expect(page.getByText('That is more than the amount itself.'), 'no percentage without measure').toBeVisible();
    await amount.fill('0,01');
    await expect(page.getByText(/That is \d+% of the amount/)).toBeVisible();
    await page.getByRole('button', { name: 'Review' }).click();
    await expect(review).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText(/The fee is \d+% of the amount/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send now' })).toBeDisabled();
    await page.getByLabel('I accept this fee').check();
    await sendNow(page);
  });

  await test.step('a sent or cleared payment leaves no draft; a draft is restored after locking, and is stored encrypted', async () => {
    await goTo(page, 'Home');
    await goTo(page, 'Send');
    await expect(address).toHaveValue('');
    await address.fill(OTHER);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect(address).toHaveValue('');
    await address.fill(OTHER);
    await amount.fill('0.5');
    await page.getByRole('button', { name: 'Lock wallet' }).click();
    expect(await page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage))).not.toContain(OTHER);
    await unlock(page);
    const waits = page.getByRole('link', { name: 'A payment you have begun waits in Send.' });
    await goTo(page, 'Home');
    await waits.click();
    await expect(address).toHaveValue(OTHER);
    await expect(amount).toHaveValue('0.5');

    // So it is where the page is sent away, and where it is loaded anew, without a pause in the typing.
    for (const [typed, leave] of [
      ['0.6', leaveSight],
      ['0.7', () => page.evaluate(() => void dispatchEvent(new Event('beforeunload')))],
    ] as const) {
      await page.evaluate(withoutPauses);
      // Nothing else is written meanwhile.
      const refused = context.waitForEvent('requestfailed');
      await context.route('**/daemon/**', (route) => route.abort());
      await refused;
      const kept = await recordsKept(page);
      await amount.fill(typed);
      await leave(page);
      await expect.poll(() => recordsKept(page)).toBeGreaterThan(kept);
      await context.unroute('**/daemon/**');
      await page.reload();
      await unlock(page);
      await goTo(page, 'Home');
      await waits.click();
      await expect(amount).toHaveValue(typed);
    }
    faults.length = 0;
    await expect(page.getByText('This payment is too long to be kept')).toHaveCount(0);
    await address.fill('z'.repeat(20_000));
    await expect(page.getByText('This payment is too long to be kept')).toBeVisible();
    await address.fill(OTHER);
    await page.getByRole('button', { name: 'Clear' }).click();
    await goTo(page, 'Home');
    await expect(page.getByTestId('balance')).toBeVisible();
    await expect(waits).toHaveCount(0);
  });

  await test.step('a paid address is suggested for the next payment', async () => {
    await goTo(page, 'Send');
    const paid = page.getByRole('group', { name: 'Paid last' }).getByRole('button');
    await expect(paid).toHaveText([`${OTHER.slice(0, 8)}…${OTHER.slice(-6)}`]);
    await paid.click();
    await expect(address).toHaveValue(OTHER);
    await expect(amount).toBeFocused();
    await expect(paid, 'it is offered where nobody is named').toHaveCount(0);
  });
});
