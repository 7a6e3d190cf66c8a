import { scriptUrl } from '../../../workers/trusted-types.ts';

/** The page's side of offline caching; the cache itself belongs to the service worker. */

/**
 * Registers the service worker. On an offline device the browser may use its HTTP cache for update checks (the server allows a day), so that
 * nothing is requested; elsewhere every check goes to the server.
 */
export async function registerServiceWorker(offline: boolean): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return undefined;
  // A classic script, since not every browser takes a module here: the built worker is one file without imports.
  const script = scriptUrl('./service-worker.js');
  return navigator.serviceWorker.register(script, { updateViaCache: offline ? 'all' : 'none' }).catch(() => undefined);
}

const LANGUAGE = /\/assets\/later\/texts-/;

/** Has the service worker fetch and cache every part of the page, including those not loaded yet. @returns whether all are cached */
export async function cacheWholePage(): Promise<boolean> {
  const { active } = await navigator.serviceWorker.ready;
  if (!active) return false;
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<boolean>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data === true);
  });
  active.postMessage({ type: 'keep-all' }, [port2]);
  return answer;
}

/** Has the service worker cache the texts of the current language, which may have loaded before the worker was active. */
export async function cacheLanguage(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const urls = performance.getEntriesByType('resource').flatMap(({ name }) => (LANGUAGE.test(name) ? [name] : []));
  const { active } = await navigator.serviceWorker.ready;
  if (urls.length > 0) active?.postMessage({ type: 'keep', urls });
}

interface Connection {
  readonly saveData?: boolean;
  readonly type?: string;
}

/** Whether the page may prefetch: not with data saver on, nor on a cellular connection. */
export function isUnmetered(): boolean {
  const { connection } = navigator as { readonly connection?: Connection };
  return connection?.saveData !== true && connection?.type !== 'cellular';
}
