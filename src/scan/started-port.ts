import { type ScanMessage, type ScanPort, type WebEndpoint, WORKER_STARTED, webPort } from './port.ts';

/** Milliseconds that a worker has to start, with time to fetch its script over a slow connection. */
const BEGINS_WITHIN = 20_000;
/** Workers that are tried before the port reports a failure. */
const TRIES = 3;

/**
 * A port to a worker that is known to run. Firefox 153 loses about one in a thousand nested workers when another one ends meanwhile: its
 * script never runs, and no error is raised. Messages wait until the worker has sent its first one; a worker that is silent for too long is
 * ended and replaced.
 */
export function startedPort(spawn: () => WebEndpoint): ScanPort {
  return new BegunPort(spawn);
}

class BegunPort implements ScanPort {
  readonly #spawn: () => WebEndpoint;
  #port: ScanPort;
  #left = TRIES;
  #late: ReturnType<typeof setTimeout> | undefined;
  /** Messages for a worker that has not started; undefined once it has. */
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
