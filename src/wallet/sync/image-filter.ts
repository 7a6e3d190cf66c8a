import type { KeyImage } from '../../protocol/index.ts';

/** Bits of the table, one for each value of an image's first 20 bits. */
const BITS = 20;

/**
 * Answers fast that a key image is surely not ours, by its first bits; what passes is looked up properly.
 * Images are never taken out: a stale one costs a look-up.
 */
export class ImageFilter {
  readonly #table = new Uint32Array(2 ** BITS / 32);

  /** Takes an image of ours in. */
  add(image: KeyImage): void {
    const prefix = Number.parseInt(image.slice(0, BITS / 4), 16);
    this.#table[prefix >>> 5]! |= 1 << (prefix & 31);
  }

  /** @param images key images, 32 bytes each; `at` the byte offset of the one asked about */
  mayContain(images: Uint8Array, at: number): boolean {
    const prefix = (images[at]! << 12) | (images[at + 1]! << 4) | (images[at + 2]! >>> 4);
    return ((this.#table[prefix >>> 5]! >>> (prefix & 31)) & 1) === 1;
  }
}
