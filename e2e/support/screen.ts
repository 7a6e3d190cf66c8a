import type { Page } from '@playwright/test';

/** Wake locks of a page. */
interface Lock {
  held: number;
  asked: number;
}

/** Counts wake lock requests, and how many locks are held. */
export async function watchScreen(page: Page): Promise<() => Promise<Lock>> {
  await page.addInitScript(() => {
    const lock = { held: 0, asked: 0 };
    Object.assign(window, { lock });
    const request = async () => {
      lock.asked += 1;
      lock.held += 1;
      const release = async () => {
        lock.held -= 1;
      };
      return { release };
    };
    Object.defineProperty(navigator, 'wakeLock', { value: { request } });
  });
  return () => page.evaluate(() => (window as unknown as { lock: Lock }).lock);
}
