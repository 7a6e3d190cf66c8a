import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching';

/**
 * Keeps the page so that it opens without a connection. Nothing from a daemon is ever kept here.
 * A new version waits until the person accepts it (T13).
 */

interface PrecacheEntry {
  readonly url: string;
  readonly revision: string | null;
}

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: readonly PrecacheEntry[] };

precacheAndRoute([...self.__WB_MANIFEST], { cleanURLs: false });
cleanupOutdatedCaches();

self.addEventListener('message', (event) => {
  const { type } = event.data as { readonly type?: unknown };
  if (type === 'version') event.ports[0]?.postMessage(__APP_VERSION__);
  if (type === 'accept-update') void self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});
