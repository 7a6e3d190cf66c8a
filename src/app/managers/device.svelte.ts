import { whenIdle } from '../services/frame-scheduling.ts';
import { localStore } from '../services/local-store.ts';
import { cacheWholePage, isUnmetered, registerServiceWorker } from '../services/page-cache.ts';
import { setPeriodicSync } from '../services/periodic-sync.ts';

const OFFLINE = 'nightjar.offline-device';
/** Milliseconds within which all of the page is kept here. */
const KEEP_WITHIN = 60_000;

/** Role that the person gave this browser: an offline device never asks a daemon, whichever wallet is opened. */
class Device {
  offline = $state(localStore.get(OFFLINE) !== undefined);
  /** All of the page is kept here: it opens without its server. */
  kept = $state(false);
  #keeping: Promise<void> | undefined;

  constructor() {
    const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
    // A first visit loads what it needs; whoever comes back gets the rest in a quiet moment.
    const back = workers?.controller != null;
    if (this.offline || (back && isUnmetered())) whenIdle(() => void this.keep(), KEEP_WITHIN);
  }

  /** Has the whole page kept here; again where it failed. */
  async keep(): Promise<void> {
    if (!('serviceWorker' in navigator)) return;
    this.#keeping ??= cacheWholePage().then((kept) => {
      this.kept = kept;
      if (!kept) this.#keeping = undefined;
    });
    await this.#keeping;
  }

  async stayOffline(offline: boolean): Promise<void> {
    this.offline = offline;
    localStore.set(OFFLINE, offline ? 'yes' : undefined);
    await registerServiceWorker(offline);
    // Each time that the service worker is woken, the browser may ask the page's server for a newer one.
    if (offline) await setPeriodicSync(false);
  }
}

export const device = new Device();
