/** Runs tasks one at a time, in the order of the calls. A task that fails does not stop the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** @param until ends the turn; by default, it ends with the work */
  run<T>(work: () => Promise<T>, until?: (result: T) => Promise<unknown>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = (until === undefined ? done : done.then(until)).catch(() => undefined);
    return done;
  }

  /** Resolves when all tasks so far have ended, including failed ones. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
