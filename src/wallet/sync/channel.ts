/**
 * A bounded queue between the one who downloads and the one who applies: the first waits when enough is under way,
 * so that memory does not grow with the chain.
 */
export class Channel<T> {
  readonly #items: { readonly item: T; readonly bytes: number }[] = [];
  readonly #maxItems: number;
  readonly #maxBytes: number;
  #bytes = 0;
  /** Taken out and not yet released. */
  #held = 0;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  readonly #wake: (() => void)[] = [];

  constructor(maxItems: number, maxBytes: number) {
    this.#maxItems = maxItems;
    this.#maxBytes = maxBytes;
  }

  /** Resolves when another item may be made, or when the channel was closed. */
  async room(): Promise<void> {
    while (!this.#ended && this.#isFull()) await this.#changed();
  }

  /** Puts an item in, whatever room there is; nothing happens once the channel has ended. @param bytes that it counts for */
  push(item: T, bytes: number): void {
    if (this.#ended) return;
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    this.#notify();
  }

  /** No more items; with an error, the taker meets it after the items before it. */
  end(failure?: { readonly error: unknown }): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#notify();
  }

  /** Items in order. An item counts as held until the next one is asked for. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const next = this.#items.shift();
      if (next !== undefined) {
        this.#held += 1;
        yield next.item;
        this.#held -= 1;
        this.#bytes -= next.bytes;
        this.#notify();
      } else if (this.#failure !== undefined) throw this.#failure.error;
      else if (this.#ended) return;
      else await this.#changed();
    }
  }

  #isFull(): boolean {
    const count = this.#items.length + this.#held;
    return count >= this.#maxItems || (count > 0 && this.#bytes >= this.#maxBytes);
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #notify(): void {
    for (const resolve of this.#wake.splice(0)) resolve();
  }
}
