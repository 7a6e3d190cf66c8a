import type { Argon2Cost, Argon2Input } from '../src/crypto/argon2.ts';
import { argon2id } from '../src/crypto/index.ts';
import { DEFAULT_KDF } from '../src/storage/index.ts';
import passwordWorkerUrl from './password.worker.ts?worker&url';
import { type HashAnswer, type HashRequest, type PasswordWorkerRequest, READY } from './password-messages.ts';
import { scriptUrl } from './trusted-types.ts';

/** Milliseconds that a prepared worker is kept while the password is being typed. */
const PATIENCE = 60_000;
/** Milliseconds within which a worker must have started. The hash itself may take longer, depending on its cost. */
const BEGINS_WITHIN = 3_000;

/**
 * Runs Argon2id in a separate, short-lived worker, so that the wallet worker can read the journal and compile its kernels meanwhile, and the
 * hash's memory is freed afterwards.
 */
export class PasswordHasher {
  #waiting: HashWorker | undefined;
  #here = false;

  /**
   * Whether to hash in the calling worker instead. For offline devices: when a worker starts, Chromium checks the page's server for a newer
   * service worker.
   */
  hashInThisThread(here: boolean): void {
    this.#here = here;
    if (here) this.#endWaiting();
  }

  /** Starts a worker ahead of time, while the password is being typed. */
  prepare(): void {
    if (this.#here || this.#waiting !== undefined) return;
    const worker = HashWorker.start();
    worker?.expect(DEFAULT_KDF.memory);
    this.#waiting = worker;
    setTimeout(() => {
      if (this.#waiting === worker) this.#endWaiting();
    }, PATIENCE);
  }

  /**
   * The worker wipes its copy of the password. If it cannot start in time or fails, the hash is computed in this thread.
   * @throws CryptoError `kernel-unavailable`
   */
  async hash(input: Argon2Input, cost: Argon2Cost, length: number): Promise<Uint8Array> {
    const worker = this.#here ? undefined : (this.#waiting ?? HashWorker.start());
    this.#waiting = undefined;
    try {
      return (await worker?.hash({ input, cost, length })) ?? (await argon2id(input, cost, length));
    } finally {
      worker?.end();
    }
  }

  #endWaiting(): void {
    this.#waiting?.end();
    this.#waiting = undefined;
  }
}

class HashWorker {
  readonly #worker: Worker;
  readonly #answer: Promise<HashAnswer>;
  #ready = false;
  #giveUp: () => void = () => undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#answer = new Promise((resolve) => {
      this.#giveUp = () => resolve(undefined);
      worker.addEventListener('message', ({ data }: MessageEvent<HashAnswer | typeof READY>) => {
        if (data === READY) this.#ready = true;
        else resolve(data);
      });
      worker.addEventListener('messageerror', this.#giveUp);
      worker.addEventListener('error', this.#giveUp);
    });
  }

  /** Undefined if the browser has no nested workers or refuses this one. */
  static start(): HashWorker | undefined {
    try {
      return new HashWorker(new Worker(scriptUrl(passwordWorkerUrl), { type: 'module', name: 'nightjar password' }));
    } catch {
      return undefined;
    }
  }

  /** @param memory KiB that the hash will probably need */
  expect(memory: number): void {
    this.#tell({ expected: memory });
  }

  async hash(request: HashRequest): Promise<HashAnswer> {
    this.#tell(request);
    const limit = setTimeout(() => {
      if (!this.#ready) this.#giveUp();
    }, BEGINS_WITHIN);
    try {
      return await this.#answer;
    } finally {
      clearTimeout(limit);
    }
  }

  #tell(request: PasswordWorkerRequest): void {
    this.#worker.postMessage(request);
  }

  end(): void {
    this.#worker.terminate();
  }
}
