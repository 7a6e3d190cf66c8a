import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';

/** What a visit loads, as `gzip -9` makes it. */

/** kB of 1,000 bytes: before the first thing is shown. */
export const FIRST_LOAD_BUDGET = 85;
/** kB of 1,000 bytes: up to the first payment, with what is stored for offline use. */
export const FIRST_SEND_BUDGET = 450;
/** kB of 1,000 bytes: the form that makes a wallet, beside the first screen. On a line of 400 kb/s it takes a third of a second. */
export const FORM_BUDGET = 15;

const BUILT = new URL('../../dist/app/', import.meta.url);
/** Counted: js, css, wasm, html. Icons and the manifest are not. */
const COUNTED = /\.(js|css|wasm|html)$/;

const fileOf = (path: string): string => (path === '/' ? 'index.html' : (path.slice(1).split('?')[0] ?? ''));

/** kB of 1,000 bytes. @param paths as they were asked for, each counted once */
export function compressed(paths: Iterable<string>): number {
  const files = new Set([...paths].map(fileOf).filter((file) => COUNTED.test(file)));
  const bytes = [...files].map((file) => gzipSync(readFileSync(fileURLToPath(new URL(file, BUILT))), { level: 9 }).length);
  return bytes.reduce((sum, one) => sum + one, 0) / 1000;
}

/** A slow line: bytes per second, and milliseconds. What is fetched ahead then comes after the first paint, as it should. */
const SLOW = { offline: false, downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 400 };

/** What the first paint of a first visit needs: what has come by then on a slow line while the workers are kept waiting. */
export async function neededToPaint(page: Page): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.emulateNetworkConditions', SLOW);
  await page.route(/worker/, () => undefined);
  await page.goto('/', { waitUntil: 'commit' });
  return ['/', ...(await page.evaluate(loadedByFirstPaint))];
}

/** Runs in the page: what had come when it first painted something. */
function loadedByFirstPaint(): Promise<string[]> {
  const at = (paint: number): string[] =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => (entry as PerformanceResourceTiming).responseEnd <= paint)
      .map((entry) => new URL(entry.name).pathname);
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const paint = list.getEntriesByName('first-contentful-paint')[0];
      if (paint) resolve(at(paint.startTime));
    }).observe({ type: 'paint', buffered: true });
  });
}
