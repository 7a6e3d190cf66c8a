/** Does one thing at a time, in the order asked. What fails holds nothing up. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** @param until ends the turn; when absent, it ends with the work */
  run<T>(work: () => Promise<T>, until?: (result: T) => Promise<unknown>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = (until === undefined ? done : done.then(until)).catch(() => undefined);
    return done;
  }

  /** Resolves when all that was asked so far is done, well or not. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
