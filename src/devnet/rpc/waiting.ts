import type { ServerResponse } from 'node:http';

/** Maximum bytes of all replies that wait for their clients. */
const MOST = 256 * 1024 * 1024;
/** Milliseconds for which a client may read nothing of its reply. */
const STALL = 60_000;

/** Replies that wait for clients to read them. When they exceed a total limit, the oldest is dropped and its client disconnected. */
export class WaitingReplies {
  readonly #most: number;
  readonly #bytes = new Map<ServerResponse, number>();
  #total = 0;

  constructor(most = MOST) {
    this.#most = most;
  }

  /** Adds a reply that is being sent. */
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

  /** Bytes of all waiting replies. */
  get total(): number {
    return this.#total;
  }

  #remove(response: ServerResponse): void {
    this.#total -= this.#bytes.get(response) ?? 0;
    this.#bytes.delete(response);
  }
}
