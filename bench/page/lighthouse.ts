import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { type Flags, startFlow } from 'lighthouse';
import { connect } from 'puppeteer-core';
import { startSite } from '../../e2e/support/serve.ts';
import { isLive, PASSWORD, restoreWallet } from '../../e2e/support/wallet.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { seedToWords } from '../../src/protocol/index.ts';
import { median, type Row, row } from '../rows.ts';
import { type ChainParameters, recipient } from '../sync/chain.ts';
import { startBenchDaemon } from '../sync/launch.ts';
import { CHROMIUM, FLAGS, nameFunctions } from './open.ts';
import { LIVE, whenThere } from './watch.ts';

/**
 * Lighthouse, with its mobile settings (a phone's screen, a slow line, a quarter of this processor), on the built page: Welcome while loading; then
 * a wallet of a thousand entries, whose Home is behind its password. An unlocked page is not loaded again, so for Home it measures the time from
 * the password until drawing ends (a timespan: blocked time, layout shifts), and the resulting screen.
 */

const ENTRIES = 1000;
const GOAL = 98;
/** Number of browsers, one after the other, of which the median counts. */
const RUNS = 5;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const PORT = 9333;

/** Every block's coinbase belongs to the wallet. */
const mined: ChainParameters = { transactions: 0, transactionsPerBlock: 0, untaggedShare: 0, ownedShare: 0, mined: ENTRIES };

interface Score {
  readonly screen: string;
  readonly category: string;
  /** 0 … 100. */
  readonly score: number;
}

/** Runs both screens through Lighthouse. */
async function scores(url: string): Promise<readonly Score[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nightjar-lighthouse-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: CHROMIUM,
    args: [...FLAGS, `--remote-debugging-port=${PORT}`],
    viewport: { width: 412, height: 823 },
    baseURL: url,
  });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await nameFunctions(page);
    return await drive(page, url);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function drive(page: Page, url: string): Promise<readonly Score[]> {
  const browser = await connect({ browserURL: `http://127.0.0.1:${PORT}`, defaultViewport: null });
  try {
    const [seen] = await browser.pages();
    if (!seen) throw new Error('expected a page in the browser');
    const flags: Flags = { onlyCategories: [...CATEGORIES], logLevel: 'error' };
    const flow = await startFlow(seen, { flags });
    await flow.navigate(`${url}/`, { name: 'Welcome' });
    await restoreWallet(page, seedToWords(recipient().spendKey).split(' '));
    await isLive(page);
    await page.reload();
    await page.getByLabel('Password', { exact: true }).focus();
    // Without test locators, which take longer on a slow phone than the page itself.
    const live = page.evaluate(whenThere, LIVE);
    await flow.startTimespan({ name: `Home of ${ENTRIES} entries` });
    await page.keyboard.insertText(PASSWORD);
    await page.keyboard.press('Enter');
    await live;
    await flow.endTimespan();
    await flow.snapshot({ name: `Home of ${ENTRIES} entries` });
    const { steps } = await flow.createFlowResult();
    for (const { name, lhr } of steps) tellFaults(name, lhr);
    return steps.flatMap(({ name, lhr }) => scoresOf(name, lhr));
  } finally {
    await browser.disconnect();
  }
}

type Result = Awaited<ReturnType<Awaited<ReturnType<typeof startFlow>>['createFlowResult']>>['steps'][number]['lhr'];

/** A timespan scores performance, a snapshot the other categories; those that a mode does not cover are left out. */
function scoresOf(screen: string, { gatherMode, categories }: Result): readonly Score[] {
  return Object.entries(categories).flatMap(([category, { score }]) => {
    const wrongMode =
      gatherMode === 'timespan' ? category !== 'performance' : gatherMode === 'snapshot' && category === 'performance';
    return score === null || wrongMode ? [] : [{ screen, category, score: score * 100 }];
  });
}

/** The audits that cost points, as a hint for improvements. */
function tellFaults(screen: string, { gatherMode, categories, audits }: Result): void {
  const weighed = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  for (const id of new Set(weighed.map((one) => one.id))) {
    const { score, title, displayValue = '' } = audits[id] ?? { score: null, title: '' };
    if (score !== null && score < 1)
      console.log(`  ${screen} (${gatherMode}): ${title} ${displayValue}, ${(score * 100).toFixed(0)}`);
  }
}

/** Rows for the scores. */
export async function lighthouseRows(): Promise<Row[]> {
  await loadCrypto();
  const daemon = await startBenchDaemon(mined);
  const site = await startSite(['--port', '0', '--daemon', daemon.url]);
  try {
    const runs: (readonly Score[])[] = [];
    for (let run = 0; run < RUNS; run++) runs.push(await scores(site.url));
    const [first = []] = runs;
    return first.map(({ screen, category }, at) => {
      const score = median(runs.map((all) => all[at]?.score ?? 0));
      return row(`Lighthouse, ${screen}: ${category}`, 'Chromium', score, GOAL, 'goal', 'points');
    });
  } finally {
    await site.stop();
    await daemon.stop();
  }
}
