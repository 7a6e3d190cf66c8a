import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './wallet.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Two looks that between them have both sizes and both schemes. */
const LOOKS = [
  { look: 'desktop, dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { look: 'phone, light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const;

/** Axe finds nothing on the screen as it is, and nothing is wider than it; the phone's look stays. */
export async function checkLooks(page: Page, name: string): Promise<void> {
  for (const { look, viewport, colorScheme } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    const [wide, tall] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
    expect(wide, `${name} fits the screen, ${look}`).toBeLessThanOrEqual(viewport.width);
    // Seen whole, as in the list of all views.
    await page.setViewportSize({ width: viewport.width, height: Math.max(viewport.height, (tall ?? 0) + 600) });
    const { violations } = await new AxeBuilder({ page }).withTags(TAGS).setLegacyMode().analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    expect(found, `${name}, ${look}`).toEqual([]);
    await page.setViewportSize(viewport);
  }
}
