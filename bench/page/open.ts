import { type Browser, chromium, type Page, type Worker } from '@playwright/test';
import { cpuSeconds } from '../sync/process.ts';

/** A separate browser with the built page, and the resources its processes use. */
export interface OpenPage {
  readonly browser: Browser;
  readonly page: Page;
  /** CPU seconds of the page with its workers, and of the browser's network process. */
  cpu(): number;
  close(): Promise<void>;
}

export const CHROMIUM = '/usr/bin/chromium';

/**
 * Parts of a desktop's browser that a phone has not, and that take over a second of processor time while a page starts: the pages behind the
 * address bar. Processes kept in reserve for pages: ten seconds after one was started, the browser tidies its memory in a task of the page's
 * thread, in the midst of a restore whose words a script types at once. The others are those that Lighthouse's launcher turns off.
 */
const WITHOUT = 'WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess,MediaRouter,OptimizationHints,Translate';

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${WITHOUT}`,
  '--js-flags=--expose-gc',
];

export const sum = (pids: readonly number[], of: (pid: number) => number): number =>
  pids.reduce((total, pid) => total + of(pid), 0);

/** Opens the page at a URL, with a phone's screen size. */
export async function openPage(url: string): Promise<OpenPage> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const context = await browser.newContext({ baseURL: url, viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await nameFunctions(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'Restore' }).first().waitFor();
  const renderers = await processesOf(browser, /^renderer$/);
  const network = await processesOf(browser, /network|utility/i);
  return {
    browser,
    page,
    cpu: () => sum([...renderers, ...network], cpuSeconds),
    close: () => browser.close(),
  };
}

/** Ids of a browser's processes of one kind. */
export async function processesOf(browser: Browser, kind: RegExp): Promise<number[]> {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => kind.test(type)).map(({ id }) => id);
}

/** The compiler of these scripts names functions with a helper that does not exist in a page. */
export const nameFunctions = (page: Page): Promise<unknown> =>
  page.addInitScript({ content: 'globalThis.__name = (named) => named;' });

/** Tells the wallet's worker, which may not have started yet, the number of processors: one more than the scan workers wanted. */
export async function setScanWorkers(page: Page, scanWorkers: number): Promise<void> {
  const isWallets = (worker: Worker): boolean => worker.url().includes('wallet.worker');
  const worker = page.workers().find(isWallets) ?? (await page.waitForEvent('worker', isWallets));
  await worker.evaluate((value) => Object.defineProperty(navigator, 'hardwareConcurrency', { value }), scanWorkers + 1);
}

/** Collects garbage in the page and in its workers. */
export async function collectGarbage(page: Page): Promise<void> {
  const collect = (): void => (globalThis as { gc?: () => void }).gc?.();
  await page.evaluate(collect);
  for (const worker of page.workers()) await worker.evaluate(collect);
}
