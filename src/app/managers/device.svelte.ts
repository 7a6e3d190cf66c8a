import { whenIdle } from '../services/frame-scheduling.ts';
import { localStore } from '../services/local-store.ts';
import { cacheWholePage, isUnmetered, registerServiceWorker } from '../services/page-cache.ts';
import { setPeriodicSync } from '../services/periodic-sync.ts';

const OFFLINE = 'nightjar.offline-device';
/** Milliseconds after which caching the page starts even if the browser was never idle. */
const KEEP_WITHIN = 60_000;

/** Offline mode of this device (no daemon is ever contacted, whichever wallet is opened), and caching of the page. */
class Device {
  offline = $state(localStore.get(OFFLINE) !== undefined);
  /** The whole page is cached: it works without its server. */
  isPageCached = $state(false);
  #keeping: Promise<void> | undefined;

  constructor() {
    const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
    // The first visit loads only what it needs; a later one caches the rest when idle.
    const back = workers?.controller != null;
    if (this.offline || (back && isUnmetered())) whenIdle(() => void this.cachePage(), KEEP_WITHIN);
  }

  /** Caches the whole page; can be retried after a failure. */
  async cachePage(): Promise<void> {
    if (!('serviceWorker' in navigator)) return;
    this.#keeping ??= cacheWholePage().then((kept) => {
      this.isPageCached = kept;
      if (!kept) this.#keeping = undefined;
    });
    await this.#keeping;
  }

  async setOffline(offline: boolean): Promise<void> {
    this.offline = offline;
    localStore.set(OFFLINE, offline ? 'yes' : undefined);
    await registerServiceWorker(offline);
    // Each periodic sync may make the browser check the page's server for a newer service worker.
    if (offline) await setPeriodicSync(false);
  }
}

export const device = new Device();
