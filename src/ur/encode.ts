import { crc32 } from '../base/index.ts';
import { toBytewords } from './bytewords.ts';
import { byteString, encodePart } from './cbor.ts';
import { UrError } from './errors.ts';
import { FragmentChooser, xorInto } from './fountain.ts';
import type { UrType } from './types.ts';

/** Never fewer: some readers split `1-2` at the hyphen and do not accept a code without one. */
const FEWEST_PARTS = 2;

/** One message as the parts of a uniform resource, made on demand. */
export class UrEncoder {
  /** Number of fragments: the parts from 1 to this contain the whole message. */
  readonly count: number;
  readonly #message: Uint8Array;
  readonly #chooser: FragmentChooser;
  readonly #fragmentLen: number;

  /**
   * @param bytes content, at least one byte
   * @param fragmentLen maximum bytes of a fragment
   * @throws UrError `empty`
   */
  constructor(
    readonly type: UrType,
    bytes: Uint8Array,
    fragmentLen: number,
  ) {
    if (bytes.length === 0 || !(fragmentLen >= 1)) throw new UrError('empty', 'expected bytes, and fragments to put them into');
    this.#message = byteString(bytes);
    const { length } = this.#message;
    const wanted = Math.max(FEWEST_PARTS, Math.ceil(length / Math.floor(fragmentLen)));
    this.#fragmentLen = Math.ceil(length / wanted);
    this.count = Math.ceil(length / this.#fragmentLen);
    this.#chooser = new FragmentChooser(this.count, crc32(this.#message));
  }

  /**
   * Part `seqNum`, from 1: a fragment up to `count`, mixtures of several above it. Lower case, because some readers accept nothing else.
   */
  part(seqNum: number): string {
    const { checksum } = this.#chooser;
    const fragment = new Uint8Array(this.#fragmentLen);
    for (const index of this.#chooser.indexes(seqNum)) {
      const from = index * this.#fragmentLen;
      xorInto(fragment, this.#message.subarray(from, from + this.#fragmentLen));
    }
    const part = { seqNum, seqLen: this.count, messageLen: this.#message.length, checksum, fragment };
    return `ur:${this.type}/${seqNum}-${this.count}/${toBytewords(encodePart(part))}`;
  }
}
