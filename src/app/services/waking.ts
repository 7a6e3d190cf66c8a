/** The browser's leave to be woken now and then (Periodic Background Sync): installed apps of some browsers have it. */

/** Under which the service worker is woken (`workers/service-worker.ts`). */
const TAG = 'nightjar-look';
/** Milliseconds; browsers take half a day at least. */
const EVERY = 60 * 60 * 1000;

interface PeriodicSync {
  register(tag: string, options: { readonly minInterval: number }): Promise<void>;
  unregister(tag: string): Promise<void>;
  getTags(): Promise<readonly string[]>;
}

async function periodicSync(): Promise<PeriodicSync | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (registration as { readonly periodicSync?: PeriodicSync } | undefined)?.periodicSync;
}

/** Whether the service worker is woken now and then. A browser may have the words for it and nothing behind them. */
export async function isWoken(): Promise<boolean> {
  const syncs = await periodicSync();
  const tags = await syncs?.getTags().catch(() => undefined);
  return tags?.includes(TAG) === true;
}

/** Asks for it, or ends it. @returns whether the service worker is woken from now on */
export async function beWoken(wanted: boolean): Promise<boolean> {
  const syncs = await periodicSync();
  // The browser refuses where the page is not installed, or is seldom used.
  if (wanted) await syncs?.register(TAG, { minInterval: EVERY }).catch(() => undefined);
  else if (await isWoken()) await syncs?.unregister(TAG);
  return isWoken();
}
