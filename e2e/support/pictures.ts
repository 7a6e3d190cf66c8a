import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect } from './wallet.ts';

export const FOLDER = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const;
export type Shot = readonly [name: string, size: keyof typeof SIZES, scheme: 'light' | 'dark'];

/** Draws the page as it is, in one size and scheme. */
export async function take(page: Page, [name, size, colorScheme]: Shot): Promise<void> {
  await page.setViewportSize(SIZES[size]);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await expect(page.locator('.notices p'), 'no notice lies over the picture').toHaveCount(0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `${FOLDER}${name}-${size}-${colorScheme}.png` });
}
