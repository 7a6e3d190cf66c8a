import type { Argon2Cost, Argon2Input } from '../src/crypto/argon2.ts';
import { argon2id } from '../src/crypto/index.ts';
import { DEFAULT_KDF } from '../src/storage/index.ts';
import passwordWorkerUrl from './password.worker.ts?worker&url';
import { BEGUN, type HashAnswer, type HashAsked, type PasswordAsked } from './password-asked.ts';
import { scriptUrl } from './trusted.ts';

/** Milliseconds for which a worker waits for a password that is being typed. */
const PATIENCE = 60_000;
/** Milliseconds within which a worker that is asked has begun. A hash itself may take longer: a header names its cost. */
const BEGINS_WITHIN = 3_000;

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
    if (here) this.#endWaiting();
  }

  /** Starts a worker for the next hash, which gets ready for it: a password is being typed. */
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
   * The worker wipes its own copy of the password. Where none can start, ends its work or says a word in time, the hash is made here.
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
  #begun = false;
  #giveUp: () => void = () => undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#answer = new Promise((resolve) => {
      this.#giveUp = () => resolve(undefined);
      worker.addEventListener('message', ({ data }: MessageEvent<HashAnswer | typeof BEGUN>) => {
        if (data === BEGUN) this.#begun = true;
        else resolve(data);
      });
      worker.addEventListener('messageerror', this.#giveUp);
      worker.addEventListener('error', this.#giveUp);
    });
  }

  /** Undefined where the browser has no workers within a worker, or refuses this one. */
  static start(): HashWorker | undefined {
    try {
      return new HashWorker(new Worker(scriptUrl(passwordWorkerUrl), { type: 'module', name: 'nightjar password' }));
    } catch {
      return undefined;
    }
  }

  /** @param memory KiB that the hash is likely to take */
  expect(memory: number): void {
    this.#tell({ expected: memory });
  }

  async hash(asked: HashAsked): Promise<HashAnswer> {
    this.#tell(asked);
    const limit = setTimeout(() => {
      if (!this.#begun) this.#giveUp();
    }, BEGINS_WITHIN);
    try {
      return await this.#answer;
    } finally {
      clearTimeout(limit);
    }
  }

  #tell(asked: PasswordAsked): void {
    this.#worker.postMessage(asked);
  }

  end(): void {
    this.#worker.terminate();
  }
}
