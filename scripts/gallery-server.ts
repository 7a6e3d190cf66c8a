import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page, type Request } from '@playwright/test';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import {
  build,
  type Connect,
  createServer,
  type InlineConfig,
  type Plugin,
  type PreviewServer,
  preview,
  type ViteDevServer,
} from 'vite';
import packageJson from '../package.json' with { type: 'json' };
import playwright from '../playwright.config.ts';
import { texts } from './texts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const PAGE = '/src/app/gallery/';
/** Not 8421, where `npm run dev` serves. */
const PORT = 8422;

/** Components on each picture; together they are the whole gallery. */
const SHEETS: Readonly<Record<string, string>> = {
  tokens: 'tokens',
  icons: 'icons',
  amounts: 'Amount,AccountList,AccountPicker,AddressText,ShortAddress,Arrivals,CoinRow,HistoryRow,SortHeading',
  notices:
    'Callout,OfflineDeviceStatus,Notices,LazyComponent,EmptyState,UpdateOffer,GiveUp,CheckBlock,SecondDaemonLine,Steps,ProgressBar,StatusDot,SyncLine,Heading,Logo,NightScene,Icon,ThemeButton',
  fields:
    'Checkbox,SegmentedControl,Field,SearchField,Form,FileButton,CopyButton,PasteButton,Actions,Columns,ReservedHeight,Dialog,LabelDialog,LinkList,ActionRow,ContactPicker',
  making:
    'PasswordForm,Authenticate,Keypad,PinPad,WalletCreationFields,WalletCreationSteps,NewPassword,PasswordField,WalletName,RemoveWallet,RestoreFrom,SecretKeyFields,SeedEntry,SeedFields,SeedWords',
  paying:
    'Fact,SavePayee,PaymentFacts,PaymentKey,PaymentProof,PaymentReview,QrCode,QrZoom,QrSquare,RecipientFields,SendReview,SendStages,Sent,SecretCheck,AliasLookup,RecipientList,FindWord,FeeChoice,ReviewSummary',
  home: 'DraftLink,HomeTasks,PullToRefresh,ShareButton,StatusChip,FiatValue,PriceSource,PriceJumpWarning,home/,history/,settings/Money',
  codes: 'codes/',
  group: 'group/',
  ledger: 'ledger/',
  paper: 'paper/',
  offline: 'offline/',
  'settings-1':
    'settings/About,settings/AccountDetail,settings/Accounts,settings/Appearance,settings/ReauthLimit,settings/AskNode,settings/AutoLock,settings/ChangePassword,settings/Coins,settings/CoinTable,settings/CoinFacts,settings/Console,settings/Contacts,settings/ContactsTable',
  'settings-2':
    'settings/Daemon,settings/FindPayment,settings/Ledger,settings/Lookahead,settings/NodeField,settings/Nodes,settings/Offline,settings/Passkey',
  'settings-3':
    'settings/Pin,settings/Rename,settings/ResultForm,settings/Safety,settings/SaveKeysFile,settings/Scan,settings/SecondDaemon',
  'settings-4': 'settings/KeepReady,settings/SplitCoins,settings/proofs/,settings/app/AppSettings,settings/app/NameService',
};
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const;
const THEMES = ['light', 'dark'] as const;
const LANGUAGES = ['en', 'ar'] as const;

/** Serves the gallery at the root. */
const atRoot: Plugin = {
  name: 'nightjar-gallery',
  configureServer: ({ middlewares }) => leadHome(middlewares),
  configurePreviewServer: ({ middlewares }) => leadHome(middlewares),
};

function leadHome(middlewares: Connect.Server): void {
  middlewares.use((request, _, next) => {
    const [path, search = ''] = (request.url ?? '').split('?');
    if (path === '/') request.url = `${PAGE}?${search}`;
    next();
  });
}

/** The page's build configuration, without the parts for shipping. */
const config: InlineConfig = {
  configFile: false,
  root,
  clearScreen: false,
  logLevel: 'warn',
  plugins: [atRoot, texts(), svelte()],
  define: { __APP_VERSION__: JSON.stringify(packageJson.version) },
  worker: { format: 'es' },
};

