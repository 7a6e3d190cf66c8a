import { DaemonError } from '../errors.ts';
import type { ByteFeed } from './feed.ts';

/** Portable storage types (portable_storage_base.h). */
export const STRING = 10;
export const OBJECT = 12;
export const INNER_ARRAY = 13;
export const ARRAY = 0x80;
/** Bytes of a value of each plain type, by type code. */
export const SIZES: Readonly<Record<number, number>> = { 1: 8, 2: 4, 3: 2, 4: 1, 5: 8, 6: 4, 7: 2, 8: 1, 9: 8, 11: 1 };
export const MAX_DEPTH = 8;

export function malformed(expected: string, offset: number): DaemonError {
  return new DaemonError('malformed', `the blocks reply is malformed: expected ${expected} at byte ${offset}`, { offset });
}

/** A count that goes on in a piece that has not come. */
const NOT_HERE = -1;

/**
 * Skips elements which have arrived whole. Nearly all have, and without a generator a step costs next to nothing;
 * the walker's own way does the rest, by the same rules.
 */
export class ElementsAtHand {
  readonly #feed: ByteFeed;
  readonly #maxBytes: number;

  constructor(feed: ByteFeed, maxBytes: number) {
    this.#feed = feed;
    this.#maxBytes = maxBytes;
  }

  /** @returns false, with nothing read, when the element goes on in a piece that has not come. @throws DaemonError `malformed` */
  skip(type: number, depth: number): boolean {
    const start = this.#feed.offset;
    const whole = this.#element(type, depth);
    if (!whole) this.#feed.returnTo(start);
    return whole;
  }

  #element(type: number, depth: number): boolean {
    const size = SIZES[type];
    if (size !== undefined) this.#feed.skip(size);
    else if (type === STRING) return this.#string();
    else if (type === OBJECT) return this.#fields(depth);
    else if (type === INNER_ARRAY) return this.#value(this.#feed.byteAtHand(), ARRAY, depth + 1);
    else throw malformed('a type of portable storage', this.#feed.offset);
    return true;
  }

  #string(): boolean {
    const length = this.#count(1);
    if (length === NOT_HERE) return false;
    this.#feed.skip(length);
    return true;
  }

  #fields(depth: number): boolean {
    const fields = this.#count(2);
    if (fields === NOT_HERE) return false;
    for (let i = 0; i < fields; i++) {
      const length = this.#feed.byteAtHand();
      if (length === undefined) return false;
      if (length === 0) throw malformed('a field name', this.#feed.offset);
      this.#feed.skip(length);
      if (!this.#value(this.#feed.byteAtHand(), 0, depth + 1)) return false;
    }
    return true;
  }

  #value(type: number | undefined, flags: number, depth: number): boolean {
    if (type === undefined) return false;
    if (depth > MAX_DEPTH) throw malformed(`a reply nested at most ${MAX_DEPTH} deep`, this.#feed.offset);
    return (type | flags) & ARRAY ? this.#array(type & ~ARRAY, depth) : this.#element(type, depth);
  }

  #array(type: number, depth: number): boolean {
    const size = SIZES[type];
    const count = this.#count(size ?? 1);
    if (count === NOT_HERE) return false;
    if (size !== undefined) this.#feed.skip(count * size);
    else for (let i = 0; i < count; i++) if (!this.#element(type, depth)) return false;
    return true;
  }

  #count(minSize: number): number {
    const first = this.#feed.byteAtHand();
    if (first === undefined) return NOT_HERE;
    let value = first;
    let scale = 1;
    for (let more = 2 ** (first & 3) - 1; more > 0; more--) {
      const byte = this.#feed.byteAtHand();
      if (byte === undefined) return NOT_HERE;
      scale *= 256;
      value += byte * scale;
    }
    const { offset } = this.#feed;
    const count = (value - (first & 3)) / 4;
    if (!Number.isSafeInteger(count)) throw malformed('a number below 2^53', offset);
    if (count * minSize > this.#maxBytes - offset) throw malformed(`no more elements than fit, got ${count}`, offset);
    return count;
  }
}
