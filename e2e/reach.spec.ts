import type { Locator, Page } from '@playwright/test';
import { createWallet, expect, getTestCoins, goTo, NOTHING_KEPT, test, toReview } from './support/wallet.ts';

// What a person is about to press is in sight on a phone, without scrolling; and what must be read before it, too.

test.use(NOTHING_KEPT);

const SOMEBODY = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

/** Whether all of something lies on the screen as it was come to, and nothing over its middle or its ends. */
const inSight = async (what: Locator): Promise<void> => {
  await expect(what).toBeVisible();
  const seen = what.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const middle = (left + right) / 2;
    const points = [top + 3, (top + bottom) / 2, bottom - 3].map((y) => document.elementFromPoint(middle, y));
    return { scrolled: scrollY, onTop: points.every((at) => at !== null && (element.contains(at) || at.contains(element))) };
  });
  expect(await seen, String(what)).toEqual({ scrolled: 0, onTop: true });
};

async function review(page: Page, amount: string): Promise<void> {
  await goTo(page, 'Send');
  await page.getByLabel('Address', { exact: true }).fill(SOMEBODY);
  await page.getByLabel('Amount', { exact: true }).fill(amount);
  await toReview(page);
}

test('the first screen: to create, to restore, and everything else one step further', async ({ page }) => {
  await page.goto('/');
  const links = page.locator('main a');
  await inSight(page.getByRole('link', { name: 'Create a wallet' }));
  await inSight(page.getByRole('link', { name: 'Restore a wallet' }));
  await expect(links.filter({ visible: true })).toHaveCount(2);
  await inSight(page.getByText('Other ways to begin'));
  await page.getByText('Other ways to begin').click();
  await expect(links.filter({ visible: true })).toHaveCount(7);
});

test('the button that reviews a payment does not move when its cost becomes known @wide', async ({ page, context }) => {
  await createWallet(page);
  await getTestCoins(page);
  let tell = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await context.route('**/daemon/**', async (route) => {
    if (route.request().postData()?.includes('get_fee_estimate')) await told;
    await route.continue();
  });
  await page.goto('/#/send');
  await page.getByLabel('Address', { exact: true }).fill(SOMEBODY);
  await page.getByLabel('Amount', { exact: true }).fill('1');
  const review = page.getByRole('button', { name: 'Review' });
  const before = await review.boundingBox();
  tell();
  await expect(page.getByTestId('fees').locator('summary')).toContainText(/about 0\.\d+ XMR/);
  expect(await review.boundingBox()).toEqual(before);
  if (test.info().project.name !== 'wide') return;
  await context.route('**/daemon/**', (route) => route.abort());
  await page.getByLabel('Amount', { exact: true }).fill('2');
  await expect(page.getByText('Not known: the node names no fee.'), 'nor when the node is lost').toBeVisible();
  expect(await review.boundingBox()).toEqual(before);
});

test('the confirm button of a payment is on screen with the payment’s facts, and a large fee comes before it', async ({
  page,
}) => {
  await createWallet(page);
  await getTestCoins(page);
  const yes = page.getByRole('button', { name: 'Send now' });

  await review(page, '1');
  for (const what of [page.getByTestId('amount'), page.getByTestId('fee'), page.getByTestId('total'), yes]) await inSight(what);
  await page.getByRole('button', { name: 'Change something' }).click();

  await test.step('a fee that is large beside the amount is read and accepted first', async () => {
    await review(page, '0.01');
    const accept = page.getByRole('checkbox', { name: 'I accept this fee' });
    await inSight(page.getByText('% of the amount'));
    await inSight(yes);
    await expect(yes).toBeDisabled();
    await accept.check();
    await expect(yes).toBeEnabled();
  });

  await test.step('scrolled to the end, the bar covers no text', async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const end = await page.getByText('cannot be taken back').boundingBox();
    const bar = await yes.boundingBox();
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  });
});

