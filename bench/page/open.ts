import { type Browser, chromium, type Page } from '@playwright/test';
import { cpuSeconds, forgetPeak, peakMegabytes, residentMegabytes } from '../sync/process.ts';

/** A browser of its own with the built page in it, and what its processes use. */
export interface OpenPage {
  readonly browser: Browser;
  readonly page: Page;
  /** CPU seconds of the page with its workers, and of the browser's network process. */
  cpu(): number;
  /** Resident megabytes of the page's process: page, workers, wasm and buffers. */
  resident(): number;
  peak(): number;
  forgetPeak(): void;
  close(): Promise<void>;
}

export const CHROMIUM = '/usr/bin/chromium';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--js-flags=--expose-gc',
];

const sum = (pids: readonly number[], of: (pid: number) => number): number => pids.reduce((total, pid) => total + of(pid), 0);

/** Opens the page at an address, on a phone's screen. */
export async function openPage(url: string): Promise<OpenPage> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const context = await browser.newContext({ baseURL: url, viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  // The compiler of these scripts names functions with a helper that a page does not have.
  await page.addInitScript({ content: 'globalThis.__name = (named) => named;' });
  await page.goto('/');
  await page.getByRole('link', { name: 'Restore' }).first().waitFor();
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  const network = processInfo.filter(({ type }) => /network|utility/i.test(type)).map(({ id }) => id);
  return {
    browser,
    page,
    cpu: () => sum([...renderers, ...network], cpuSeconds),
    resident: () => sum(renderers, residentMegabytes),
    peak: () => sum(renderers, peakMegabytes),
    forgetPeak: () => renderers.forEach(forgetPeak),
    close: () => browser.close(),
  };
}

/** Tells the page's workers how many processors there are: one more than the scan workers wanted. */
export async function setScanWorkers(page: Page, scanWorkers: number): Promise<void> {
  for (const worker of page.workers()) {
    await worker.evaluate((value) => Object.defineProperty(navigator, 'hardwareConcurrency', { value }), scanWorkers + 1);
  }
}

/** Collects what is garbage by now, in the page and in its workers. */
export async function collectGarbage(page: Page): Promise<void> {
  const collect = (): void => (globalThis as { gc?: () => void }).gc?.();
  await page.evaluate(collect);
  for (const worker of page.workers()) await worker.evaluate(collect);
}
