import type { Page } from '@playwright/test';
import { createWallet, expect, goTo, NOTHING_KEPT, test } from './support/wallet.ts';

test.use(NOTHING_KEPT);

/** From where views came in since this was last asked: the first transform of each animation. */
const cameFrom = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { dataset } = document.documentElement;
    const { cameFrom = '[]' } = dataset;
    delete dataset.cameFrom;
    return JSON.parse(cameFrom) as string[];
  });

/** Notes what animates, and that nothing is wider than the screen while it does. */
async function watchMotion(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
      const { dataset } = document.documentElement;
      const { transform } = frames as { transform: string[] };
      const motion = animate.call(this, frames, options);
      const isWider = document.documentElement.scrollWidth > window.innerWidth;
      dataset.cameFrom = JSON.stringify([...JSON.parse(dataset.cameFrom ?? '[]'), isWider ? 'too wide' : transform[0]]);
      return motion;
    };
  });
}

test('a view comes in from the side that it is on, in reach of keys at once; nothing moves for who wants less motion', async ({
  page,
}) => {
  await watchMotion(page);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await createWallet(page);
  await goTo(page, 'Settings');
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeFocused();
  await cameFrom(page);

  const deeper = page.getByRole('link', { name: /^Accounts/ });
  const back = page.getByRole('link', { name: 'Back' });
  await deeper.click();
  await expect(page.getByRole('heading', { name: 'Accounts' })).toBeFocused();
  expect(await cameFrom(page)).toEqual(['translateX(28px)']);
  await back.click();
  await expect(deeper).toBeFocused();
  expect(await cameFrom(page)).toEqual(['translateX(-28px)']);
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl';
  });
  await deeper.click();
  await expect(page.getByRole('heading', { name: 'Accounts' })).toBeFocused();
  expect(await cameFrom(page)).toEqual(['translateX(-28px)']);
  await goTo(page, 'Send');
  await expect(page.getByRole('heading', { name: 'Send' })).toBeFocused();
  expect(await cameFrom(page), 'what is beside comes in where it is').toEqual(['translateX(0px)']);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await goTo(page, 'Settings');
  await deeper.click();
  await expect(page.getByRole('heading', { name: 'Accounts' })).toBeFocused();
  expect(await cameFrom(page)).toEqual([]);
});
