import { chromium } from '@playwright/test';
import { startFront } from '../../e2e/support/front.ts';
import { startSite } from '../../e2e/support/serve.ts';
import { createWallet, getTestCoins, send } from '../../e2e/support/wallet.ts';
import { compressed, FIRST_LOAD_BUDGET, FIRST_SEND_BUDGET, neededToPaint } from '../../e2e/support/weight.ts';
import { type Row, row } from '../rows.ts';
import { CHROMIUM, openPage } from './open.ts';

/**
 * Bytes of the built page compressed with `gzip -9`: those needed for the first paint, and all requested up to the first send, by page, workers and
 * service worker together. Observed in a real visit, at a server in front of the page's own.
 */

/** Any address on the test chain. */
const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

async function firstVisit(url: string): Promise<string[]> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ baseURL: url });
    await page.addInitScript({ content: 'globalThis.__name = (named) => named;' });
    return await neededToPaint(page);
  } finally {
    await browser.close();
  }
}

/** Rows for the bytes loaded. */
export async function sizeRows(): Promise<Row[]> {
  const site = await startSite(['--port', '0', '--block-time', '1']);
  const front = await startFront(site.url);
  const opened = await openPage(front.url);
  try {
    const painted = compressed(await firstVisit(site.url));
    await createWallet(opened.page);
    await getTestCoins(opened.page);
    await send(opened.page, PAYEE, '0.1');
    const visit = compressed(front.asked);
    return [
      row('needed for the first paint, gzip -9', 'Chromium', painted, FIRST_LOAD_BUDGET, 'goal', 'kB'),
      row(
        'loaded up to the first send, service worker and its store included, gzip -9',
        'Chromium',
        visit,
        FIRST_SEND_BUDGET,
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
