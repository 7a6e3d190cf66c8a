import { startSite } from '../../e2e/support/serve.ts';
import { amountAt, restoreWallet } from '../../e2e/support/wallet.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { seedToWords } from '../../src/protocol/index.ts';
import { recipient } from '../sync/chain.ts';
import { mixedChain } from '../sync/compare.ts';
import { type BenchDaemon, startBenchDaemon } from '../sync/launch.ts';
import type { SyncRun } from '../sync/native.ts';
import { collectGarbage, type OpenPage, openPage, setScanWorkers } from './open.ts';
import { LIVE, whenThere } from './watch.ts';

/** Restores the chain's recipient from its words, in a separate browser, up to its first request for blocks, which is held. */
export async function readyToSync(site: string, daemon: BenchDaemon, scanWorkers: number): Promise<OpenPage> {
  const opened = await openPage(site);
  await setScanWorkers(opened.page, scanWorkers);
  await daemon.hold();
  await restoreWallet(opened.page, seedToWords(recipient().spendKey).split(' '));
  await daemon.asked();
  // Memory left behind by the password hash does not count for the sync.
  await collectGarbage(opened.page);
  return opened;
}

/**
 * Measures restores in the built page, each in a separate browser that is ready to begin, from a daemon with a chain of its own.
 * @param measure lets the daemon go, and returns its measurement
 * @returns the measurements, one for each restore
 */
export async function inEachRestore<T>(
  transactions: number,
  restores: number,
  measure: (opened: OpenPage, daemon: BenchDaemon, site: string) => Promise<T>,
): Promise<readonly T[]> {
  await loadCrypto();
  const daemon = await startBenchDaemon(mixedChain(transactions));
  const site = await startSite(['--port', '0', '--daemon', daemon.url]);
  const measured: T[] = [];
  try {
    for (let i = 0; i < restores; i++) {
      const opened = await readyToSync(site.url, daemon, 1);
      try {
        measured.push(await measure(opened, daemon, site.url));
      } finally {
        await opened.close();
      }
    }
  } finally {
    await site.stop();
    await daemon.stop();
  }
  return measured;
}

/** One whole sync of the built page through its own server: from the first request for blocks to "up to date" on the screen. */
export async function syncInChromium(site: string, daemon: BenchDaemon, scanWorkers: number): Promise<SyncRun> {
  const opened = await readyToSync(site, daemon, scanWorkers);
  try {
    const live = opened.page.evaluate(whenThere, LIVE);
    const cpuBefore = opened.cpu();
    const began = Date.now();
    await daemon.go();
    const wall = ((await live) - began) / 1000;
    const cpu = opened.cpu() - cpuBefore;
    return { wall, cpu, total: await amountAt(opened.page, 'balance') };
  } finally {
    await opened.close();
  }
}
