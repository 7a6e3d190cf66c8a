import { DaemonError } from '../errors.ts';

const FIRST_GUESS = 64 * 1024;

/**
 * Collects a body into one buffer, capped. An announced length is allocated at once (it is below the cap, so a lie takes no more than the
 * cap), which saves large replies a second copy.
 */
export class BodyCollector {
  readonly #maxBytes: number;
  #buffer: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @throws DaemonError `too-large` when the announced length is too large */
  constructor(maxBytes: number, announced: number | undefined) {
    this.#maxBytes = maxBytes;
    if (announced !== undefined && announced > maxBytes) throw tooLarge(maxBytes, announced);
    this.#buffer = new Uint8Array(announced ?? Math.min(FIRST_GUESS, maxBytes));
  }

  /** The bytes received so far; valid until more arrive. */
  get soFar(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** @throws DaemonError `too-large` */
  add(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#maxBytes) throw tooLarge(this.#maxBytes, needed);
    if (needed > this.#buffer.length) {
      const grown = new Uint8Array(Math.min(this.#maxBytes, Math.max(needed, this.#buffer.length * 2)));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = needed;
  }

  /** The body, in a buffer of its own. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#length === this.#buffer.length ? this.#buffer : this.#buffer.slice(0, this.#length);
  }
}

function tooLarge(maxBytes: number, bytes: number): DaemonError {
  return new DaemonError('too-large', `expected an answer of at most ${maxBytes} bytes`, { maxBytes, bytes });
}
