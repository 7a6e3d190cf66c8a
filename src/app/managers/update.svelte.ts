import { registerWorker } from '../services/keeping.ts';
import { device } from './device.svelte.ts';

/** Milliseconds: a page that cannot start is not waited for, since a new version may be its cure. */
const PATIENCE = 5_000;

/**
 * New versions (T13): the new service worker waits while a page is open, until the person says so; then every tab is loaded anew. Once the last
 * page is closed the browser lets it take over unasked. This holds for versions of ours: another worker may skip its waiting.
 */
class Update {
  waiting: ServiceWorker | undefined = $state(undefined);
  /** The version that waits, as it names itself. */
  version = $state('');
  /** Changes of the new version, in English, as far as its server tells. */
  changes: readonly string[] = $state.raw([]);
  /** The person has said so, and the new version is about to take over. */
  accepted = $state(false);

  /** Where the page is with its own start. */
  #settled: Promise<unknown> = Promise.resolve();

  /** @param settled ends when the page has loaded what it starts with */
  async register(settled: Promise<unknown>): Promise<void> {
    this.#settled = settled.catch(() => undefined);
    if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
    // Asked before: the first worker of all is seen waiting and active at once in WebKit, and replaces nothing.
    const before = await navigator.serviceWorker.getRegistration().catch(() => undefined);
    const replaces = before?.active != null;
    const registration = await registerWorker(device.offline);
    // A browser that keeps nothing for this site refuses: the page works, but only while its server answers.
    if (!registration) return;
    const first = navigator.serviceWorker.controller === null;
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      if (!first || this.waiting) window.location.reload();
    });
    // An installed page may stay open for weeks: it looks for a new version when the person comes back to it.
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && !device.offline) registration.update().catch(() => undefined);
    });
    if (registration.waiting && replaces) await this.#offer(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const incoming = registration.installing;
      const atWork = registration.active;
      if (atWork === null || atWork === incoming) return;
      incoming?.addEventListener('statechange', () => {
        if (incoming.state === 'installed') void this.#offer(incoming);
      });
    });
  }

  /**
   * Lets the new version take over, once the page has started: Chromium leaves the old service worker in place for minutes when
   * something is asked of it in the moment of the change.
   */
  async accept(): Promise<void> {
    this.accepted = true;
    await Promise.race([this.#settled, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
    this.waiting?.postMessage({ type: 'accept-update' });
  }

  async #offer(worker: ServiceWorker): Promise<void> {
    const channel = new MessageChannel();
    const answer = new Promise<string>((resolve) => {
      channel.port1.onmessage = (event: MessageEvent<unknown>) => resolve(String(event.data));
    });
    worker.postMessage({ type: 'version' }, [channel.port2]);
    this.version = await answer;
    this.changes = await changesOf(this.version);
    this.waiting = worker;
  }
}

/** Changes of a version, by a module loaded for it; empty where it cannot be loaded. */
const changesOf = (version: string): Promise<readonly string[]> =>
  import('../../../workers/changes.ts').then(
    (part) => part.changesOf(version),
    () => [],
  );

export const update = new Update();
