import { scriptUrl } from '../../../workers/trusted.ts';

/** Caches for the time without a connection, kept by the service worker. */

/**
 * Has the browser keep the page by its service worker, and says how it looks for a newer one: past what it has, or, on an offline device, in what
 * it has while that is fresh. Its server says for how long (a day): until then the browser, too, asks nothing.
 */
export async function registerWorker(offline: boolean): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return undefined;
  // A classic script, since not every browser takes a module here: the built worker is one file without imports.
  const script = scriptUrl('./service-worker.js');
  return navigator.serviceWorker.register(script, { updateViaCache: offline ? 'all' : 'none' }).catch(() => undefined);
}

const LANGUAGE = /\/assets\/later\/texts-/;

/** Has all parts of the page fetched and kept, also those that this visit does not need. @returns whether they are all here */
export async function keepWholePage(): Promise<boolean> {
  const { active } = await navigator.serviceWorker.ready;
  if (!active) return false;
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<boolean>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data === true);
  });
  active.postMessage({ type: 'keep-all' }, [port2]);
  return answer;
}

/** Has the language kept that this page was shown in: it came before there was a worker to keep it. */
export async function keepLanguage(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const urls = performance.getEntriesByType('resource').flatMap(({ name }) => (LANGUAGE.test(name) ? [name] : []));
  const { active } = await navigator.serviceWorker.ready;
  if (urls.length > 0) active?.postMessage({ type: 'keep', urls });
}

interface Connection {
  readonly saveData?: boolean;
  readonly type?: string;
}

/** Whether more may be fetched than was asked for: not where the person or the network counts what is loaded. */
export function isUnmetered(): boolean {
  const { connection } = navigator as { readonly connection?: Connection };
  return connection?.saveData !== true && connection?.type !== 'cellular';
}
