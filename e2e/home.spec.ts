import type { Page } from '@playwright/test';
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
  test,
  unlock,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

/** Buttons and links on Home that the navigation bar partly covers, and the number of entries that are fully visible. */
const atBar = (page: Page): Promise<{ covered: string[]; entries: number }> =>
  page.evaluate(() => {
    const bar = document.querySelector('nav')?.getBoundingClientRect().top ?? 0;
    const seen = [...document.querySelectorAll('main :is(a, button, input)')].filter((one) =>
      one.checkVisibility({ visibilityProperty: true }),
    );
    const boxes = seen.map((one) => ({ one, box: one.getBoundingClientRect() }));
    return {
      covered: boxes
        .filter(({ box }) => box.top < bar && box.bottom > bar)
        .map(({ one }) => one.textContent?.trim().slice(0, 40) ?? ''),
      entries: boxes.filter(({ one, box }) => one.matches('[href^="#/tx/"]') && box.bottom <= bar).length,
    };
  });

/** Texts of tap targets below 44 by 44 pixels. */
const smallOf = (targets: readonly Element[]): (string | null)[] =>
  targets
    .filter((target) => {
      const { width, height } = target.getBoundingClientRect();
      return width > 0 && Math.min(width, height) < 44;
    })
    .map(({ textContent }) => textContent);

test('Home on a phone: balance, actions, reminders and the last three entries fit above the navigation bar', async ({
  page,
  baseURL,
}) => {
  await createWallet(page);
  const mine = await primaryAddress(page);
  for (let count = 0; count < 6; count++)
    expect((await page.request.post(`${baseURL}/faucet`, { data: { address: mine } })).ok()).toBe(true);
  await page.goto('/#/history');
  await expect(page.locator('main a[href^="#/tx/"]')).toHaveCount(6, { timeout: 60_000 });
  await goTo(page, 'Home');
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 412, height: 823 },
  ]) {
    await page.setViewportSize(viewport);
    await page.reload();
    await unlock(page);
    await isLive(page);
    await expect(page.getByRole('link', { name: 'Write down the recovery words' })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('link', { name: 'Send', exact: true }).first()).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId('balance')).toBeInViewport({ ratio: 1 });
    const { width, height } = viewport;
    await expect.poll(async () => (await atBar(page)).entries, `${width} by ${height}`).toBeGreaterThanOrEqual(3);
    await expect.poll(async () => (await atBar(page)).covered, `${width} by ${height}`).toEqual([]);
    expect(await page.locator('main :is(a, button)').evaluateAll(smallOf), 'a finger hits each').toEqual([]);
  }
});

/** What is moved, cut or hidden on Home, without repetitions, in the frames that follow. */
const fitted = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const states = new Set<string>();
    for (let frame = 0; frame < 8; frame++) {
      await new Promise(requestAnimationFrame);
      const styled = [...document.querySelectorAll('main [style]:not([style=""], .sync *)')];
      states.add(styled.map((one) => `${one.className} ${one.getAttribute('style')}`).join('\n'));
    }
    return [...states];
  });

/** Runs in the page: whether the balance says what of it is locked, at the moment at which it has something. */
function tellsLocked(): Promise<boolean> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const told = document.querySelector('[data-testid=balance] .visually-hidden')?.textContent ?? '';
      if (Number(/[\d.]+/.exec(told)?.[0] ?? 0) === 0) return;
      observer.disconnect();
      resolve(document.querySelector('[data-testid=locked]') !== null);
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

test('the first coins are locked from the moment that the balance has them', async ({ page }) => {
  await createWallet(page);
  await isLive(page);
  const told = page.evaluate(tellsLocked);
  await page.getByRole('button', { name: 'Get test coins' }).click();
  expect(await told).toBe(true);
});

