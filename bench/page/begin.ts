import { type Browser, chromium } from '@playwright/test';
import { startSite } from '../../e2e/support/serve.ts';
import { median, type Row, row } from '../rows.ts';
import { CHROMIUM, FLAGS, nameFunctions } from './open.ts';
import { whenThere } from './watch.ts';

/**
 * A new wallet on a phone that never visited before: from the first tap, on "Create a wallet", to a receive code on the screen. Each visit has a
 * fresh profile and no node answers it, since a wallet is useful before any sync. The script types the password at once: only the page's time is
 * measured.
 */

const VISITS = 5;
/** Seconds from the first tap to a wallet that can receive. */
const GOAL = 12;
const SLOWDOWNS = [1, 4];
const PASSWORD = 'correct horse battery';
const CREATE = 'main a[href="#/create"]';
const RECEIVE_CODE = 'main svg[role=img][shape-rendering]';

/** Seconds of one visit. @param slowdown of the page's processor */
async function begin(browser: Browser, url: string, slowdown: number): Promise<number> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: 'reduce',
  });
  try {
    await context.route('**/daemon/**', (route) => route.abort());
    const page = await context.newPage();
    await nameFunctions(page);
    const client = await context.newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto('/');
    await page.locator(CREATE).waitFor();
    const began = Date.now();
    await page.locator(CREATE).tap();
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('New password, again').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the wallet' }).tap();
    await page.getByRole('navigation').getByRole('link', { name: 'Receive' }).tap();
    return ((await page.evaluate(whenThere, RECEIVE_CODE)) - began) / 1000;
  } finally {
    await context.close();
  }
}

/** Rows for a new wallet, medians over visits. */
export async function beginRows(visits = VISITS): Promise<Row[]> {
  const site = await startSite(['--port', '0', '--block-time', '3600']);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const rows: Row[] = [];
  try {
    for (const slowdown of SLOWDOWNS) {
      const all: number[] = [];
      for (let i = 0; i < visits; i++) all.push(await begin(browser, site.url, slowdown));
      const name = `first tap to the receive code of a new wallet, no node in reach, page's thread slowed ${slowdown}×`;
      rows.push(row(name, 'Chromium', median(all), GOAL, 'goal', 's'));
    }
  } finally {
    await browser.close();
    await site.stop();
  }
  return rows;
}
