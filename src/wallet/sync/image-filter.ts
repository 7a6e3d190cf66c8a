import type { KeyImage } from '../../protocol/model.ts';

/**
 * Answers fast that a key image is surely not ours, by its first four bytes; what passes is looked up properly.
 * Images are never taken out: a stale one costs a look-up.
 */
export class ImageFilter {
  readonly #prefixes = new Set<number>();

  add(image: KeyImage): void {
    this.#prefixes.add(Number.parseInt(image.slice(0, 8), 16));
  }

  /** @param images key images, 32 bytes each; `at` the byte offset of the one asked about */
  mayContain(images: Uint8Array, at: number): boolean {
    const prefix = images[at]! * 0x1_00_00_00 + (images[at + 1]! << 16) + (images[at + 2]! << 8) + images[at + 3]!;
    return this.#prefixes.has(prefix);
  }
}
