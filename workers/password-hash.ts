import type { Argon2Cost, Argon2Input } from '../src/crypto/argon2.ts';
import { argon2id } from '../src/crypto/index.ts';
import passwordWorkerUrl from './password.worker.ts?worker&url';
import type { HashAnswer, HashAsked } from './password-asked.ts';
import { scriptUrl } from './trusted.ts';

/** Milliseconds for which a worker waits for a password that is being typed. */
const PATIENCE = 60_000;

/**
 * Argon2id in a worker of its own, which ends with it: meanwhile the wallet's worker reads the journal and compiles its kernels, and the memory that
 * the hash took goes back to the system.
 */
export class PasswordHasher {
  #waiting: HashWorker | undefined;
  #here = false;

  /**
   * Whether the wallet's worker hashes itself: on an offline device, for when a worker starts, Chromium asks the page's server for a newer service
   * worker.
   */
  stayHere(here: boolean): void {
    this.#here = here;
  }

  /** Starts a worker for the next hash: a password is being typed. */
  prepare(): void {
    if (this.#here || this.#waiting !== undefined) return;
    const worker = new HashWorker();
    this.#waiting = worker;
    setTimeout(() => {
      if (this.#waiting !== worker) return;
      this.#waiting = undefined;
      worker.end();
    }, PATIENCE);
  }

  /** The worker wipes its own copy of the password. Where none can start, the hash is made here. @throws CryptoError `kernel-unavailable` */
  async hash(input: Argon2Input, cost: Argon2Cost, length: number): Promise<Uint8Array> {
    if (this.#here) return argon2id(input, cost, length);
    const worker = this.#waiting ?? new HashWorker();
    this.#waiting = undefined;
    try {
      return (await worker.hash({ input, cost, length })) ?? (await argon2id(input, cost, length));
    } finally {
      worker.end();
    }
  }
}

class HashWorker {
  readonly #worker = new Worker(scriptUrl(passwordWorkerUrl), { type: 'module', name: 'nightjar password' });
  readonly #answer: Promise<HashAnswer>;

  constructor() {
    this.#answer = new Promise((resolve) => {
      this.#worker.addEventListener('message', ({ data }: MessageEvent<HashAnswer>) => resolve(data));
      this.#worker.addEventListener('error', () => resolve(undefined));
    });
  }

  hash(asked: HashAsked): Promise<HashAnswer> {
    this.#worker.postMessage(asked);
    return this.#answer;
  }

  end(): void {
    this.#worker.terminate();
  }
}
