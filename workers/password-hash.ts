import type { Argon2Cost, Argon2Input } from '../src/crypto/argon2.ts';
import { CryptoError } from '../src/crypto/index.ts';
import passwordWorkerUrl from './password.worker.ts?worker&url';
import { scriptUrl } from './trusted.ts';

/** What a worker of passwords is asked, once. */
export interface HashAsked {
  readonly input: Argon2Input;
  readonly cost: Argon2Cost;
  readonly length: number;
}

/** The hash, or why there is none. */
export type HashAnswer = { readonly hash: Uint8Array } | { readonly failed: string };

/**
 * Argon2id in a worker of its own, which ends with it: meanwhile the wallet's worker reads the journal and compiles its kernels, and the memory that
 * the hash took goes back to the system.
 */
export class PasswordHasher {
  #waiting: HashWorker | undefined;

  /** Starts a worker for the next hash: a password is being typed. */
  prepare(): void {
    this.#waiting ??= new HashWorker();
  }

  /** The worker wipes its own copy of the password. @throws CryptoError `kernel-unavailable` */
  async hash(input: Argon2Input, cost: Argon2Cost, length: number): Promise<Uint8Array> {
    const worker = this.#waiting ?? new HashWorker();
    this.#waiting = undefined;
    try {
      return await worker.hash({ input, cost, length });
    } finally {
      worker.end();
    }
  }
}

class HashWorker {
  readonly #worker = new Worker(scriptUrl(passwordWorkerUrl), { type: 'module', name: 'nightjar password' });
  readonly #answer: Promise<Uint8Array>;

  constructor() {
    this.#answer = new Promise((resolve, reject) => {
      this.#worker.addEventListener('message', ({ data }: MessageEvent<HashAnswer>) => {
        if ('hash' in data) resolve(data.hash);
        else reject(new CryptoError('kernel-unavailable', data.failed));
      });
      this.#worker.addEventListener('error', ({ message }) => reject(new CryptoError('kernel-unavailable', message)));
    });
    // One that could not start is told to who asks it.
    this.#answer.catch(() => undefined);
  }

  hash(asked: HashAsked): Promise<Uint8Array> {
    this.#worker.postMessage(asked);
    return this.#answer;
  }

  end(): void {
    this.#worker.terminate();
  }
}