const portOf = (server: ViteDevServer['httpServer'] | PreviewServer['httpServer']): number => {
  const address = server?.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** From its sources, with hot reload. */
async function serve(port: number): Promise<string> {
  const server = await createServer({
    ...config,
    optimizeDeps: { entries: ['src/app/gallery/index.html'] },
    server: { host: '127.0.0.1', port, strictPort: true },
  });
  await server.listen();
  return `http://127.0.0.1:${portOf(server.httpServer)}`;
}

/** Built, since otherwise each sample with its own document would load every module again. */
async function serveBuilt(folder: string): Promise<{ url: string; close: () => Promise<void> }> {
  const input = join(root, PAGE, 'index.html');
  await build({
    ...config,
    base: '/',
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', rolldownOptions: { input } },
  });
  const server = await preview({ ...config, build: { outDir: folder }, preview: { host: '127.0.0.1', port: 0 } });
  return { url: `http://127.0.0.1:${portOf(server.httpServer)}`, close: () => server.close() };
}

/** Milliseconds: a sheet with many documents loads slowly. */
const PATIENCE = 60_000;

/** Milliseconds without a request after which the page counts as loaded. */
const QUIET = 500;

/**
 * Watches a page's requests. Playwright's own `networkidle` is not always reached on sheets with many documents, even when all of their requests
 * have ended.
 * @returns a function that waits until no request was open for a while, and returns those still open after the timeout
 */
function watchRequests(page: Page): () => Promise<readonly string[]> {
  const open = new Set<Request>();
  let last = Date.now();
  const end = (request: Request): void => {
    open.delete(request);
    last = Date.now();
  };
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async () => {
    const deadline = Date.now() + PATIENCE;
    while (open.size > 0 || Date.now() - last < QUIET) {
      if (Date.now() > deadline) return [...open].map((request) => `still loading: ${request.url()}`);
      await page.waitForTimeout(QUIET / 5);
    }
    return [];
  };
}

/** Whether a document, or a dialog in it, can be scrolled sideways. */
function isTooWide(): boolean {
  const all = [document.documentElement, ...document.querySelectorAll('dialog')];
  return all.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
}

/**
 * Makes the window as high as its sheet, until the sheet keeps its height: a browser does not lay out documents below the window, which then
 * changed their heights while they were drawn.
 */
async function showWhole(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  const heightOf = (): Promise<number> =>
    page.evaluate(() => Math.ceil(document.querySelector('main')!.getBoundingClientRect().bottom));
  const deadline = Date.now() + PATIENCE;
  for (let last = 0, now = await heightOf(); now !== last && Date.now() < deadline; last = now, now = await heightOf()) {
    await page.setViewportSize({ width, height: Math.max(height, now) });
    await page.waitForTimeout(QUIET);
  }
}

/** Draws one whole sheet in one picture, when each document in it is ready. Returns the errors in it. */
async function draw(browser: Browser, address: string, size: keyof typeof SIZES, file: string): Promise<readonly string[]> {
  const page = await browser.newPage({ viewport: SIZES[size], reducedMotion: 'reduce' });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  const quiet = watchRequests(page);
  await page.goto(address, { timeout: PATIENCE });
  await page.locator('main').waitFor({ timeout: PATIENCE });
  // Each is ready when its simulated actions are done.
  for (const frame of page.frames().slice(1)) {
    const settled = frame.waitForSelector('html[data-settled]', { timeout: PATIENCE });
    await settled.catch(() => faults.push(`not settled: ${frame.url()}`));
  }
  faults.push(...(await quiet()));
  for (const frame of page.frames()) if (await frame.evaluate(isTooWide)) faults.push(`wider than the screen: ${frame.url()}`);
  await showWhole(page, SIZES[size]);
  await page.screenshot({ path: file, fullPage: true, timeout: PATIENCE });
  await page.close();
  return faults;
}

/** Every picture: a sheet in one size, theme and language. */
const PICTURES = Object.entries(SHEETS).flatMap(([sheet, part]) =>
  LANGUAGES.flatMap((language) =>
    (Object.keys(SIZES) as (keyof typeof SIZES)[]).flatMap((size) =>
      THEMES.map((theme) => ({ name: `${sheet}-${size}-${theme}-${language}`, part, size, theme, language })),
    ),
  ),
);

/** @returns the number of pictures with errors */
async function drawAll(url: string, folder: string, only: RegExp): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch(playwright.use?.launchOptions ?? {});
  let faulty = 0;
  for (const { name, part, size, theme, language } of PICTURES.filter((picture) => only.test(picture.name))) {
    const search = new URLSearchParams({ bare: 'yes', part, theme, language });
    const faults = await draw(browser, `${url}/?${search}`, size, join(folder, `${name}.png`));
    if (faults.length > 0) faulty += 1;
    console.log([name, ...faults].join('\n  '));
  }
  await browser.close();
  return faulty;
}

const { values } = parseArgs({
  options: { port: { type: 'string' }, pictures: { type: 'string' }, only: { type: 'string' } },
});
if (values.pictures === undefined) {
  console.log(`Gallery  ${await serve(Number(values.port ?? PORT))}/\nStop     Ctrl+C`);
} else {
  const built = mkdtempSync(join(tmpdir(), 'nightjar-gallery-'));
  const { url, close } = await serveBuilt(built);
  const faulty = await drawAll(url, values.pictures, new RegExp(values.only ?? ''));
  await close();
  rmSync(built, { recursive: true, force: true });
  process.exit(faulty === 0 ? 0 : 1);
}
