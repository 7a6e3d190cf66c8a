import { Worker } from 'node:worker_threads';

/** Work of a hashing thread until it finds a nonce or gets other work. */
export interface HashRequest {
  /** Returned with each result: results of an older number are stale. */
  readonly number: number;
  /** The block's hashing blob, and the offset of its nonce, 4 bytes. */
  readonly blob: Uint8Array;
  readonly nonceAt: number;
  readonly seed: Uint8Array;
  readonly difficulty: bigint;
  /** Hashes per second. */
  readonly rate: number;
}

/**
 * Message of the hashing thread: a nonce that meets the difficulty of the template with this number, or how many hashes it has made since
 * its last message.
 */
export type HashReply =
  | { readonly type: 'found'; readonly number: number; readonly nonce: number }
  | { readonly type: 'hashed'; readonly hashes: number };

/** Milliseconds over which the speed is measured. */
const MEASURED = 5_000;

interface Count {
  readonly at: number;
  readonly hashes: number;
}

/** A worker thread that hashes, so that the node keeps answering. */
export class HashThread {
  readonly #worker: Worker;
  readonly #began = performance.now();
  /** Finished hashes, with the time of their report. */
  #done: Count[] = [];

  constructor(onFound: (number: number, nonce: number) => void, onError: (error: Error) => void) {
    const body = new URL('./hash-thread.mjs', import.meta.url);
    this.#worker = new Worker(body, { execArgv: [] });
    this.#worker.on('message', (message: HashReply) => {
      if (message.type === 'found') onFound(message.number, message.nonce);
      else this.#count(message.hashes);
    });
    this.#worker.on('error', onError);
    // The process may exit while it hashes.
    this.#worker.unref();
  }

  /** Replaces the current work. */
  give(work: HashRequest): void {
    this.#worker.postMessage(work);
  }

  #count(hashes: number): void {
    const at = performance.now();
    this.#done.push({ at, hashes });
    if (this.#done[0]!.at < at - 2 * MEASURED) this.#done = this.#recent(at);
  }

  #recent(now: number): Count[] {
    return this.#done.filter(({ at }) => at >= now - MEASURED);
  }

  /** Hashes per second in the last five seconds or since the start. */
  get speed(): number {
    const now = performance.now();
    const milliseconds = Math.min(MEASURED, now - this.#began);
    const hashes = this.#recent(now).reduce((sum, one) => sum + one.hashes, 0);
    return Math.round((hashes * 1000) / Math.max(1, milliseconds));
  }

  /** Ends the thread at once. */
  stop(): void {
    void this.#worker.terminate();
  }
}
