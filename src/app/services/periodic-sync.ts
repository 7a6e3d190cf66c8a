/** Periodic Background Sync: lets the service worker run now and then while the page is closed or hidden. Chromium only, for installed apps. */

/** Sync tag that `workers/service-worker.ts` listens for. */
const TAG = 'nightjar-look';
/** Requested interval in milliseconds; browsers use 12 hours or more. */
const EVERY = 60 * 60 * 1000;

/** Not in TypeScript's DOM types. */
interface PeriodicSyncManager {
  register(tag: string, options: { readonly minInterval: number }): Promise<void>;
  unregister(tag: string): Promise<void>;
  getTags(): Promise<readonly string[]>;
}

async function periodicSyncManager(): Promise<PeriodicSyncManager | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (registration as { readonly periodicSync?: PeriodicSyncManager } | undefined)?.periodicSync;
}

/** Whether the sync is registered. A browser may have the API and still refuse. */
export async function hasPeriodicSync(): Promise<boolean> {
  const manager = await periodicSyncManager();
  const tags = await manager?.getTags().catch(() => undefined);
  return tags?.includes(TAG) === true;
}

/** Registers or unregisters the sync. @returns whether it is registered now */
export async function setPeriodicSync(wanted: boolean): Promise<boolean> {
  const manager = await periodicSyncManager();
  // Refused when the page is not installed or is rarely used.
  if (wanted) await manager?.register(TAG, { minInterval: EVERY }).catch(() => undefined);
  else if (await hasPeriodicSync()) await manager?.unregister(TAG);
  return hasPeriodicSync();
}
