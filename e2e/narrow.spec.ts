import type { Page } from '@playwright/test';
import { PAYEE } from './support/by-codes.ts';
import { createWallet, expect, getTestCoins, isLive, test } from './support/wallet.ts';

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

async function look(page: Page, name: string): Promise<void> {
  for (const { look: how, width, text } of LOOKS) {
    await page.setViewportSize({ width, height: 640 });
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, text);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name}, ${how}`).toBeLessThanOrEqual(width);
    expect(await page.evaluate(cutOff), `${name}, ${how}`).toEqual([]);
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
  await page.goto('/#/send');
  await page.getByLabel('Address', { exact: true }).fill(PAYEE);
  await page.getByLabel('Amount', { exact: true }).fill('0.349');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { name: 'Check before it goes' })).toBeVisible({ timeout: 60_000 });
  await look(page, 'review');
  await page.goto('/#/till');
  await expect(page.getByRole('button', { name: 'Show the code' })).toBeVisible();
  await look(page, 'till');
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
