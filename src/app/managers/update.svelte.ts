import { registerServiceWorker } from '../services/page-cache.ts';
import { device } from './device.svelte.ts';

/** Longest time to wait for the page to start or to close its wallet, in ms: a broken version must not block its own update. */
const PATIENCE = 5_000;

/**
 * Updates (T13): the service worker caches a new version beside the one in use, which it serves until the person accepts the new one here; then
 * every tab reloads. This binds our own service workers only: one from a hostile server can do what it likes.
 */
class Update {
  /** Name of the version that waits to be accepted; empty if none. */
  offered = $state('');
  /** Changelog of that version, in English, if the server has one. */
  changes: readonly string[] = $state.raw([]);
  /** The person accepted the update, and the page is about to reload. */
  accepted = $state(false);

  /** Settles when the page has started. */
  #settled: Promise<unknown> = Promise.resolve();
  #registration: ServiceWorkerRegistration | undefined;
  #leave: () => Promise<unknown> = async () => undefined;
  /** The service worker of the offered version. */
  #offering: ServiceWorker | undefined;

  /**
   * @param settled settles when the page has started
   * @param leave saves drafts and closes the wallet, before the page reloads
   */
  async register(settled: Promise<unknown>, leave: () => Promise<unknown>): Promise<void> {
    this.#settled = settled.catch(() => undefined);
    this.#leave = leave;
    if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
    this.#reloadWhenAccepted();
    const registration = await registerServiceWorker(device.offline);
    // Registration fails where storage is blocked: the page then works online only.
    if (!registration) return;
    this.#registration = registration;
    // An installed page may stay open for weeks: checks for updates whenever it is shown.
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && !device.offline) registration.update().catch(() => undefined);
    });
    registration.addEventListener('updatefound', () => this.#watch(registration.installing));
    this.#watch(registration.installing);
    await navigator.serviceWorker.ready;
    await this.#ask();
  }

  /**
   * Accepts the update, once the page has started: Chromium keeps the old service worker for minutes if it gets a request during the change.
   * If the offered version was replaced by a newer one meanwhile, that one is offered instead.
   */
  async accept(): Promise<void> {
    const worker = this.#offering;
    this.accepted = true;
    await inTime(this.#settled);
    if (!worker || worker.state === 'redundant') return this.#offerAgain();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => void this.#offerAgain();
    worker.postMessage({ type: 'accept-update', waits: worker.state === 'installed' }, [port2]);
  }

  #reloadWhenAccepted(): void {
    const workers = navigator.serviceWorker;
    let first = workers.controller === null;
    // Sent by a worker that is already active; a waiting one causes `controllerchange`.
    workers.addEventListener('message', ({ data }: MessageEvent<{ readonly type?: unknown }>) => {
      if (data.type === 'update') void this.#reload();
    });
    workers.addEventListener('controllerchange', () => {
      if (!first) void this.#reload();
      first = false;
    });
  }

  async #reload(): Promise<void> {
    await inTime(this.#leave().catch(() => undefined));
    window.location.reload();
  }

  #watch(worker: ServiceWorker | null): void {
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed') void this.#ask();
    });
  }

  async #offerAgain(): Promise<void> {
    this.accepted = false;
    await this.#ask();
  }

  /** Asks the newest worker, which is waiting while pages of an older one are open, whether it has an update. */
  async #ask(): Promise<void> {
    const worker = this.#registration?.waiting ?? this.#registration?.active;
    if (!worker) return;
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<unknown>((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
    });
    worker.postMessage({ type: 'offered' }, [port2]);
    const offered = await answer;
    if (typeof offered !== 'string') return;
    this.changes = await changesOf(offered);
    this.#offering = worker;
    this.offered = offered;
  }
}

/** Reports to the service worker that the page has started; a version that never does is considered broken. */
export const reportStarted = (): void => navigator.serviceWorker?.controller?.postMessage({ type: 'started' });

/** Settles with the work, or after {@link PATIENCE}. */
const inTime = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);

/** Changelog of a version; empty if it cannot be loaded. */
const changesOf = (version: string): Promise<readonly string[]> =>
  import('../../../workers/changes.ts').then(
    (part) => part.changesOf(version),
    () => [],
  );

export const update = new Update();
