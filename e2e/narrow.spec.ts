import { chromium, type Page } from '@playwright/test';
import ar from '../messages/ar.json' with { type: 'json' };
import playwright from '../playwright.config.ts';
import { PAYEE } from './support/by-codes.ts';
import { createWallet, expect, fillPayment, getTestCoins, isLive, NOTHING_KEPT, test, toReview } from './support/wallet.ts';

test.use(NOTHING_KEPT);

// The smallest phones, and people who read with text of twice the size: nothing is cut off, nothing scrolls sideways.

const INSIDE = ['receive', 'send', 'history', 'settings', ''];
const SECTIONS = [
  'daemon',
  'safety',
  'safety/backup',
  'safety/unlock',
  'safety/lock',
  'safety/programs',
  'contacts',
  'accounts',
  'coins',
  'scan',
  'proof',
  'offline',
  'appearance',
  'console',
  'about',
];
const OUTSIDE = ['add', 'create', 'restore', 'backup', 'watch'];
const LOOKS = [
  { look: '320 pixels wide', width: 320, text: '100%' },
  { look: 'text of twice the size', width: 390, text: '200%' },
];

/** What a person would see cut off at either side, or reach by scrolling sideways only. */
function cutOff(): string[] {
  const right = document.documentElement.clientWidth + 1;
  const hidden = (element: Element): boolean =>
    element.closest('.visually-hidden, [aria-hidden=true], dialog:not([open])') !== null;
  const wrong = [
    ...document.querySelectorAll('a, button, input, textarea, select, h1, h2, p, dt, dd, li, label, legend, .amount, pre'),
  ]
    .filter((element) => element.checkVisibility() && !hidden(element))
    .filter((element) => {
      const box = element.getBoundingClientRect();
      const scrolls = element.scrollWidth > element.clientWidth + 1 && ['P', 'BUTTON', 'A', 'DD'].includes(element.tagName);
      return box.right > right || box.left < -1 || scrolls;
    });
  return wrong.map((element) => `${element.tagName} ${element.textContent?.trim().slice(0, 40)}`);
}

/** Fields that lie on each other, and words of the navigation that are broken where no sign says that they may be. */
function crowded(): string[] {
  const fields = [...document.querySelectorAll('.field')].filter((field) => field.checkVisibility());
  const boxes = fields.map((field) => ({ field, box: field.querySelector('.box')?.getBoundingClientRect() }));
  const broken = [...document.querySelectorAll('nav a span')].filter((label) => {
    const text = label.firstChild;
    if (!(text instanceof Text) || /[\s\u00ad]/.test(text.data)) return false;
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getClientRects().length > 1;
  });
  const fieldsOver = boxes.flatMap(({ field, box: one }, index) =>
    boxes.slice(index + 1).flatMap(({ field: next, box: other }) => {
      if (!one || !other) return [];
      const apart = other.left >= one.right || other.right <= one.left || other.top >= one.bottom || other.bottom <= one.top;
      return apart ? [] : [`${field.textContent?.trim()} / ${next.textContent?.trim()}`];
    }),
  );
  return [...fieldsOver, ...broken.map((label) => label.textContent ?? '')];
}

async function look(page: Page, name: string): Promise<void> {
  for (const { look: how, width, text } of LOOKS) {
    await page.setViewportSize({ width, height: 640 });
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, text);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name}, ${how}`).toBeLessThanOrEqual(width);
    expect(await page.evaluate(cutOff), `${name}, ${how}`).toEqual([]);
    expect(await page.evaluate(crowded), `${name}, ${how}`).toEqual([]);
  }
}

test('no view is cut off on a narrow screen or with large text', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Create a wallet' })).toBeVisible();
  await look(page, 'welcome');
  await createWallet(page, 'A wallet with quite a long name, for the household');
  await isLive(page);
  await getTestCoins(page);
  for (const path of [...INSIDE, ...SECTIONS.map((section) => `settings/${section}`)]) {
    await page.goto(`/#/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await look(page, path === '' ? 'home' : path);
  }
  await page.goto('/#/history');
  await page.getByRole('link', { name: /Received/ }).click();
  await expect(page.getByText('Transaction id')).toBeVisible();
  await look(page, 'transaction');
  await fillPayment(page, PAYEE, '0.349');
  await toReview(page);
  await look(page, 'review');
  await page.goto('/#/till');
  await expect(page.getByRole('button', { name: 'Show the code' })).toBeVisible();
  await look(page, 'till');
  // A language of long words.
  await page.goto('/#/settings/appearance');
  await page.locator('main select').first().selectOption('Deutsch');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  for (const path of ['till', 'receive', '']) {
    await page.goto(`/#/${path}`);
    await expect(page.locator(path === 'till' ? '.till .price input' : 'h1')).toBeFocused();
    await look(page, `${path}, in German`);
  }
  await page.goto('/#/settings/appearance');
  await page.locator('main select').first().selectOption('English');
  await page.goto('/#/');
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible();
  await look(page, 'unlock');
  for (const path of OUTSIDE) {
    await page.goto(`/#/${path}`);
    const heading = page.getByRole('heading', { level: 1 });
    await expect(path === 'create' ? page.getByLabel('New password', { exact: true }) : heading).toBeFocused();
    await look(page, path);
  }
});

