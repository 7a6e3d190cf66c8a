import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './wallet.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Sizes of the screen. */
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

/** Two looks that between them have both sizes and both schemes; every scheme at every size with LONG=1. */
const LOOKS = Object.entries(SIZES)
  .flatMap(([size, viewport]) =>
    (['dark', 'light'] as const).map((colorScheme) => ({ look: `${size}, ${colorScheme}`, viewport, colorScheme })),
  )
  .filter(({ look }) => process.env.LONG === '1' || look === 'desktop, dark' || look === 'phone, light');

/** Half a megabyte of axe is read once a document, not at each look; and what it finds in order need not come back with its elements. */
async function axe(page: Page): Promise<AxeBuilder> {
  const isThere = await page.evaluate(() => 'axe' in window);
  // The legacy mode differs for frames of other origins, of which there are none, and needs no second page for each look.
  return new AxeBuilder(isThere ? { page, axeSource: ';' } : { page })
    .options({ resultTypes: ['violations'] })
    .withTags(TAGS)
    .setLegacyMode();
}

/** Axe finds nothing on the screen as it is, and nothing is wider than it; the phone's look stays. */
export async function checkLooks(page: Page, name: string): Promise<void> {
  for (const { look, viewport, colorScheme } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    const [wide, tall] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
    expect(wide, `${name} fits the screen, ${look}`).toBeLessThanOrEqual(viewport.width);
    // Seen whole: what lies under the bar at the bottom is reached by scrolling, which axe does not do. What arrives
    // while axe looks (an answer of the daemon, another block) makes the page a few lines longer.
    await page.setViewportSize({ width: viewport.width, height: Math.max(viewport.height, (tall ?? 0) + 600) });
    const { violations } = await (await axe(page)).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    expect(found, `${name}, ${look}`).toEqual([]);
    await page.setViewportSize(viewport);
  }
}
