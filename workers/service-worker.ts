import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching';
import { hasFusedMultiplyAdd } from '../src/crypto/field-module.ts';

/**
 * Keeps the page so that it opens without a connection. Nothing from a daemon is ever kept here.
 * A new version waits until the person accepts it or the last page is closed (T13).
 */

interface PrecacheEntry {
  readonly url: string;
  readonly revision: string | null;
}

/** Chromium's static routes; other browsers leave them out. */
interface RoutingInstallEvent extends ExtendableEvent {
  addRoutes?(rules: readonly object[]): Promise<void>;
}

declare global {
  interface ServiceWorkerGlobalScopeEventMap {
    periodicsync: ExtendableEvent & { readonly tag: string };
  }
}

/** Under which the page asks to be woken (`src/app/services/waking.ts`). */
const LOOK_TAG = 'nightjar-look';
/** Milliseconds that a page has for it. */
const LOOK_PATIENCE = 60_000;

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: readonly PrecacheEntry[] };

/** Of the page's parts, those that few visits need (`vite.config.ts`): kept when they are used, or all of them when the page says so. */
const LATER = 'assets/later/';
const isLater = ({ url }: PrecacheEntry): boolean => url.startsWith(LATER);
const parts = [...self.__WB_MANIFEST];
const later = new Set(parts.filter(isLater).map(({ url }) => new URL(url, self.location.href).href));
/** Of the two kernels, the one that this engine runs. */
const kernel = `${LATER}nightjar-${hasFusedMultiplyAdd() ? 'fma' : 'ext'}-`;
/** A language is kept once it was spoken, not with all others. */
const isLanguage = (url: string): boolean => url.includes(`${LATER}texts-`);
const LATER_CACHE = 'nightjar-later';
/** Lies beside them once all are there. */
const COMPLETE = new URL('./assets/later/complete', self.location.href).href;

precacheAndRoute(
  parts.filter((entry) => !isLater(entry)),
  { cleanURLs: false, ignoreURLParametersMatching: [/^(?:title|text|url)$/] },
);
cleanupOutdatedCaches();

/** Whether this is the part that was asked for: a server that lacks a file may answer with its page, or lead to it. */
const isPart = ({ ok, redirected, headers }: Response): boolean =>
  ok && !redirected && !(headers.get('Content-Type') ?? '').startsWith('text/html');

async function keep(url: string): Promise<Response> {
  const cache = await caches.open(LATER_CACHE);
  const kept = await cache.match(url);
  if (kept && isPart(kept)) return kept;
  const answer = await fetch(url);
  if (isPart(answer)) await cache.put(url, answer.clone());
  return answer;
}

/** @throws where one of them cannot be had */
async function keepEach(urls: readonly string[]): Promise<void> {
  const answers = await Promise.all(urls.map(keep));
  const bad = answers.find((answer) => !isPart(answer));
  if (bad) throw new TypeError(`expected a part of the page, not an answer of status ${bad.status}`);
}

/** One after the other, beside what the page does. @throws where one of them cannot be had */
async function keepAll(): Promise<void> {
  for (const url of later) if (!isLanguage(url)) await keepEach([url]);
  await (await caches.open(LATER_CACHE)).put(COMPLETE, new Response('yes'));
}

/** As `texts-de-first`, whatever the version. */
const languagePart = (url: string): string | undefined => /texts-.+-(?:first|rest)/.exec(url)?.[0];

/** The kernel, languages that were spoken, and whether all else was kept: a new version keeps the same before it takes over. @throws where one cannot be had */
async function keepWhatIsNeeded(): Promise<void> {
  const cache = await caches.open(LATER_CACHE);
  const had = await cache.keys();
  const spoken = new Set(had.map(({ url }) => languagePart(url)));
  const needed = (url: string): boolean => url.includes(kernel) || (isLanguage(url) && spoken.has(languagePart(url)));
  await keepEach([...later].filter(needed));
  if (had.some(({ url }) => url === COMPLETE)) await keepAll();
}

self.addEventListener('fetch', (event) => {
  if (later.has(event.request.url)) event.respondWith(keep(event.request.url));
});

self.addEventListener('install', (event) => {
  // Requests that are never cached bypass this worker: a wallet that talks to its daemon would otherwise wake it all the
  // time, and a worker that is always awake is not relieved by its successor for minutes.
  const past = { or: [{ requestMethod: 'POST' }, { urlPattern: { pathname: '/nightjar.json' } }] };
  void (event as RoutingInstallEvent).addRoutes?.([{ condition: past, source: 'network' }]);
  event.waitUntil(keepWhatIsNeeded());
});

self.addEventListener('message', (event) => {
  const { type, urls } = event.data as { readonly type?: unknown; readonly urls?: unknown };
  // Answered with whether all is here.
  if (type === 'keep-all') {
    const done = keepAll().then(
      () => true,
      () => false,
    );
    event.waitUntil(done.then((all) => event.ports[0]?.postMessage(all)));
  }
  if (type === 'keep' && Array.isArray(urls)) event.waitUntil(Promise.all(urls.filter((url) => later.has(url)).map(keep)));
  if (type === 'version') event.ports[0]?.postMessage(__APP_VERSION__);
  if (type === 'accept-update') void self.skipWaiting();
});

// The browser wakes this worker now and then, where the person wants to be told of payments. No key is here to look with: a page whose wallet is
// open is asked to look, and without one nothing is done.
self.addEventListener('periodicsync', (event) => {
  if (event.tag === LOOK_TAG) event.waitUntil(askPagesToLook());
});

async function askPagesToLook(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' });
  await Promise.all(pages.map(askToLook));
}

/** Ends when the page has answered; a page that the browser has put to sleep never does. */
function askToLook(page: Client): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  const looked = new Promise((resolve) => {
    port1.onmessage = resolve;
  });
  page.postMessage({ type: 'look' }, [port2]);
  return Promise.race([looked, new Promise((resolve) => setTimeout(resolve, LOOK_PATIENCE))]);
}

// A word about an incoming payment leads to the page that said it.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showPage());
});

async function showPage(): Promise<void> {
  const [page] = await self.clients.matchAll({ type: 'window' });
  await (page ? page.focus() : self.clients.openWindow('./'));
}

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), forgetOld()]));
});

async function forgetOld(): Promise<void> {
  const cache = await caches.open(LATER_CACHE);
  const old = (await cache.keys()).filter(({ url }) => url !== COMPLETE && !later.has(url));
  await Promise.all(old.map((request) => cache.delete(request)));
}
