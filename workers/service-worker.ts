import { PrecacheController } from 'workbox-precaching';
import { hasFusedMultiplyAdd } from '../src/crypto/field-module.ts';
import { AcceptedVersion, type Version } from './accepted-version.ts';

/**
 * Keeps the page so that it opens without a connection. Nothing from a daemon is ever kept here. A new version is fetched whole and laid beside
 * the one in use; the page goes on as it was, also when it is opened again, until the person accepts the new one (T13).
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

/** Under which the page asks to be woken (`src/app/services/periodic-sync.ts`). */
const LOOK_TAG = 'nightjar-look';
/** Milliseconds that a page has for it. */
const LOOK_PATIENCE = 60_000;

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: readonly PrecacheEntry[] };

/** Of the page's parts, those that few visits need (`vite.config.ts`): kept when they are used, or all of them when the page says so. */
const LATER = 'assets/later/';
/** What all other parts but a handful lie under, by names that change with what is in them. */
const ASSETS = new URL('./assets/', self.location.href).href;
/** Of the two kernels, the one that this engine runs. */
const kernel = `${LATER}nightjar-${hasFusedMultiplyAdd() ? 'fma' : 'ext'}-`;
const isLater = (url: string): boolean => url.includes(LATER);
/** A language is kept once it was spoken, not with all others. */
const isLanguage = (url: string): boolean => url.includes(`${LATER}texts-`);
const LATER_CACHE = 'nightjar-later';
/** Lies beside them once all are there. */
const COMPLETE = new URL('./assets/later/complete', self.location.href).href;
const INDEX = new URL('./index.html', self.location.href).href;

/** Whether this is the part that was asked for: a server that lacks a file may answer with its page, or lead to it. */
const isPart = ({ ok, redirected, headers }: Response): boolean =>
  ok && !redirected && !(headers.get('Content-Type') ?? '').startsWith('text/html');

/** Of the first parts one alone is a page. */
const isFirstPart = (url: string, answer: Response): boolean => isPart(answer) || (answer.ok && url.startsWith(INDEX));
/** For the library that fetches them. */
const partsOnly = {
  cacheWillUpdate: async ({ request, response }: { request: Request; response: Response }): Promise<Response | null> =>
    isFirstPart(request.url, response) ? response : null,
};

const parts = [...self.__WB_MANIFEST];
const first = new PrecacheController({ plugins: [partsOnly] });
first.addToCacheList(parts.filter(({ url }) => !isLater(url)));
const later = parts.map(({ url }) => new URL(url, self.location.href).href).filter(isLater);
/** The version that this worker was built with. */
const own: Version = {
  name: __APP_VERSION__,
  parts: Object.fromEntries([...first.getURLsToCacheKeys(), ...later.map((url) => [url, url])]),
};
const accepted = new AcceptedVersion(own, self.location.href);

/** @throws where it cannot be had, or the browser has no room for it */
async function keep(url: string): Promise<Response> {
  const cache = await caches.open(LATER_CACHE);
  const kept = await cache.match(url);
  if (kept && isPart(kept)) return kept;
  const answer = await fetch(url);
  if (isPart(answer)) await cache.put(url, answer.clone());
  return answer;
}

/** @throws where one of them cannot be had, or kept */
async function keepEach(urls: readonly string[]): Promise<void> {
  const answers = await Promise.all(urls.map(keep));
  const bad = answers.find((answer) => !isPart(answer));
  if (bad) throw new TypeError(`expected a part of the page, not an answer of status ${bad.status}`);
}

/** One after the other, beside what the page does. @throws where one of them cannot be had */
async function keepAll({ parts }: Version): Promise<void> {
  for (const url of Object.keys(parts)) if (isLater(url) && !isLanguage(url)) await keepEach([url]);
  await (await caches.open(LATER_CACHE)).put(COMPLETE, new Response('yes'));
}

/** As `texts-de-first`, whatever the version. */
const languagePart = (url: string): string | undefined => /texts-.+-(?:first|rest)/.exec(url)?.[0];

/** The kernel, languages that were spoken, and whether all else was kept: a new version keeps the same before it is offered. @throws where one cannot be had */
async function keepWhatIsNeeded(): Promise<void> {
  const cache = await caches.open(LATER_CACHE);
  const had = await cache.keys();
  const spoken = new Set(had.map(({ url }) => languagePart(url)));
  const needed = (url: string): boolean => url.includes(kernel) || (isLanguage(url) && spoken.has(languagePart(url)));
  await keepEach(later.filter(needed));
  if (had.some(({ url }) => url === COMPLETE)) await keepAll(own);
}

/** The part that a request is for, if it is for one: what the page reads of its own address makes no difference. */
function partOf({ method, mode, url }: Request): string | undefined {
  const { origin, pathname } = new URL(url);
  const address = origin + pathname;
  if (method !== 'GET') return undefined;
  if (mode === 'navigate' && address === new URL('./', INDEX).href) return INDEX;
  return address in own.parts || address.startsWith(ASSETS) ? address : undefined;
}

/**
 * A part of the version that the person has accepted. Where the browser dropped it, the worker's own version has one that is whole; where the
 * caches fail, its server is asked.
 */
async function answer(part: string, event: FetchEvent): Promise<Response> {
  if (part === INDEX) await accepted.starting().catch(() => undefined);
  const { parts } = await accepted.get();
  const kept = await keptPart(parts[part] ?? part).catch(() => undefined);
  if (kept) return kept;
  if (part in parts && isLater(part)) return keep(part).catch(() => fetch(event.request));
  const key = own.parts[part];
  if (key === undefined) return fetch(event.request);
  event.waitUntil(mend());
  return (await keptPart(key).catch(() => undefined)) ?? fetch(event.request);
}

