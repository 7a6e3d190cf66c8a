import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import packageJson from './package.json' with { type: 'json' };
import { changes } from './scripts/changes.ts';
import { texts } from './scripts/texts.ts';
import { PAGE_POLICY } from './src/cli/http/headers.ts';

/**
 * What few visits need: fetched when it is asked for, and kept for offline use once the page has been come back to
 * (`workers/service-worker.ts`). Word lists of seeds, languages, codes of files and the camera's reader, the commands of the
 * wallet service, questions to a node, Ledgers, shared wallets, names looked up, `.keys` files, proofs, signing offline, the till, paper
 * wallets, restoring by other means than words, what makes an app of the page; and of the two kernels the one that this engine does not run.
 */
const LATER =
  /\/wasm\/build\/nightjar-(fma|ext)|\/(mnemonic|polyseed)\/languages\/(?!english\.json)|virtual:texts\/texts-(?!en-)|virtual:settings-texts|\/services\/find-settings\.ts|\/workers\/(paper-host|rpc|pairing|wallet-code|price|openalias|code-frame|find-word|code\.worker|node-query\/index)\.ts|\/re2js\/|\/services\/rates\.ts|\/codes\/(?!ScanButton)|\/src\/ur\/|\/managers\/(codes|ur-player)\.svelte|\/services\/codes\.ts|\/settings\/app\/|\/(AliasLookup|FindWord|RecipientList)\.svelte|\/services\/recipient-list\.ts|\/managers\/notifications\.svelte|\/settings\/(AccountDetail|AskNode|CoinFacts|Console|ContactsTable|Ledger|Money|Rename)\.svelte|\/components\/(ledger|group|home(?!\/ReceiveCode)|history)\/|\/views\/(Receipt|RestoreBackup|RestoreKeys|ViewOnly|Ledger|Group|MakeGroup|RestoreGroup|Till|Device|ColdHome|Codes)\.svelte|\/settings\/(proofs\/|Offline\.svelte)|\/managers\/ledger\.svelte|\/workers\/device-host\.ts|\/offline-signing\/keys-file\.ts|\/wallet\/paper-wallet\.ts|\/memory-store\.ts|\/components\/paper\/|\/views\/Paper\.svelte|\/managers\/paper\.svelte/;
/** Parts of the form that makes a wallet, with all that they import. */
const CREATE =
  /\/components\/(Checkbox|Form|PasswordField|SegmentedControl|WalletCreationFields)\.svelte$|\/managers\/wallet-creation\.svelte\.ts$|\/elements\/bindings\/input\.js$/;
/** What the first screen reaches through an index, and does not use. */
const NOT_FIRST = /\/svelte\/src\/(reactivity\/set|internal\/client\/dom\/(blocks\/await|elements\/bindings\/input))\.js$/;
const folderOf = (id: string): string => `assets/${LATER.test(id) ? 'later/' : ''}`;
// A part that several share is named by all of them; the first word is enough beside its hash.
const shortName = (name: string): string => name.split('~', 1)[0] ?? name;
interface Chunk {
  readonly name: string;
  readonly facadeModuleId?: string | null;
  readonly moduleIds: readonly string[];
}
const nameOf = ({ name, facadeModuleId, moduleIds }: Chunk): string =>
  `${folderOf(facadeModuleId ?? moduleIds.at(-1) ?? '')}${shortName(name)}-[hash].js`;
const assetFileNames = ({
  names: [name = ''],
  originalFileNames: [id = ''],
}: Record<'names' | 'originalFileNames', readonly string[]>): string =>
  `${folderOf(`/${id}`)}${shortName(name.replace(/\.[^.]+$/, ''))}-[hash][extname]`;

/** Parts that views share are merged up to this size, before minifying: a few files instead of dozens to open a wallet with. */
const SHARED_BYTES = 25_000;

/** How long each plugin took is nothing to somebody who starts a wallet; what is loaded later is told by the groups below. */
const CHECKS = { pluginTimings: false, ineffectiveDynamicImport: false };

