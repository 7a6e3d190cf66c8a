import { pushTo } from '../../base/index.ts';

/**
 * Answers requests round-robin: one of each connection in turn, with new input read in between. A client that sends much only delays
 * itself.
 */
export class FairQueue {
  /** Waiting requests by connection; the next in turn is first. */
  readonly #waiting = new Map<object, (() => void)[]>();
  #taken = false;

  /** Resolves when it is the turn of this connection; at once if nobody waits. */
  take(connection: object): Promise<void> {
    if (!this.#taken) {
      this.#pass();
      return Promise.resolve();
    }
    return new Promise((resolve) => pushTo(this.#waiting, connection, resolve));
  }

  /** Runs the next request to its end before the one after it. */
  #pass(): void {
    this.#taken = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#taken = false;
      return;
    }
    const [connection, requests] = first;
    const [turn, ...rest] = requests;
    this.#waiting.delete(connection);
    if (rest.length > 0) this.#waiting.set(connection, rest);
    this.#pass();
    turn?.();
  }
}
