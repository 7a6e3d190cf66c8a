import type { Page } from '@playwright/test';
import { expect, isLive, PASSWORD, test } from './support/wallet.ts';

/** Presses Tab until the focus is on something of this name. The mouse is never used. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    const seen = (await focused.count()) === 1 ? await accessibleName(page) : '';
    if (typeof name === 'string' ? seen === name : name.test(seen)) return;
  }
  throw new Error(`expected the keyboard to reach ${name}`);
}

const accessibleName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return '';
    const labelled =
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels?.[0]?.textContent : '';
    return (element.getAttribute('aria-label') ?? (labelled || element.textContent) ?? '').replaceAll(/\s+/g, ' ').trim();
  });

test('by keyboard alone: make a wallet, take coins, read the address, lock and unlock', async ({ page }) => {
  await page.goto('/');
  await tabTo(page, 'Create a wallet');
  await page.keyboard.press('Enter');
  const shown = page.getByTestId('seed').locator('.word');
  await expect(shown).toHaveCount(25);
  const words = await shown.allTextContents();
  await tabTo(page, 'I wrote them down');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check what you wrote' })).toBeFocused();
  for (const label of await page.locator('form label').allTextContents()) {
    await tabTo(page, label.trim());
    await page.keyboard.type(words[Number(/\d+/.exec(label)?.[0]) - 1] ?? '');
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Name and password' })).toBeFocused();
  await tabTo(page, 'New password');
  await page.keyboard.type(PASSWORD);
  await tabTo(page, 'New password, again');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('balance')).toBeVisible();
  await isLive(page);

  await tabTo(page, 'Get test coins');
  await page.keyboard.press('Space');
  await expect(page.getByText('Coins are on their way')).toBeVisible();

  await page.keyboard.press('Control+Home');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeFocused();
  await tabTo(page, 'Password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('balance')).toBeVisible();
  await tabTo(page, 'Receive');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Receive' })).toBeFocused();
  await tabTo(page, 'New');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'New' })).toBeFocused();
});

test('the focus is always to be seen', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Create a wallet' })).toBeVisible();
  for (let presses = 0; presses < 6; presses += 1) {
    await page.keyboard.press('Tab');
    const ring = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return 'body';
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return `${outlineStyle} ${outlineWidth}`;
    });
    expect(ring).toMatch(/^(body|solid [1-9]\d*px)$/);
  }
});
