import type { Page } from '@playwright/test';
import {
  createWallet,
  createWithWords,
  expect,
  goTo,
  isLive,
  NOTHING_KEPT,
  PASSWORD,
  restoreWallet,
  showWords,
  test,
  unlock,
} from './support/wallet.ts';

// What a person sees in the first minutes, and what must not be taken for more than it is.

test.use(NOTHING_KEPT);

/** The longest words of the lists that seeds are written in. */
const LONG = 'demonstrate';

/** Chips whose word is wider than they are. */
const overflowing = (page: Page): Promise<number> =>
  page.getByTestId('seed').evaluate((list, long) => {
    const chips = [...list.querySelectorAll<HTMLElement>('li')];
    return chips.filter((chip) => {
      const word = chip.querySelector<HTMLElement>('.word');
      if (word) word.textContent = long;
      return (word?.getBoundingClientRect().right ?? 0) > chip.getBoundingClientRect().right;
    }).length;
  }, LONG);

test('the words fit their chips, and an empty field is told from a wrong word', async ({ page }) => {
  await createWallet(page);
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await showWords(page);
    expect(await overflowing(page), `${width} pixels wide`).toBe(0);
    await page.goto('/#/');
  }
  await showWords(page);
  await page.getByRole('button', { name: 'I wrote them down' }).click();
  await page.locator('form input').first().fill('wrong');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('That is not the right word')).toHaveCount(1);
  await expect(page.getByText('Enter this word')).toHaveCount(2);
});

test('a balance is marked incomplete while blocks are missing, and a second wallet with the same seed is reported by name', async ({
  page,
}) => {
  const words = await createWithWords(page, 'First');
  await isLive(page);
  const label = page.getByTestId('balance-label');
  await expect(label).toHaveText('Balance');
  const brand = page.locator('header a.brand');
  await expect(brand, 'what is read aloud holds what is seen (WCAG 2.5.3)').toHaveAccessibleName(/^First/);

  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await unlock(page, PASSWORD);
  await expect(page.getByText(/also in this browser as/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Lock wallet' }).click();

  let letBlocksCome = (): void => undefined;
  const blocks = new Promise<void>((resolve) => {
    letBlocksCome = resolve;
  });
  await page.route('**/daemon/get*blocks.bin', async (route) => {
    await blocks;
    await route.continue();
  });
  await restoreWallet(page, words, 'Second');
  await expect(page.getByText(/This wallet is also in this browser as “First”/)).toBeVisible();
  await expect(label).toHaveText('Balance so far');
  expect(
    await page
      .getByTestId('balance')
      .locator('.num')
      .evaluate((text) => Number(getComputedStyle(text).fontWeight)),
  ).toBeLessThan(500);
  await goTo(page, 'Receive');
  const mayBeOld = page.getByText('still looking for earlier payments');
  await expect(page.getByTestId('address')).toBeVisible();
  await expect(mayBeOld).toBeVisible();
  letBlocksCome();
  await expect(mayBeOld).toHaveCount(0);
  await goTo(page, 'Home');
  await expect(label).toHaveText('Balance', { timeout: 60_000 });
});
