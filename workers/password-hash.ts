import { equalBytes } from '../src/base/index.ts';
import type { Argon2Cost, Argon2Input } from '../src/crypto/argon2.ts';
import { argon2id } from '../src/crypto/index.ts';
import { DEFAULT_KDF } from '../src/storage/index.ts';
import passwordWorkerUrl from './password.worker.ts?worker&url';
import { type HashAnswer, type HashRequest, type PasswordWorkerRequest, READY } from './password-messages.ts';
import { scriptUrl } from './trusted-types.ts';

/** Milliseconds that a prepared worker, or a hash that nobody asked for, is kept while the password is being typed. */
const PATIENCE = 60_000;
/** Milliseconds within which a worker must have started. The hash itself may take longer, depending on its cost. */
const BEGINS_WITHIN = 3_000;

/**
 * Runs Argon2id in a separate, short-lived worker, so that the wallet worker can read the journal and compile its kernels meanwhile, and the
 * hash's memory is freed afterwards.
 */
export class PasswordHasher {
  #waiting: HashWorker | undefined;
  #ahead: HashAhead | undefined;
  #here = false;

  /**
   * Whether to hash in the calling worker instead. For offline devices: when a worker starts, Chromium checks the page's server for a newer
   * service worker.
   */
  hashInThisThread(here: boolean): void {
    this.#here = here;
    if (!here) return;
    this.#endWaiting();
    this.#endAhead();
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
   * Begins a hash that will probably be asked for: the password seems to be complete, but is not confirmed yet. Ends an earlier one. Resolves when
   * it is done or ended; {@link hash} returns it, if it is called with the same input within a minute.
   */
  async ahead(input: Argon2Input, cost: Argon2Cost, length: number): Promise<void> {
    this.#endAhead();
    const worker = this.#take();
    if (worker === undefined) return;
    const request = structuredClone({ input, cost, length });
    const begun: HashAhead = { request, worker, answer: worker.hash(request) };
    this.#ahead = begun;
    setTimeout(() => {
      if (this.#ahead === begun) this.#endAhead();
    }, PATIENCE);
    await begun.answer;
  }

  /**
   * The worker wipes its copy of the password. If it cannot start in time or fails, the hash is computed in this thread.
   * @throws CryptoError `kernel-unavailable`
   */
  async hash(input: Argon2Input, cost: Argon2Cost, length: number): Promise<Uint8Array> {
    const request: HashRequest = { input, cost, length };
    const begun = this.#takeAhead(request);
    const worker = begun?.worker ?? this.#take();
    try {
      return (await (begun?.answer ?? worker?.hash(request))) ?? (await argon2id(input, cost, length));
    } finally {
      worker?.end();
    }
  }

  #take(): HashWorker | undefined {
    const worker = this.#here ? undefined : (this.#waiting ?? HashWorker.start());
    this.#waiting = undefined;
    return worker;
  }

  /** The hash that was begun, if it is this one; another is ended. */
  #takeAhead(request: HashRequest): HashAhead | undefined {
    const begun = this.#ahead;
    if (begun === undefined || !isSame(begun.request, request)) {
      this.#endAhead();
      return undefined;
    }
    this.#ahead = undefined;
    begun.request.input.password.fill(0);
    return begun;
  }

  #endAhead(): void {
    const begun = this.#ahead;
    this.#ahead = undefined;
    begun?.worker.end();
    begun?.request.input.password.fill(0);
    void begun?.answer.then((hash) => hash?.fill(0));
  }

  #endWaiting(): void {
    this.#waiting?.end();
    this.#waiting = undefined;
  }
}

/** A hash that was begun before it was asked for. */
interface HashAhead {
  readonly request: HashRequest;
  readonly worker: HashWorker;
  readonly answer: Promise<HashAnswer>;
}

/** Of hashes without a key and data of their own, which is what passwords have. */
function isSame(a: HashRequest, b: HashRequest): boolean {
  const { memory, passes, lanes } = a.cost;
  return (
    equalBytes(a.input.password, b.input.password) &&
    equalBytes(a.input.salt, b.input.salt) &&
    memory === b.cost.memory &&
    passes === b.cost.passes &&
    lanes === b.cost.lanes &&
    a.length === b.length
  );
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

  /** A hash that is under way resolves to undefined. */
  end(): void {
    this.#worker.terminate();
    this.#giveUp();
  }
}
