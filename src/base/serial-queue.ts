/** Runs tasks one at a time, in the order asked. A task that fails does not stop the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** @param until ends the turn; when absent, it ends with the work */
  run<T>(work: () => Promise<T>, until?: (result: T) => Promise<unknown>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = (until === undefined ? done : done.then(until)).catch(() => undefined);
    return done;
  }

  /** Resolves when all tasks asked so far have ended, also those that failed. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
