import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page, type Worker } from '@playwright/test';
import { build } from 'vite';
import { PageFiles } from '../../../src/cli/http/files.ts';
import { createSiteServer } from '../../../src/cli/http/server.ts';
import { MonerodUpstream } from '../../../src/cli/http/upstream.ts';
import type { WalletHost } from '../../../workers/client.ts';
import type { Outcome, SoakPage } from './page.ts';
import { callsByName, PASSWORD, type SoakWallet } from './wallet.ts';

const NAME = 'ours';
const NEVER = 0;

/** An error of the page's wallet, rethrown on this side. */
class PageError extends Error {
  constructor(
    override readonly name: string,
    readonly code: string | undefined,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}

/**
 * Our wallet in Chromium: the page's client, wallet worker, scan workers and IndexedDB, behind the gateway with its headers. Only the user
 * interface is left out.
 */
export async function startChromiumWallet(words: string, daemonUrl: string): Promise<SoakWallet> {
  const site = await serveSite(daemonUrl);
  const browser = await launch();
  const stop = async () => {
    await browser.close();
    await site.stop();
  };
  try {
    const page = await openPage(browser, site.url);
    await onHost(page, 'site', []);
    const daemon = { url: '/daemon', trusted: true };
    const made = { name: NAME, password: PASSWORD, network: 'regtest', daemon } as const;
    await onHost(page, 'restoreFromSeed', [made, words, '', { kind: 'height', height: 0 }]);
    return {
      api: callsByName((path, args) => onWallet(page, path, args)),
      passTime: async (ms) => walletWorker(page).evaluate(shiftClock, ms),
      reopen: async () => {
        await onHost(page, 'lock', []);
        await onHost(page, 'open', [NAME, PASSWORD]);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The bare page, built like the wallet's own, with the gateway to a daemon on its origin. */
async function serveSite(daemonUrl: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'nightjar-soak-'));
  await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('.', import.meta.url)),
    base: './',
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  });
  const upstream = new MonerodUpstream({ url: new URL(daemonUrl) });
  const server = createSiteServer({ network: 'regtest', regtest: true, upstream, files: new PageFiles(folder) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      upstream.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function launch(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(NEVER);
  await page.goto(url);
  await page.waitForFunction(() => 'soakPage' in globalThis);
  return page;
}

// These run inside the page.
declare const soakPage: SoakPage;
const callHost = ([name, args]: readonly [keyof WalletHost, readonly unknown[]]) => soakPage.host(name, args);
const callWallet = ([path, args]: readonly [readonly string[], readonly unknown[]]) => soakPage.wallet(path, args);
const askCrash = () => soakPage.crash();

type HostMethod = Exclude<keyof WalletHost, 'wallet' | 'device' | 'paper'>;

const onHost = async <K extends HostMethod>(page: Page, name: K, args: Parameters<WalletHost[K]>): Promise<unknown> =>
  told(page, await page.evaluate(callHost, [name, args] as const));

const onWallet = async (page: Page, path: readonly string[], args: readonly unknown[]): Promise<unknown> =>
  told(page, await page.evaluate(callWallet, [path, args] as const));

async function told(page: Page, outcome: Outcome): Promise<unknown> {
  if ('value' in outcome) return outcome.value;
  const crash = await page.evaluate(askCrash);
  const { name, code, message } = outcome.error;
  throw new PageError(name, code, crash === undefined ? message : `${message} (the wallet worker died: ${crash})`);
}

function walletWorker(page: Page): Worker {
  const worker = page.workers().find((candidate) => candidate.url().includes('wallet.worker'));
  if (worker === undefined) throw new Error('expected the page to run a wallet worker');
  return worker;
}

/** Runs inside the worker: its clock is ahead from now on, like after a machine's sleep. */
function shiftClock(ms: number): void {
  const before = Date.now;
  Date.now = () => before() + ms;
}
