import type { ServerResponse } from 'node:http';

/** Bytes of replies that may wait for their clients, of all together. */
const MOST = 256 * 1024 * 1024;
/** Milliseconds for which a client may take nothing of its reply. */
const STALL = 60_000;

/** Replies that wait for clients to read them. Beyond a bound of all together the one that has waited longest is given up, with its client. */
export class WaitingReplies {
  readonly #most: number;
  readonly #bytes = new Map<ServerResponse, number>();
  #total = 0;

  constructor(most = MOST) {
    this.#most = most;
  }

  /** Of a reply that is on its way. */
  add(response: ServerResponse, bytes: number): void {
    if (response.writableFinished || response.destroyed) return;
    response.setTimeout(STALL, () => response.destroy());
    this.#bytes.set(response, bytes);
    this.#total += bytes;
    const over = () => this.#remove(response);
    response.once('finish', over).once('close', over);
    for (const [oldest] of this.#bytes) {
      if (this.#total <= this.#most) return;
      this.#remove(oldest);
      oldest.destroy();
    }
  }

  /** Bytes of all replies that wait. */
  get total(): number {
    return this.#total;
  }

  #remove(response: ServerResponse): void {
    this.#total -= this.#bytes.get(response) ?? 0;
    this.#bytes.delete(response);
  }
}