/** Modules of the wallet do nothing but declare: what is loaded later keeps what it alone uses, though a room's index names it. */
const DECLARING = { moduleSideEffects: (id: string) => !/\/src\/(?!app\/)/.test(id) };

const OUT = join(import.meta.dirname, 'dist', 'app');
/**
 * What a part's bytes must hash to, for those whose names say nothing of their contents: from a server that changes to another build while the
 * service worker fetches this one, none of that build is kept with it (T13).
 */
const withHash = <Entry extends { url: string; revision: string | null }>(entry: Entry) =>
  entry.revision === null
    ? entry
    : {
        ...entry,
        integrity: `sha256-${createHash('sha256')
          .update(readFileSync(join(OUT, entry.url)))
          .digest('base64')}`,
      };

/**
 * The page's policy is in its document, too: not every server sends headers that its owner chooses. It stands after the first script, which is
 * run later: Chromium fetches nothing ahead that comes after a policy.
 */
const policy: Plugin = {
  name: 'policy',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: PAGE_POLICY }, injectTo: 'head' }],
  },
};

/** The plugin that builds the service worker says so at length, and asks for one file by an option's old name. */
const ofServiceWorker: Plugin = {
  name: 'of-service-worker',
  config(config) {
    const { output } = config.build?.rollupOptions ?? {};
    if (output === undefined || Array.isArray(output)) throw new Error('expected the options of one output');
    delete output.inlineDynamicImports;
    output.codeSplitting = false;
    return { logLevel: 'warn', build: { rolldownOptions: { checks: CHECKS } } };
  },
};

/**
 * Keeps the wallet worker's entry apart from the rest of it. WebKit runs a worker's entry a second time when a part that is loaded later imports
 * from it: the worker would then have two wallets.
 */
function entryApart(): Plugin {
  let isWallet = false;
  return {
    name: 'entry-apart',
    options({ input }) {
      isWallet = JSON.stringify(input).includes('wallet.worker');
    },
    outputOptions: (output) =>
      isWallet
        ? {
            ...output,
            codeSplitting: {
              groups: [{ name: 'wallet', tags: ['$initial'], test: (id) => !/\.worker\.ts/.test(id) && !LATER.test(id) }],
            },
          }
        : output,
  };
}

// The page: one HTML file, hashed assets, and a service worker that keeps them. Nothing inline, so that a strict
// content security policy (T12) needs no exception.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: 'public',
  plugins: [
    texts(),
    changes(packageJson.version),
    svelte(),
    policy,
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'workers',
      filename: 'service-worker.ts',
      injectRegister: false,
      manifest: false,
      injectManifest: {
        buildPlugins: { vite: [ofServiceWorker] },
        globPatterns: ['**/*.{html,js,css,wasm,svg,png,webmanifest,woff2}'],
        // What only the browser's own install dialog shows.
        globIgnores: ['screenshots/**', 'icon-512.png', 'icon-maskable-512.png'],
        maximumFileSizeToCacheInBytes: 4_000_000,
        manifestTransforms: [(entries) => ({ manifest: entries.map(withHash) })],
      },
    }),
  ],
  define: { __APP_VERSION__: JSON.stringify(packageJson.version) },
  worker: {
    format: 'es',
    plugins: () => [entryApart()],
    rolldownOptions: {
      checks: CHECKS,
      treeshake: DECLARING,
      output: { chunkFileNames: nameOf, entryFileNames: nameOf, assetFileNames },
    },
  },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // All of the first load in one script and one style sheet, and what views share in a few: on a slow line each file more is a wait more.
    rolldownOptions: {
      checks: CHECKS,
      treeshake: DECLARING,
      output: {
        chunkFileNames: nameOf,
        assetFileNames,
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], test: (id: string) => !NOT_FIRST.test(id), priority: 2 },
            // Who makes a wallet on a slow line waits for these parts alone.
            { name: 'create', test: CREATE, priority: 1 },
            {
              name: 'shared',
              test: (id: string) => !LATER.test(id),
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: SHARED_BYTES,
            },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1' },
});
