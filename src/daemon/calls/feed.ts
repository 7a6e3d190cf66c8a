/** Longest piece that is ever looked at: a field name. */
const LONGEST = 256;

/**
 * Bytes that arrive in pieces, read from left to right by a generator which yields whenever it needs the next piece.
 * Skipping costs nothing; nothing is kept but the piece at hand.
 */
export class ByteFeed {
  #chunk: Uint8Array = new Uint8Array();
  #at = 0;
  #before = 0;
  readonly #scratch = new Uint8Array(LONGEST);

  /** Only when the last piece is used up, which is when the generator yields. */
  push(chunk: Uint8Array): void {
    this.#before += this.#chunk.length;
    this.#at -= this.#chunk.length;
    this.#chunk = chunk;
  }

  /** Bytes read or skipped since the start; may be ahead of what has arrived. */
  get offset(): number {
    return this.#before + this.#at;
  }

  /** Bytes that have arrived and were not read; negative when more were skipped than have arrived. */
  get leftover(): number {
    return this.#chunk.length - this.#at;
  }

  /** The next `count` bytes, at most 256; valid until the next read. */
  *take(count: number): Generator<void, Uint8Array, void> {
    while (this.#at >= this.#chunk.length && count > 0) yield;
    const start = this.#at;
    if (start + count <= this.#chunk.length) {
      this.#at += count;
      return this.#chunk.subarray(start, start + count);
    }
    const scratch = this.#scratch.subarray(0, count);
    for (let i = 0; i < count; i++) {
      while (this.#at >= this.#chunk.length) yield;
      scratch[i] = this.#chunk[this.#at++]!;
    }
    return scratch;
  }

  /** The next byte; undefined when it has not arrived. */
  byteAtHand(): number | undefined {
    const byte = this.#chunk[this.#at];
    if (byte !== undefined) this.#at += 1;
    return byte;
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** Back to an {@link offset} within the piece at hand. */
  returnTo(offset: number): void {
    this.#at = offset - this.#before;
  }
}
