import type { KeyImage } from '../../protocol/index.ts';

/** Bits of the table, one for each value of an image's first 20 bits. */
const BITS = 20;

/**
 * Quickly rules out key images that are not ours, by their first bits; the others are looked up properly. Images are never removed: a stale
 * one costs a look-up.
 */
export class ImageFilter {
  readonly #table = new Uint32Array(2 ** BITS / 32);

  /** Adds one of our key images. */
  add(image: KeyImage): void {
    const prefix = Number.parseInt(image.slice(0, BITS / 4), 16);
    this.#table[prefix >>> 5]! |= 1 << (prefix & 31);
  }

  /** @param images key images, 32 bytes each; `at` is the byte offset of the one to test */
  mayContain(images: Uint8Array, at: number): boolean {
    const prefix = (images[at]! << 12) | (images[at + 1]! << 4) | (images[at + 2]! >>> 4);
    return ((this.#table[prefix >>> 5]! >>> (prefix & 31)) & 1) === 1;
  }
}
