import { PrecacheController } from 'workbox-precaching';
import { hasFusedMultiplyAdd } from '../src/crypto/field-module.ts';
import { AcceptedVersion, type Version } from './accepted-version.ts';
import { SHARED } from './shared.ts';

/**
 * Caches the page for offline use. Nothing from a daemon is ever cached. A new version is fetched completely, beside the one in use, which is
 * served until the person accepts the new one (T13).
 */

interface PrecacheEntry {
  readonly url: string;
  readonly revision: string | null;
}

/** Chromium's static routing API. */
interface RoutingInstallEvent extends ExtendableEvent {
  addRoutes?(rules: readonly object[]): Promise<void>;
}

declare global {
  interface ServiceWorkerGlobalScopeEventMap {
    periodicsync: ExtendableEvent & { readonly tag: string };
  }
}

/** Sync tag registered by `src/app/services/periodic-sync.ts`. */
const LOOK_TAG = 'nightjar-look';
/** Milliseconds that a page has to check for payments. */
const LOOK_PATIENCE = 60_000;

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: readonly PrecacheEntry[] };

/** Files that few visits need (`vite.config.ts`): cached when used, or all at once at the page's request. */
const LATER = 'assets/later/';
/** Folder of files with content hashes in their names. */
const ASSETS = new URL('./assets/', self.location.href).href;
/** Path of the site's configuration (`site.ts`). */
const CONFIG = new URL('./nightjar.json', self.location.href).pathname;
/** The WebAssembly kernel that this browser uses. */
const kernel = `${LATER}nightjar-${hasFusedMultiplyAdd() ? 'fma' : 'ext'}-`;
const isLater = (url: string): boolean => url.includes(LATER);
/** Texts of a language: cached only once they were used. */
const isLanguage = (url: string): boolean => url.includes(`${LATER}texts-`);
const LATER_CACHE = 'nightjar-later';
/** Marker entry: all of these files are cached. */
const COMPLETE = new URL('./assets/later/complete', self.location.href).href;
const INDEX = new URL('./index.html', self.location.href).href;

/** Whether a response is the file itself: a server may answer a missing file with its index page or a redirect. */
const isPart = ({ ok, redirected, headers }: Response): boolean =>
  ok && !redirected && !(headers.get('Content-Type') ?? '').startsWith('text/html');

/** The same for precached files, where only the index is HTML. */
const isFirstPart = (url: string, answer: Response): boolean => isPart(answer) || (answer.ok && url.startsWith(INDEX));
/** Workbox plugin. */
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

/** Returns a file from the cache, or fetches and caches it. @throws if the network or the cache fails */
async function keep(url: string): Promise<Response> {
  const cache = await caches.open(LATER_CACHE);
  const cached = await cache.match(url);
  if (cached && isPart(cached)) return cached;
  const answer = await fetch(url);
  if (isPart(answer)) await cache.put(url, answer.clone());
  return answer;
}

/** @throws if a file cannot be fetched or cached */
async function keepEach(urls: readonly string[]): Promise<void> {
  const answers = await Promise.all(urls.map(keep));
  const bad = answers.find((answer) => !isPart(answer));
  if (bad) throw new TypeError(`expected a part of the page, not an answer of status ${bad.status}`);
}

/** Caches all files of a version, one after the other. @throws if one cannot be fetched */
async function keepAll({ parts }: Version): Promise<void> {
  for (const url of Object.keys(parts)) if (isLater(url) && !isLanguage(url)) await keepEach([url]);
  await (await caches.open(LATER_CACHE)).put(COMPLETE, new Response('yes'));
}

/** E.g. `texts-de-first`, without the content hash. */
const languagePart = (url: string): string | undefined => /texts-.+-(?:first|rest)/.exec(url)?.[0];

/** Caches what a new version needs before it is offered: the kernel, the languages used so far, and everything if the old version had that. @throws if a file cannot be fetched */
async function keepWhatIsNeeded(): Promise<void> {
  const cache = await caches.open(LATER_CACHE);
  const had = await cache.keys();
  const spoken = new Set(had.map(({ url }) => languagePart(url)));
  const needed = (url: string): boolean => url.includes(kernel) || (isLanguage(url) && spoken.has(languagePart(url)));
  await keepEach(later.filter(needed));
  if (had.some(({ url }) => url === COMPLETE)) await keepAll(own);
}

/** URL of the file that a request is for, without its query; undefined for other requests. */
function partOf({ method, mode, url }: Request): string | undefined {
  const { origin, pathname } = new URL(url);
  const address = origin + pathname;
  if (method !== 'GET') return undefined;
  if (mode === 'navigate' && address === new URL('./', INDEX).href) return INDEX;
  return address in own.parts || address.startsWith(ASSETS) ? address : undefined;
}

/**
 * Serves a file of the accepted version. If the browser evicted it, this worker's own version of it is used; if the caches fail, the server.
 */
async function answer(part: string, event: FetchEvent): Promise<Response> {
  if (part === INDEX) await accepted.starting().catch(() => undefined);
  const { parts } = await accepted.get();
  const cached = await keptPart(parts[part] ?? part).catch(() => undefined);
  if (cached) return cached;
  if (part in parts && isLater(part)) return keep(part).catch(() => fetch(event.request));
  const key = own.parts[part];
  if (key === undefined) return fetch(event.request);
  event.waitUntil(mend());
  return (await keptPart(key).catch(() => undefined)) ?? fetch(event.request);
}