/** What is wrong with how a review's facts stand: each whole within its card, beside its name or below it, and at the line's end. */
function misplaced(): string[] {
  const card = document.querySelector('dl.facts');
  if (!card) return ['no facts'];
  const { paddingInlineStart, paddingInlineEnd, direction } = getComputedStyle(card);
  const outer = card.getBoundingClientRect();
  const left = outer.left + Number.parseFloat(direction === 'rtl' ? paddingInlineEnd : paddingInlineStart);
  const right = outer.right - Number.parseFloat(direction === 'rtl' ? paddingInlineStart : paddingInlineEnd);
  const inkOf = (element: Element | null): DOMRect => {
    const range = document.createRange();
    if (element) range.selectNodeContents(element);
    return range.getBoundingClientRect();
  };
  return [...card.querySelectorAll('div:not(.to)')].flatMap((fact) => {
    const [name, value] = [inkOf(fact.querySelector('dt')), inkOf(fact.querySelector('[aria-hidden].num'))];
    const called = fact.querySelector('dt')?.textContent ?? '';
    const over = value.top < name.bottom - 1 && value.left < name.right && value.right > name.left;
    const faults: [string, boolean][] = [
      ['lies on its name', over],
      ['is cut off', value.left < left - 1.5 || value.right > right + 1.5],
      ['does not end where the line does', Math.abs(direction === 'rtl' ? value.left - left : right - value.right) > 1.5],
    ];
    return faults.flatMap(([fault, isSo]) => (isSo ? [`${called} ${fault}`] : []));
  });
}

test('the facts of a payment are not cut off beside their names, or below them in large text, also right to left', async ({
  page,
}) => {
  await createWallet(page);
  await getTestCoins(page);
  await fillPayment(page, PAYEE, '0.349000000001');
  for (const [language, review, title] of [
    ['English', 'Review', 'Check before it goes'],
    ['العربية', ar.send_review, ar.review_title],
  ] as const) {
    await page.goto('/#/settings/appearance');
    await page.locator('main select').first().selectOption(language);
    await page.goto('/#/send');
    await page.getByRole('button', { name: review }).click();
    await expect(page.getByRole('heading', { name: title })).toBeVisible({ timeout: 60_000 });
    for (const { look: how, width, text } of [{ look: 'as usual', width: 390, text: '100%' }, ...LOOKS]) {
      await page.setViewportSize({ width, height: 640 });
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = size;
      }, text);
      expect(await page.evaluate(misplaced), `${language}, ${how}`).toEqual([]);
    }
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '';
    });
  }
});

/** Texts in the list of priorities that lie over each other, or outside of their line. */
function feesCrowded(): string[] {
  const rectsOf = (element: Element): DOMRect[] => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()];
  };
  return [...document.querySelectorAll('[data-testid=fees] label')].flatMap((label) => {
    const parts = [...label.querySelectorAll('.name, .facts > span')];
    const box = label.getBoundingClientRect();
    const over = parts.some((one, at) =>
      parts
        .slice(at + 1)
        .some((other) =>
          rectsOf(one).some((a) =>
            rectsOf(other).some(
              (b) =>
                Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
                Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4,
            ),
          ),
        ),
    );
    const out = parts.flatMap(rectsOf).some((a) => a.left < box.left - 1 || a.right > box.right + 1);
    return parts.length > 2 && !over && !out ? [] : [label.textContent ?? ''];
  });
}

test('priorities and their fees are side by side, or stacked in large text, in languages with long words', async ({ page }) => {
  await createWallet(page);
  await isLive(page);
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
  }, '200%');
  for (const [language, lang] of [
    ['English', 'en'],
    ['Español', 'es'],
    ['Italiano', 'it'],
    ['Português', 'pt'],
    ['Türkçe', 'tr'],
    ['العربية', 'ar'],
  ] as const) {
    await page.goto('/#/settings/appearance');
    await page.locator('main select').first().selectOption(language);
    // Its words are fetched, and the page is drawn anew with them.
    await expect(page.locator('html')).toHaveAttribute('lang', lang);
    await page.goto('/#/send');
    await page.getByTestId('fees').locator('summary').click();
    await expect(page.getByTestId('fees').locator('label .facts').first()).toBeVisible();
    expect(await page.evaluate(feesCrowded), language).toEqual([]);
  }
});

test('with twice the browser’s text size a wide screen gets the narrow layout', async ({ baseURL }) => {
  const launch = playwright.use?.launchOptions;
  const args = [...(launch?.args ?? []), '--blink-settings=defaultFontSize=32'];
  const browser = await chromium.launch({ ...launch, args });
  const page = await browser.newPage({ ...NOTHING_KEPT, baseURL: baseURL ?? '', viewport: { width: 1440, height: 900 } });
  await createWallet(page);
  await getTestCoins(page);
  await page.goto('/#/settings/appearance');
  await page.locator('main select').first().selectOption('Español');
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  for (const path of ['', 'send', 'history', 'receive', 'settings', 'settings/coins', 'settings/contacts']) {
    await page.goto(`/#/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(1440);
    expect(await page.evaluate(cutOff), path).toEqual([]);
  }
  await browser.close();
});
