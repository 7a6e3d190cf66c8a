import type { CDPSession } from '@playwright/test';
import { createWallet, expect, isLive, NOTHING_KEPT, test } from './support/wallet.ts';

// What people do on a phone to see whether something came.

test.use({ ...NOTHING_KEPT, hasTouch: true, isMobile: true });

/** A finger put down, moved in steps, and taken away. @param by pixels down, and to the side */
async function pull(finger: CDPSession, by: { down: number; aside?: number }): Promise<void> {
  const STEPS = 8;
  const at = (step: number) => [{ x: 200 + ((by.aside ?? 0) * step) / STEPS, y: 200 + (by.down * step) / STEPS }];
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let step = 1; step <= STEPS; step++)
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step) });
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('pull to refresh checks for payments, where a browser would reload the page and lock the wallet', async ({
  page,
  context,
}) => {
  await createWallet(page);
  await isLive(page);
  const sign = page.getByTestId('pull');
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY)).toBe('contain');
  // The node's answers are held back: the wallet looks for as long.
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await context.route('**/daemon/**', async (route) => {
    await held;
    await route.continue();
  });
  const finger = await context.newCDPSession(page);
  for (const by of [{ down: 60 }, { down: 180, aside: 200 }]) {
    await pull(finger, by);
    await expect(sign, JSON.stringify(by)).not.toHaveClass(/looking/);
  }
  await pull(finger, { down: 200 });
  await expect(sign).toHaveClass(/looking/);
  await expect(sign).toBeVisible();
  answer();
  await expect(sign).not.toHaveClass(/looking/);
  await expect(sign).toBeHidden();
  await expect(page.getByTestId('balance')).toBeVisible();
});