test('an empty Home is not cut off by the navigation bar, and on a wide screen it shows the receive code @wide', async ({
  page,
  context,
  faults,
}) => {
  await context.route('**/daemon/**', (route) => route.abort());
  await createWallet(page);
  await expect(page.locator('.sync .title').first()).toHaveText('Node out of reach');
  const home = page.getByRole('region', { name: 'Recent' });
  const code = home.getByRole('img', { name: 'QR code of this address' });
  await expect(code, 'no address is known to be free').toHaveCount(0);
  await context.unroute('**/daemon/**');
  faults.length = 0;
  await isLive(page);
  if (page.viewportSize()?.width === 1440) {
    await expect(code).toBeInViewport({ ratio: 1 });
    const offered = await home.locator('[data-address]').getAttribute('data-address');
    await goTo(page, 'Receive');
    await expect(page.getByTestId('address'), 'one free address, not one at each place').toHaveAttribute(
      'data-address',
      offered ?? '',
    );
    await test.step('the code stays large below a short list', async () => {
      await getTestCoins(page);
      const [list, drawn] = await Promise.all([
        home.boundingBox(),
        page.getByRole('img', { name: 'QR code of this address' }).boundingBox(),
      ]);
      expect(drawn?.y ?? 0).toBeGreaterThan((list?.y ?? 0) + (list?.height ?? 0));
      expect(drawn?.x ?? 0).toBeGreaterThan(list?.x ?? 0);
      expect(drawn?.width ?? 0).toBeGreaterThan(200);
    });
    return;
  }
  for (const [width, height] of [
    [390, 844],
    [412, 823],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/#/history');
    await page.goto('/#/');
    await expect(page.getByRole('link', { name: 'Write down the recovery words' })).toBeInViewport({ ratio: 1 });
    await expect.poll(async () => (await atBar(page)).covered, `${width} by ${height}`).toEqual([]);
    if (height > 600) await expect(page.getByRole('button', { name: 'Get test coins' })).toBeInViewport({ ratio: 1 });
  }
  await test.step('what is moved clear of the bar rests where it is', async () => {
    let moved = 0;
    for (let height = 480; height <= 780; height += 60) {
      await page.setViewportSize({ width: 390, height });
      await expect.poll(() => fitted(page), `${height}`).toHaveLength(1);
      expect((await atBar(page)).covered, `${height}`).toEqual([]);
      if ((await fitted(page)).join().includes('margin-top')) moved += 1;
    }
    expect(moved, 'heights at which something had to be moved').toBeGreaterThan(1);
  });
});

test('Home says when coins unlock and draws the balance; History is filtered; a receipt has its proof; money and links are off until asked for @wide', async ({
  page,
  context,
  baseURL,
}) => {
  const hosts = new Set<string>();
  context.on('request', (request) => hosts.add(new URL(request.url()).origin));
  // Days go by below, and a wallet that nobody touched for so long would be locked.
  await page.addInitScript(() => localStorage.setItem('nightjar.lock-after', '0'));
  const shop = await otherBrowser(context);
  await Promise.all([createWallet(page), createWallet(shop, 'Shop')]);
  const theirs = await primaryAddress(shop);
  await shop.context().close();

  await test.step('one reminder at a time, which can be dismissed', async () => {
    await goTo(page, 'Home');
    const asks = page.getByRole('link', { name: 'Write down the recovery words' });
    await expect(asks).toBeVisible();
    await page.getByRole('button', { name: 'Later' }).click();
    await expect(asks).toHaveCount(0);
  });
  await getTestCoins(page);
  const mine = await primaryAddress(page);
  await send(page, theirs, '1.25');
  await goTo(page, 'Home');
  await expect(page.getByTestId('unlocks')).toHaveText(/^unlocks in \d+ blocks?$/);
  await page.request.post(`${baseURL}/faucet`, { data: { address: mine } });

  await test.step('the balance chart has a text alternative, and is hidden with the amounts', async () => {
    const picture = page.getByTestId('balance-picture');
    await expect(page.locator('main a[href^="#/tx/"]')).toHaveCount(3, { timeout: 60_000 });
    await expect(picture, 'all of it came today: there is nothing to draw').toHaveCount(0);
    await page.clock.setFixedTime(Date.now() + 3 * 86_400_000);
    await page.goto('/#/receive');
    await page.goto('/#/');
    await expect(picture.locator('figcaption')).toContainText('0 at the start', { timeout: 60_000 });
    await picture.getByRole('radio', { name: 'Year' }).check();
    // It is read day by day: by arrow keys, which say the day and what was owned, and by pointing at it.
    const slider = picture.getByRole('slider', { name: 'Balance over time' });
    await slider.focus();
    await expect(slider).toHaveAttribute('aria-valuetext', /20\d\d: [1-9][\d.]* XMR$/);
    for (let day = 0; day < 5; day++) await page.keyboard.press('ArrowLeft');
    await expect(slider).toHaveAttribute('aria-valuetext', /20\d\d: 0 XMR$/);
    await expect(picture.getByTestId('chart-point')).toHaveText(/: 0 XMR$/);
    await page.getByRole('button', { name: 'Hide amounts' }).focus();
    await expect(picture.getByTestId('chart-point')).toHaveCount(0);
    // A block that comes in between may move the chart away from the pointer.
    await expect(async () => {
      await slider.hover({ position: { x: 5, y: 10 } });
      await expect(picture.getByTestId('chart-point')).toHaveText(/: 0 XMR$/, { timeout: 2_000 });
    }).toPass({ timeout: 40_000 });
    await page.getByRole('button', { name: 'Hide amounts' }).click();
    await expect(picture).toHaveCount(0);
    await page.getByRole('button', { name: 'Hide amounts' }).click();
    await page.clock.setFixedTime(Date.now());
  });

  await test.step('the history is filtered by kind, day and address', async () => {
    await goTo(page, 'History');
    const rows = page.locator('main a[href^="#/tx/"]');
    await expect(rows).toHaveCount(3);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('group', { name: 'Filters' }).getByRole('radio', { name: 'Sent', exact: true }).check();
    await expect(rows).toHaveCount(1);
    await page.getByLabel('To', { exact: true }).fill('2001-01-01');
    await expect(rows).toHaveCount(0);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.getByRole('searchbox').fill(theirs.slice(20, 32));
    await expect(rows).toHaveCount(1);
  });

  await test.step('a receipt with the proof, and no link to anybody', async () => {
    await page.locator('main a[href^="#/tx/"]').click();
    await expect(page.getByRole('link', { name: 'Look it up' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Receipt to print' }).click();
    await expect(page.getByTestId('receipt')).toContainText('1.25');
    await page.getByLabel('With a proof that it was paid').check();
    await expect(page.getByTestId('receipt-proof')).toContainText(/^OutProofV2/);
  });

  await test.step('fiat values and explorer links, once the person sets them up', async () => {
    await page.goto('/#/settings/money');
    await page.getByRole('radio', { name: 'Price by hand' }).check();
    await page.getByLabel('Currency').fill('EUR');
    await page.getByLabel('One XMR costs').fill('150');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.getByLabel('Address of a transaction there').fill('https://explorer.example/tx/{txid}');
    await page.getByRole('button', { name: 'Save', exact: true }).last().click();
    await goTo(page, 'Home');
    await expect(page.getByTestId('worth').first()).toContainText('estimate, price typed');
    await page.goto('/#/till');
    await expect(page.getByLabel('One XMR costs'), 'one price for the whole page').toHaveValue('150');
    await page.getByLabel('To be paid, in EUR').fill('7,50');
    await page.getByRole('button', { name: 'Show the code' }).click();
    await expect(page.getByTestId('till-amount')).toContainText('0.05');
    await expect(page.getByTestId('till-money')).toHaveText('€7.50');
    await page.goto('/#/send');
    await page.getByLabel('Amount', { exact: true }).fill('0.2');
    await expect(page.getByText('≈ €30.00')).toBeVisible();
    await page.getByRole('button', { name: 'Type in EUR' }).click();
    const inEuros = page.getByLabel('Amount in EUR', { exact: true });
    await expect(inEuros).toBeFocused();
    await expect(inEuros).toHaveValue('30');
    await inEuros.fill('7,50');
    await expect(page.getByText('That is 0.05 XMR.')).toBeVisible();
    await expect(page.getByText('estimate, price typed')).toBeVisible();
    await page.getByRole('button', { name: 'Type in XMR' }).click();
    await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('0.05');
    await goTo(page, 'History');
    await page.locator('main a[href^="#/tx/"]').first().click();
    await expect(page.getByRole('link', { name: 'Look it up' })).toHaveAttribute(
      'href',
      /^https:\/\/explorer\.example\/tx\/[0-9a-f]{64}$/,
    );
  });
  expect([...hosts], 'nobody else was asked anything').toEqual([new URL(baseURL ?? '').origin]);
});
