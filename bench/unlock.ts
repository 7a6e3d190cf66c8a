import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { restoreWallet } from 'nightjar';
import { createNodeScanPool, FileJournalStore } from 'nightjar/node';
import { startSite } from '../e2e/support/serve.ts';
import { amountAt, PASSWORD } from '../e2e/support/wallet.ts';
import { bytesToHex } from '../src/base/index.ts';
import { loadCrypto } from '../src/crypto/index.ts';
import { openPage } from './page/open.ts';
import { whenThere } from './page/watch.ts';
import { median, output, type Row, row } from './rows.ts';
import { type ChainParameters, loadChain, recipient } from './sync/chain.ts';
import { startBenchDaemon } from './sync/launch.ts';

/**
 * From the password to the balance with 10,000 outputs in the journal, including the password's hash, and from there to the entries. It is a real
 * wallet: synced from a chain where every transaction pays it, and loaded into the browser from its backup file.
 */

const PROCESSES = 5;
const GOAL_SECONDS = 1;
const GOAL_ENTRIES = 0.1;
/** An entry of the history, on Home or in History. */
const ENTRY = 'main a[href^="#/tx/"]';
const NAME = 'many outputs';
/** Milliseconds from the last character of the password to the button: none, and less than a thumb takes to get there. */
const PAUSES = [0, 500] as const;

/** Every transaction is ours: 10,000 outputs. */
const ownChain: ChainParameters = { transactions: 10_000, transactionsPerBlock: 25, untaggedShare: 0.25, ownedShare: 1 };

async function syncInto(folder: string, url: string): Promise<Uint8Array> {
  const { spendKey, viewKey } = recipient();
  const wallet = await restoreWallet({
    store: new FileJournalStore(folder),
    scanPool: () => createNodeScanPool(1),
    name: NAME,
    password: PASSWORD,
    network: 'regtest',
    from: { spendKey: bytesToHex(spendKey), viewKey: bytesToHex(viewKey) },
    scanFrom: { height: 0 },
  });
  await wallet.setDaemon({ url, trusted: false });
  await wallet.waitUntilSynced();
  const backup = await wallet.backup();
  await wallet.close();
  return backup;
}

async function unlockInNode(folder: string): Promise<{ seconds: number; total: bigint }> {
  const script = fileURLToPath(new URL('unlock-node.ts', import.meta.url));
  const line = await output(process.execPath, ['--import', import.meta.resolve('tsx'), script, folder, NAME, PASSWORD]);
  const [milliseconds, total] = line.trim().split(' ') as [string, string];
  return { seconds: Number(milliseconds) / 1000, total: BigInt(total) };
}

/** The time of the next event of a kind, by the page's clock. */
function whenNext(type: 'submit' | 'click'): Promise<number> {
  return new Promise((resolve) => document.addEventListener(type, () => resolve(Date.now()), { once: true, capture: true }));
}

/** Seconds: to the balance, from there to Home's entries, and from choosing History to its entries. */
interface Shown {
  readonly balance: number;
  readonly entries: number;
  readonly history: number;
}

/** Seconds between two times of the page's clock. */
const between = async (from: Promise<number>, to: Promise<number>): Promise<number> => ((await to) - (await from)) / 1000;

async function historyShown(page: Page): Promise<number> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.locator('.history').waitFor({ state: 'detached' });
  const chosen = page.evaluate(whenNext, 'click' as const);
  const entries = page.evaluate(whenThere, ENTRY);
  await page.getByRole('link', { name: 'History' }).click();
  return between(chosen, entries);
}

/** Opens the page again and unlocks it, after a pause of some milliseconds. */
async function unlockOnce(page: Page, pause: number, total: bigint): Promise<Shown> {
  await page.goto('/#/');
  await page.reload();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.waitForTimeout(pause);
  const submitted = page.evaluate(whenNext, 'submit' as const);
  const shown = page.evaluate(whenThere, '[data-testid=balance]');
  const entries = page.evaluate(whenThere, ENTRY);
  await page.getByRole('button', { name: 'Unlock' }).click();
  const unlocked = { balance: await between(submitted, shown), entries: await between(shown, entries) };
  const found = await amountAt(page, 'balance');
  if (found !== total) throw new Error(`the page shows ${found}, the wallet has ${total}`);
  return { ...unlocked, history: await historyShown(page) };
}

/** Loads the backup, then unlocks it `times` times with each pause. */
async function unlockInChromium(site: string, backup: Uint8Array, times: number, total: bigint): Promise<Shown[][]> {
  const opened = await openPage(site);
  const { page } = opened;
  try {
    await page.goto('/#/backup');
    await page.getByLabel('Wallet file').setInputFiles({
      name: 'backup',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(backup),
    });
    await page.getByLabel('Password of the backup').fill(PASSWORD);
    await page.getByRole('button', { name: 'Restore the wallet' }).click();
    await page.getByTestId('balance').waitFor();
    const seen: Shown[][] = PAUSES.map(() => []);
    for (let i = 0; i < times; i++)
      for (const [at, pause] of PAUSES.entries()) seen[at]!.push(await unlockOnce(page, pause, total));
    return seen;
  } finally {
    await opened.close();
  }
}

/** Rows for Node and Chromium. */
export async function unlockRows(processes = PROCESSES): Promise<Row[]> {
  await loadCrypto();
  const { owned } = await loadChain(ownChain);
  const folder = mkdtempSync(join(tmpdir(), 'nightjar-bench-'));
  const daemon = await startBenchDaemon(ownChain);
  const site = await startSite(['--port', '0', '--daemon', daemon.url]);
  try {
    const backup = await syncInto(folder, daemon.url);
    const node: number[] = [];
    for (let i = 0; i < processes; i++) {
      const { seconds, total } = await unlockInNode(folder);
      if (total !== owned.unspent) throw new Error(`the wallet has ${total}, the chain holds ${owned.unspent}`);
      node.push(seconds);
    }
    const chromium = await unlockInChromium(site.url, backup, processes, owned.unspent);
    const middle = (what: keyof Shown, at = 0) => median(chromium[at]!.map((one) => one[what]));
    const name = `unlock to balance, ${owned.count.toLocaleString('en')} outputs in the journal`;
    return [
      row(name, 'Node', median(node), GOAL_SECONDS, 'goal', 's'),
      row(name, 'Chromium', middle('balance'), GOAL_SECONDS, 'goal', 's'),
      row(
        `the same, ${PAUSES[1] / 1000} s after the last character`,
        'Chromium',
        middle('balance', 1),
        GOAL_SECONDS,
        'goal',
        's',
      ),
      row('from that balance to the entries of Home', 'Chromium', middle('entries'), GOAL_ENTRIES, 'goal', 's'),
      row('from choosing History to its entries', 'Chromium', middle('history'), GOAL_ENTRIES, 'goal', 's'),
    ];
  } finally {
    await site.stop();
    await daemon.stop();
    rmSync(folder, { recursive: true });
  }
}