test('the reason why a payment was not reviewed is visible on a low screen, and says that nothing was sent', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 664 });
  await createWallet(page);
  await getTestCoins(page);
  await goTo(page, 'Send');
  await page.getByLabel('Address', { exact: true }).fill(SOMEBODY);
  await page.getByLabel('Amount', { exact: true }).fill('1');
  await test.step('a notice above the button bar is as tall as its text', async () => {
    await page.evaluate(() =>
      Object.defineProperty(navigator.clipboard, 'readText', { value: () => Promise.reject(new Error()) }),
    );
    await page.getByRole('button', { name: 'Paste', exact: true }).click();
    const notice = page.locator('.notices p');
    await expect(notice).toBeVisible();
    expect((await notice.boundingBox())?.height).toBeLessThan(100);
    await notice.click();
  });
  await page.route('**/daemon/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Review' }).click();
  const why = page.getByRole('alert').filter({ hasText: 'Nothing was sent' });
  await expect(why).toBeVisible();
  const bar = page.getByRole('button', { name: 'Review' });
  await expect
    .poll(async () => {
      const [box, over] = [await why.boundingBox(), await bar.boundingBox()];
      return box !== null && over !== null && box.y >= 0 && box.y + box.height <= over.y;
    })
    .toBe(true);
});

test('an address can be copied and shared where there are several accounts', async ({ page }) => {
  // What phones have, and this browser has not.
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: async () => undefined }));
  await createWallet(page);
  await page.goto('/#/settings/accounts');
  await page.getByRole('button', { name: 'New account' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Savings');
  await page.getByRole('dialog').getByRole('button', { name: 'Make the account' }).click();
  await goTo(page, 'Receive');
  await expect(page.getByRole('combobox', { name: 'Account' })).toBeVisible();
  await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
  // Also while a notice is shown.
  await page.evaluate(() =>
    Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject(new Error()) }),
  );
  await page.getByRole('button', { name: 'Copy request' }).dispatchEvent('click');
  const notice = page.locator('.notices p', { hasText: 'The browser did not allow copying' });
  await expect(notice).toBeVisible();
  const over = await notice.boundingBox();
  for (const name of ['Copy address', 'Copy request', 'Share']) {
    const button = page.getByRole('button', { name });
    await inSight(button);
    expect((over?.y ?? 0) + (over?.height ?? 0), `${name} is under the notice`).toBeLessThan(
      (await button.boundingBox())?.y ?? 0,
    );
  }
  await test.step('nothing else that is needed lies under the notice, on either screen', async () => {
    const needed = 'header button, nav a, nav .foot > *, main :is(h1, a, button, input)';
    const covered = (): Promise<string[]> =>
      page.evaluate((selector) => {
        const over = document.querySelector('.notices p')?.getBoundingClientRect() ?? new DOMRect();
        const isUnder = ({ left, right, top, bottom }: DOMRect): boolean =>
          left < over.right && right > over.left && top < over.bottom && bottom > over.top;
        const all = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
        return all.filter((one) => isUnder(one.getBoundingClientRect())).map(({ textContent }) => textContent?.trim() ?? '');
      }, needed);
    expect(await covered()).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.getByRole('navigation').locator('.foot')).toBeVisible();
    await expect(notice).toBeVisible();
    // The notice goes to its place on the wide screen with the next frame that is drawn.
    await expect.poll(covered).toEqual([]);
  });
  await test.step('a press dismisses it', async () => {
    await notice.click();
    await expect(notice).toHaveCount(0, { timeout: 1_000 });
  });
});

test('Safety: everything is two taps away, and no page is longer than two screens', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/settings/safety');
  const parts = page
    .locator('main .detail')
    .getByRole('link')
    .filter({ hasNot: page.locator('.back') });
  const height = page.viewportSize()?.height ?? 0;
  for (const [title, what] of [
    ['Backup and recovery words', 'Save a backup file'],
    ['Unlocking', 'Change the password'],
    ['Locking and large payments', 'Set an amount'],
    ['Other wallet programs', 'Save a .keys file'],
  ] as const) {
    const part = parts.filter({ hasText: title });
    await inSight(part);
    await part.click();
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeFocused();
    await expect(page.getByRole('button', { name: what })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollHeight), title).toBeLessThan(2 * height);
    await page.getByRole('link', { name: 'Back' }).click();
    await expect(page.getByRole('heading', { name: 'Safety', level: 1 })).toBeVisible();
  }
});
