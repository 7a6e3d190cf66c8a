/**
 * A bounded queue between downloading and applying: the downloader waits when enough is in flight, so that memory does not grow with the
 * chain.
 */
export class Channel<T> {
  readonly #items: { readonly item: T; readonly bytes: number }[] = [];
  readonly #maxItems: number;
  readonly #maxBytes: number;
  #bytes = 0;
  /** Bytes taken out and not released yet. */
  #inFlight = 0;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  readonly #wake: (() => void)[] = [];

  constructor(maxItems: number, maxBytes: number) {
    this.#maxItems = maxItems;
    this.#maxBytes = maxBytes;
  }

  /** Resolves when there is space for another item, or when the channel was closed. */
  async waitForSpace(): Promise<void> {
    while (!this.#ended && this.#isFull()) await this.#changed();
  }

  /** Adds an item, even if there is no space; does nothing once the channel has ended. @param bytes its size */
  push(item: T, bytes: number): void {
    if (this.#ended) return;
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    this.#notify();
  }

  /** Ends the channel; an error is thrown to the consumer after the remaining items. */
  end(failure?: { readonly error: unknown }): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#notify();
  }

  /** Items in order. An item counts as in flight until the next one is requested. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const next = this.#items.shift();
      if (next !== undefined) {
        this.#inFlight += 1;
        yield next.item;
        this.#inFlight -= 1;
        this.#bytes -= next.bytes;
        this.#notify();
      } else if (this.#failure !== undefined) throw this.#failure.error;
      else if (this.#ended) return;
      else await this.#changed();
    }
  }

  #isFull(): boolean {
    const count = this.#items.length + this.#inFlight;
    return count >= this.#maxItems || (count > 0 && this.#bytes >= this.#maxBytes);
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #notify(): void {
    for (const resolve of this.#wake.splice(0)) resolve();
  }
}