let mending: Promise<void> | undefined;
/** Fetches files of this worker's version that the browser evicted. */
function mend(): Promise<void> {
  mending ??= layAgain()
    .catch(() => undefined)
    .finally(() => {
      mending = undefined;
    });
  return mending;
}

/** @throws if a file cannot be fetched, e.g. because the server has another build */
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

/** Looks a file up by its cache key. Assets have content hashes, so files of other versions can be served to pages still using those. */
async function keptPart(key: string): Promise<Response | undefined> {
  const name = isLater(key) ? LATER_CACHE : first.strategy.cacheName;
  const cached = await (await caches.open(name)).match(key);
  return cached && (isPart(cached) || key.startsWith(INDEX)) ? cached : undefined;
}

/** Where the browser posts text that is shared with the page (`share_target` of the manifest): in an address it would be kept in its history. */
const SHARE = new URL('./share', self.location.href).href;
/** Names of the fields of {@link SHARE}. */
const SHARED_FIELDS = ['title', 'text', 'url'];
/** Characters of a field that are looked through for a request: any page may post here. */
const MOST_SHARED = 100_000;
/** Text shared last, as a query, until the page takes it. Only in memory: it may be the code of a wallet. */
let shared = '';

/** Takes what was shared, and leads to the page, which then asks for it. */
async function takeShared(request: Request): Promise<Response> {
  const form = await request.formData();
  shared = `?${new URLSearchParams(SHARED_FIELDS.map((name) => [name, String(form.get(name) ?? '').slice(0, MOST_SHARED)]))}`;
  return Response.redirect(new URL(`./${SHARED}`, self.location.href).href, 303);
}

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'POST' && url === SHARE) return event.respondWith(takeShared(event.request));
  const part = partOf(event.request);
  if (part === undefined) return;
  event.respondWith(answer(part, event));
  if (part === INDEX) event.waitUntil(noteStart(event.resultingClientId).catch(() => undefined));
});

/** Client ids of pages that reported their start. */
const started = new Set<string>();
/** Milliseconds between lookups of a client, which may not exist yet at the first one. */
const LOOKS = [0, 100, 400, 1500];

/** Counts a page load as a start once its client exists: another site may begin and abort loads of this page at will. */
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
  // time, and a worker that is always awake is not relieved by its successor for minutes. Shared text is posted by a navigation.
  const past = { or: [{ requestMethod: 'POST', requestMode: 'cors' }, { urlPattern: { pathname: CONFIG } }] };
  void (event as RoutingInstallEvent).addRoutes?.([{ condition: past, source: 'network' }]);
  event.waitUntil(install(event));
});

/** @throws if a file cannot be fetched */
async function install(event: ExtendableEvent): Promise<void> {
  await accepted.arrive();
  await Promise.all([first.install(event), keepWhatIsNeeded()]);
}

self.addEventListener('message', (event) => {
  const { type, urls, waits } = event.data as { readonly type?: unknown; readonly urls?: unknown; readonly waits?: unknown };
  const [port] = event.ports;
  // Replies whether everything is cached.
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
  // Replies with the text that was shared, once.
  if (type === 'shared') {
    port?.postMessage(shared);
    shared = '';
  }
  // Replies with the name of a version that waits to be accepted, if any.
  if (type === 'offered') event.waitUntil(accepted.offered().then((name) => port?.postMessage(name)));
  // Sent by pages of older versions, to a waiting worker.
  if (type === 'version') port?.postMessage(own.name);
  // Replies only on failure. Older pages do not send `waits`; they only know waiting workers.
  if (type === 'accept-update') event.waitUntil(acceptUpdate(waits !== false).catch(() => port?.postMessage('failed')));
});

async function keepOfVersion(urls: readonly string[]): Promise<void> {
  const { parts } = await accepted.get();
  await Promise.all(urls.filter((url) => url in parts && isLater(url)).map(keep));
}

/**
 * Accepts this version and reloads every open page: by taking over, or by a message if this worker is already active.
 * @param waits whether this worker is still waiting, which not every browser tells it
 */
async function acceptUpdate(waits: boolean): Promise<void> {
  await accepted.accept();
  if (waits) return self.skipWaiting();
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const page of pages) if (page.url.startsWith(self.registration.scope)) page.postMessage({ type: 'update' });
  await forgetOthers();
}

// Periodic sync, if the person turned on notifications. This worker has no keys: it asks pages with an open wallet to check for payments.
self.addEventListener('periodicsync', (event) => {
  if (event.tag === LOOK_TAG) event.waitUntil(askPagesToLook());
});

async function askPagesToLook(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' });
  await Promise.all(pages.map(askToLook));
}

/** Resolves when the page has answered, or after a timeout: a frozen page never answers. */
function askToLook(page: Client): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  const looked = new Promise((resolve) => {
    port1.onmessage = resolve;
  });
  page.postMessage({ type: 'look' }, [port2]);
  return Promise.race([looked, new Promise((resolve) => setTimeout(resolve, LOOK_PATIENCE))]);
}

// A click on a notification opens the page.
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

/** Deletes files of versions that are no longer in use. */
async function forgetOthers(): Promise<void> {
  const inUse = await accepted.keysInUse();
  for (const name of [first.strategy.cacheName, LATER_CACHE]) {
    const cache = await caches.open(name);
    // The cache may also have files of another page of this origin.
    const ours = (await cache.keys()).filter(({ url }) => name !== LATER_CACHE || url.startsWith(ASSETS));
    const others = ours.filter(({ url }) => url !== COMPLETE && !inUse.has(url));
    await Promise.all(others.map((request) => cache.delete(request)));
  }
}
