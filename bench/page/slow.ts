import { type Browser, chromium, type Page } from '@playwright/test';
import { startSite } from '../../e2e/support/serve.ts';
import { median, type Row, row } from '../rows.ts';
import { CHROMIUM, FLAGS, nameFunctions } from './open.ts';
import { whenThere } from './watch.ts';

/**
 * A first visit on a slow line, and on a slow phone's processor: from requesting the page to its first screen, and to the form that creates a
 * wallet. The browser's cache is empty.
 */

const VISITS = 5;
/** Browsers' "Slow 3G": 400 kb/s in both directions, 400 ms of latency. */
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const GOAL_SHOWN = 2;
const GOAL_USABLE = 4;
/** The button that creates a wallet. */
const USABLE = 'main form button[type=submit]';
const CREATE = 'main a[href="#/create"]';

interface Visit {
  /** Seconds until the first screen is shown. */
  readonly shown: number;
  /** Seconds until the form behind its first link is shown; the link is pressed at once. */
  readonly usable: number;
}

async function slowPage(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await nameFunctions(page);
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', LINE);
  return page;
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const page = await slowPage(browser, url);
  try {
    const began = Date.now();
    await page.goto('/', { waitUntil: 'commit' });
    const shown = await page.evaluate(whenThere, CREATE);
    await page.locator(CREATE).click();
    const usable = await page.evaluate(whenThere, USABLE);
    return { shown: (shown - began) / 1000, usable: (usable - began) / 1000 };
  } finally {
    await page.context().close();
  }
}

/** Rows for a slow line, medians over visits. */
export async function slowLineRows(visits = VISITS): Promise<Row[]> {
  const site = await startSite(['--port', '0', '--block-time', '3600']);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const all: Visit[] = [];
  try {
    for (let i = 0; i < visits; i++) all.push(await visit(browser, site.url));
  } finally {
    await browser.close();
    await site.stop();
  }
  const middle = (of: keyof Visit): number => median(all.map((one) => one[of]));
  return [
    row('first visit at 400 kb/s and 400 ms: the first screen', 'Chromium', middle('shown'), GOAL_SHOWN, 'goal', 's'),
    row(
      'first visit at 400 kb/s and 400 ms: the form that makes a wallet',
      'Chromium',
      middle('usable'),
      GOAL_USABLE,
      'goal',
      's',
    ),
  ];
}
