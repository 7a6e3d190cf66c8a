import { createWallet, expect, goTo, NOTHING_KEPT, test } from './support/wallet.ts';

// One page in several languages: what the browser asks for, what the person chooses, and what is fetched for it.

test.use(NOTHING_KEPT);

test.describe('a browser that asks for Arabic', () => {
  test.use({ locale: 'ar-EG' });

  test('is shown right to left, another language can be chosen, and each language is loaded on demand', async ({ page }) => {
    const fetched: string[] = [];
    page.on('request', (request) => {
      const [, code] = /texts-([a-zA-Z-]+)-(?:first|rest)/.exec(request.url()) ?? [];
      if (code !== undefined) fetched.push(code);
    });
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'عملة Monero التي تحفظ سرّها' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    expect(new Set(fetched)).toEqual(new Set(['ar']));
    const [start, end] = await page
      .locator('header')
      .evaluate((header) => [...header.children].map((child) => child.getBoundingClientRect().left));
    expect(start, 'the name stands where reading begins').toBeGreaterThan(end ?? 0);

    await page.evaluate(() => localStorage.setItem('nightjar.language', 'en'));
    await page.reload();
    await createWallet(page);
    await page.goto('/#/settings/appearance');
    await page.getByLabel('Language').selectOption('Deutsch');
    await expect(page.getByRole('heading', { level: 1, name: 'Sprache und Aussehen' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page.locator('html')).toHaveAttribute('dir', 'ltr');
    await expect(page.getByText('1.234.567')).toBeVisible();
    await expect(page.getByText('1 234,5 XMR')).toBeVisible();
    for (const size of ['100%', '200%']) {
      await page.evaluate((text) => document.documentElement.style.setProperty('font-size', text), size);
      const heights = await page
        .locator('nav li a')
        .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
      expect(new Set(heights).size, `in text of ${size} every place has its name on one line`).toBe(1);
    }

    await page.goto('/#/send');
    await expect(page.getByLabel('Betrag', { exact: true })).toHaveAttribute('placeholder', '0,00');

    await page.goto('/#/settings/appearance');
    await page.getByLabel('Sprache').selectOption('English');
    await goTo(page, 'Home');
    await expect(page.getByTestId('balance-label')).toHaveText('Balance');
  });
});

test('from right to left the room for a scrollbar has the colour of the list of places that it is beside @wide', async ({
  page,
}) => {
  await createWallet(page);
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
  const colourOf = (name: string): Promise<string> =>
    page.locator(name).evaluate((found) => getComputedStyle(found).backgroundColor);
  expect((await colourOf('html')) === (await colourOf('nav'))).toBe(page.viewportSize()?.width === 1440);
  const name = page.locator('header strong');
  await expect(name, 'a name of the other direction is cut at its own end').toHaveCSS('direction', 'ltr');
  await expect(name).toHaveCSS('text-align', 'right');

  await page.goto('/#/till');
  await expect(page.getByRole('button', { name: 'Show the code' })).toBeVisible();
  expect(await colourOf('html'), 'the till covers the list').toBe(await colourOf('.till'));
});
