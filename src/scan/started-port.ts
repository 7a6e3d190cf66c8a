import { type ScanMessage, type ScanPort, type WebEndpoint, WORKER_STARTED, webPort } from './port.ts';

/** Milliseconds within which a worker has begun, its script fetched over a slow line included. */
const BEGINS_WITHIN = 20_000;
/** Workers started one after the other before the line has failed. */
const TRIES = 3;

/**
 * The line of a worker that has begun. Of the workers that a worker starts, Firefox 153 loses one in some thousands when another ends meanwhile:
 * its script never runs, and nothing says so. What is asked waits until the worker's first word; one that is silent for too long is ended, and
 * another takes its place.
 */
export function startedPort(spawn: () => WebEndpoint): ScanPort {
  return new BegunPort(spawn);
}

class BegunPort implements ScanPort {
  readonly #spawn: () => WebEndpoint;
  #port: ScanPort;
  #left = TRIES;
  #late: ReturnType<typeof setTimeout> | undefined;
  /** What is asked of a worker that has not begun; undefined once it has. */
  #unsent: Parameters<ScanPort['postMessage']>[] | undefined = [];
  #message: (message: ScanMessage) => void = () => undefined;
  #failure: () => void = () => undefined;

  constructor(spawn: () => WebEndpoint) {
    this.#spawn = spawn;
    this.#port = this.#start();
  }

  postMessage(...sent: Parameters<ScanPort['postMessage']>): void {
    if (this.#unsent === undefined) this.#port.postMessage(...sent);
    else this.#unsent.push(sent);
  }

  listen(message: (message: ScanMessage) => void, failure: () => void): void {
    this.#message = message;
    this.#failure = failure;
  }

  terminate(): void {
    clearTimeout(this.#late);
    this.#unsent = undefined;
    this.#port.terminate();
  }

  #start(): ScanPort {
    this.#left -= 1;
    const port = webPort(this.#spawn());
    port.listen(
      (message) => (message === WORKER_STARTED ? this.#begun() : this.#message(message)),
      () => this.#failed(),
    );
    this.#late = setTimeout(() => this.#replace(), BEGINS_WITHIN);
    return port;
  }

  #begun(): void {
    clearTimeout(this.#late);
    const unsent = this.#unsent ?? [];
    this.#unsent = undefined;
    for (const sent of unsent) this.#port.postMessage(...sent);
  }

  #replace(): void {
    if (this.#left === 0) {
      this.#failed();
      return;
    }
    this.#port.terminate();
    this.#port = this.#start();
  }

  #failed(): void {
    clearTimeout(this.#late);
    this.#failure();
  }
}
