import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for their replies. Clients that do not wait for a reply before they ask again send a few ahead. */
const MOST_AHEAD = 200;

/**
 * Bounds how many requests a connection sends ahead of its replies (T15). All that has come is read at once, and each request costs memory and
 * everybody's time until it is answered: a hundred thousand of them fit into four megabytes.
 */
export class PipelineLimiter {
  readonly #ahead = new WeakMap<Socket, number>();

  /** @returns whether the request may be answered; if not, its connection has been ended */
  admits({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const ahead = (this.#ahead.get(socket) ?? 0) + 1;
    this.#ahead.set(socket, ahead);
    if (ahead > MOST_AHEAD) {
      socket.destroy();
      return false;
    }
    response.once('close', () => this.#ahead.set(socket, this.#ahead.get(socket)! - 1));
    return true;
  }
}
