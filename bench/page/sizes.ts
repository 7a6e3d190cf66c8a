import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { startFront } from '../../e2e/support/front.ts';
import { startSite } from '../../e2e/support/serve.ts';
import { createWallet, getTestCoins, send } from '../../e2e/support/wallet.ts';
import { type Row, row } from '../rows.ts';
import { CHROMIUM, openPage } from './open.ts';

/**
 * Bytes of the built page as `gzip -9` makes them: what a first visit needs to paint, and all it asks for up to its first send, by
 * page, workers and service worker together. Seen in a real visit, at a server in front of the page's own.
 */

const FIRST_PAINT_GOAL = 120;
const FIRST_SEND_GOAL = 450;
const BUILT = new URL('../../dist/app/', import.meta.url);
/** Counted: js, css, wasm, html. Icons and the manifest are not. */
const COUNTED = /\.(js|css|wasm|html)$/;
/** Anybody's address on the test chain. */
const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

const fileOf = (path: string): string => (path === '/' ? 'index.html' : path.slice(1).split('?')[0]!);

/** kB of 1,000 bytes. */
function compressed(paths: Iterable<string>): number {
  const files = new Set([...paths].map(fileOf).filter((file) => COUNTED.test(file)));
  const bytes = [...files].map((file) => gzipSync(readFileSync(fileURLToPath(new URL(file, BUILT))), { level: 9 }).length);
  return bytes.reduce((sum, one) => sum + one, 0) / 1000;
}

/** What had come when the page first painted something. */
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

/** What the first paint of a first visit needs: what has come by then while the workers are kept waiting. */
async function neededToPaint(url: string): Promise<string[]> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.addInitScript({ content: 'globalThis.__name = (named) => named;' });
    await page.route(/worker/, () => undefined);
    await page.goto(url, { waitUntil: 'commit' });
    return await page.evaluate(loadedByFirstPaint);
  } finally {
    await browser.close();
  }
}

/** Rows for what is loaded. */
export async function sizeRows(): Promise<Row[]> {
  const site = await startSite(['--port', '0', '--block-time', '1']);
  const front = await startFront(site.url);
  const opened = await openPage(front.url);
  try {
    const painted = compressed(['/', ...(await neededToPaint(site.url))]);
    await createWallet(opened.page);
    await getTestCoins(opened.page);
    await send(opened.page, PAYEE, '0.1');
    const visit = compressed(front.asked);
    return [
      row('needed for the first paint, gzip -9', 'Chromium', painted, FIRST_PAINT_GOAL, 'goal', 'kB'),
      row(
        'loaded up to the first send, service worker and its store included, gzip -9',
        'Chromium',
        visit,
        FIRST_SEND_GOAL,
        'goal',
        'kB',
      ),
    ];
  } finally {
    await opened.close();
    await front.close();
    await site.stop();
  }
}
