import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';
import { restoreWallet } from '../../e2e/support/wallet.ts';
import { seedToWords } from '../../src/protocol/index.ts';
import { recipient } from '../sync/chain.ts';
import type { BenchDaemon } from '../sync/launch.ts';
import { forgetPeak, peakMegabytes, residentMegabytes } from '../sync/process.ts';
import { CHROMIUM, collectGarbage, FLAGS, nameFunctions, processesOf, setScanWorkers, sum } from './open.ts';

/**
 * A browser that is not controlled during the sync: a controller also keeps copies of responses, in the page's own process. It is controlled up to
 * the first request for blocks, and then left alone.
 */
interface LoneBrowser {
  /** Address of its control port. */
  readonly url: string;
  stop(): Promise<void>;
}

async function startBrowser(): Promise<LoneBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'nightjar-chromium-'));
  const flags = [...FLAGS, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--window-size=390,844'];
  const child = spawn(CHROMIUM, [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    // All of its processes at once: one that outlived the first would keep writing to the profile.
    process.kill(-child.pid!, 'SIGKILL');
    await ended;
    rmSync(profile, { recursive: true });
  };
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stderr.resume();
    return { url, stop };
  }
  throw new Error('expected the browser to say where it can be steered');
}

/**
 * Peak of the resident megabytes of the page's process during a whole sync (page, workers, wasm and buffers), minus those before there was a
 * wallet.
 */
export async function peakInChromium(site: string, daemon: BenchDaemon): Promise<number> {
  const lone = await startBrowser();
  try {
    const { pids, idle } = await readyAlone(lone.url, site, daemon);
    pids.forEach(forgetPeak);
    await daemon.go();
    await daemon.tip();
    return sum(pids, peakMegabytes) - idle;
  } finally {
    await lone.stop();
  }
}

/** Restores the chain's recipient, up to its first request for blocks, which is held; then disconnects from the browser. */
async function readyAlone(url: string, site: string, daemon: BenchDaemon): Promise<{ pids: number[]; idle: number }> {
  const browser = await chromium.connectOverCDP(url);
  try {
    const page = browser.contexts()[0]!.pages()[0]!;
    await nameFunctions(page);
    await page.goto(site);
    await page.getByRole('link', { name: 'Restore' }).first().waitFor();
    const pids = await processesOf(browser, /^renderer$/);
    const idle = sum(pids, residentMegabytes);
    await setScanWorkers(page, 1);
    await daemon.hold();
    await restoreWallet(page, seedToWords(recipient().spendKey).split(' '), undefined, site);
    await daemon.asked();
    // Memory left behind by the password hash does not count for the sync.
    await collectGarbage(page);
    return { pids, idle };
  } finally {
    await browser.close();
  }
}