let mending: Promise<void> | undefined;
/** Lays down again what the browser dropped of the worker's own version, for the next time without a connection. */
function mend(): Promise<void> {
  mending ??= layAgain()
    .catch(() => undefined)
    .finally(() => {
      mending = undefined;
    });
  return mending;
}

/** @throws where a part cannot be had: the server has another build */
async function layAgain(): Promise<void> {
  const cache = await caches.open(first.strategy.cacheName);
  for (const [url, key] of first.getURLsToCacheKeys()) {
    if (await keptPart(key)) continue;
    const integrity = first.getIntegrityForCacheKey(key) ?? '';
    const answer = await fetch(url, { integrity, cache: 'no-cache', credentials: 'same-origin' });
    if (!isFirstPart(url, answer)) throw new TypeError(`expected a part of the page, not an answer of status ${answer.status}`);
    await cache.put(key, answer);
  }
  if (await (await caches.open(LATER_CACHE)).match(COMPLETE)) await keepAll(own);
}

/** Names of assets tell what is in them: one that was kept for another version serves an open page of that version. */
async function keptPart(key: string): Promise<Response | undefined> {
  const name = isLater(key) ? LATER_CACHE : first.strategy.cacheName;
  const kept = await (await caches.open(name)).match(key);
  return kept && (isPart(kept) || key.startsWith(INDEX)) ? kept : undefined;
}

self.addEventListener('fetch', (event) => {
  const part = partOf(event.request);
  if (part === undefined) return;
  event.respondWith(answer(part, event));
  if (part === INDEX) event.waitUntil(noteStart(event.resultingClientId).catch(() => undefined));
});

/** Pages that have said that they have started, by the browser's names for them. */
const started = new Set<string>();
/** Milliseconds between looks for a page. Most browsers answer the first once it is there, or never will be. */
const LOOKS = [0, 100, 400, 1500];

/** A page that never comes to be there is no start: another site may begin to open this one as often as it likes, and stop, unseen. */
async function noteStart(page: string): Promise<void> {
  for (const pause of LOOKS) {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    const isThere = (await self.clients.get(page)) !== undefined;
    if (started.delete(page)) return;
    if (isThere) return accepted.opened();
  }
}

self.addEventListener('install', (event) => {
  // Requests that are never cached bypass this worker: a wallet that talks to its daemon would otherwise wake it all the
  // time, and a worker that is always awake is not relieved by its successor for minutes.
  const past = { or: [{ requestMethod: 'POST' }, { urlPattern: { pathname: '/nightjar.json' } }] };
  void (event as RoutingInstallEvent).addRoutes?.([{ condition: past, source: 'network' }]);
  event.waitUntil(install(event));
});

/** @throws where a part cannot be had */
async function install(event: ExtendableEvent): Promise<void> {
  await accepted.arrive();
  await Promise.all([first.install(event), keepWhatIsNeeded()]);
}

self.addEventListener('message', (event) => {
  const { type, urls, waits } = event.data as { readonly type?: unknown; readonly urls?: unknown; readonly waits?: unknown };
  const [port] = event.ports;
  // Answered with whether all is here.
  if (type === 'keep-all') {
    const done = accepted
      .get()
      .then(keepAll)
      .then(
        () => true,
        () => false,
      );
    event.waitUntil(done.then((all) => port?.postMessage(all)));
  }
  if (type === 'keep' && Array.isArray(urls)) event.waitUntil(keepOfVersion(urls).catch(() => undefined));
  if (type === 'started') {
    if (event.source !== null && 'id' in event.source) started.add(event.source.id);
    event.waitUntil(accepted.started().catch(() => undefined));
  }
  // Answered with the name of a version that waits to be accepted, if one does.
  if (type === 'offered') event.waitUntil(accepted.offered().then((name) => port?.postMessage(name)));
  // Asked of a worker that waits, by pages from before a version could be accepted later: they offer what it answers.
  if (type === 'version') port?.postMessage(own.name);
  // Answered where it fails. Those pages do not say whether it waits: none but a waiting worker is known to them.
  if (type === 'accept-update') event.waitUntil(acceptUpdate(waits !== false).catch(() => port?.postMessage('failed')));
});

async function keepOfVersion(urls: readonly string[]): Promise<void> {
  const { parts } = await accepted.get();
  await Promise.all(urls.filter((url) => url in parts && isLater(url)).map(keep));
}

/**
 * Has every open page load itself anew: it does when another worker takes over, and where this one is at work already it is told.
 * @param waits whether this worker waits still; not every engine tells it that
 */
async function acceptUpdate(waits: boolean): Promise<void> {
  await accepted.accept();
  if (waits) return self.skipWaiting();
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const page of pages) if (page.url.startsWith(self.registration.scope)) page.postMessage({ type: 'update' });
  await forgetOthers();
}

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
  event.waitUntil(Promise.all([self.clients.claim(), accepted.begin().then(forgetOthers)]));
});

/** Drops the parts of versions that are neither shown nor wait to be. */
async function forgetOthers(): Promise<void> {
  const inUse = await accepted.keysInUse();
  for (const name of [first.strategy.cacheName, LATER_CACHE]) {
    const cache = await caches.open(name);
    // Another page of this origin has parts of its own there.
    const ours = (await cache.keys()).filter(({ url }) => name !== LATER_CACHE || url.startsWith(ASSETS));
    const others = ours.filter(({ url }) => url !== COMPLETE && !inUse.has(url));
    await Promise.all(others.map((request) => cache.delete(request)));
  }
}
