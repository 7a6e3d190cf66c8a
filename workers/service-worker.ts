import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching';

/**
 * Keeps the page so that it opens without a connection. Nothing from a daemon is ever kept here.
 * A new version waits until the person accepts it (T13).
 */

interface PrecacheEntry {
  readonly url: string;
  readonly revision: string | null;
}

/** Chromium's static routes; other browsers leave them out. */
interface RoutingInstallEvent extends ExtendableEvent {
  addRoutes?(rules: readonly object[]): Promise<void>;
}

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: readonly PrecacheEntry[] };

precacheAndRoute([...self.__WB_MANIFEST], { cleanURLs: false });
cleanupOutdatedCaches();

self.addEventListener('install', (event) => {
  // What is never kept goes to the network past this worker: a wallet that talks to its daemon would otherwise wake it all the
  // time, and a worker that is always awake is not relieved by its successor for minutes.
  const past = { or: [{ requestMethod: 'POST' }, { urlPattern: { pathname: '/nightjar.json' } }] };
  void (event as RoutingInstallEvent).addRoutes?.([{ condition: past, source: 'network' }]);
});

self.addEventListener('message', (event) => {
  const { type } = event.data as { readonly type?: unknown };
  if (type === 'version') event.ports[0]?.postMessage(__APP_VERSION__);
  if (type === 'accept-update') void self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});
