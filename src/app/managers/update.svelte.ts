import { registerServiceWorker } from '../services/page-cache.ts';
import { device } from './device.svelte.ts';

/** Milliseconds: a page that cannot start, or cannot leave its wallet, is not waited for, since a new version may be its cure. */
const PATIENCE = 5_000;

/**
 * New versions (T13): the service worker lays them beside the one in use, and shows that one, also when the page is opened again, until the person
 * says so here; then every tab is loaded anew. This holds for versions of ours: a hostile server's worker may show what it likes.
 */
class Update {
  /** The version that waits to be accepted, as it names itself; empty while none does. */
  offered = $state('');
  /** Changes of that version, in English, as far as its server tells. */
  changes: readonly string[] = $state.raw([]);
  /** The person has said so, and the new version is about to be shown. */
  accepted = $state(false);

  /** Where the page is with its own start. */
  #settled: Promise<unknown> = Promise.resolve();
  #registration: ServiceWorkerRegistration | undefined;
  #leave: () => Promise<unknown> = async () => undefined;
  /** The worker that made the offer. */
  #offering: ServiceWorker | undefined;

  /**
   * @param settled ends when the page has loaded what it starts with
   * @param leave puts away, before the new version is shown, what is open and was begun
   */
  async register(settled: Promise<unknown>, leave: () => Promise<unknown>): Promise<void> {
    this.#settled = settled.catch(() => undefined);
    this.#leave = leave;
    if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
    this.#reloadWhenAccepted();
    const registration = await registerServiceWorker(device.offline);
    // A browser that keeps nothing for this site refuses: the page works, but only while its server answers.
    if (!registration) return;
    this.#registration = registration;
    // An installed page may stay open for weeks: it looks for a new version when the person comes back to it.
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && !device.offline) registration.update().catch(() => undefined);
    });
    registration.addEventListener('updatefound', () => this.#watch(registration.installing));
    this.#watch(registration.installing);
    await navigator.serviceWorker.ready;
    await this.#ask();
  }

  /**
   * Has the new version shown, once the page has started: Chromium leaves the old service worker in place for minutes when
   * something is asked of it in the moment of the change. What was offered is accepted: where a newer one has taken its place, that one is offered.
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
    // Said by a worker that was at work already; another one takes over from that which was.
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

  /** Asks the worker that was built last: it waits while a page is open that began with another. */
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

/** Says that the page has started, to the worker that it came from: one that never says so is taken for broken. */
export const reportStarted = (): void => navigator.serviceWorker?.controller?.postMessage({ type: 'started' });

/** Ends with the work, or when it takes too long. */
const inTime = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);

/** Changes of a version, by a module loaded for it; empty where it cannot be loaded. */
const changesOf = (version: string): Promise<readonly string[]> =>
  import('../../../workers/changes.ts').then(
    (part) => part.changesOf(version),
    () => [],
  );

export const update = new Update();
