import { crc32 } from '../base/index.ts';
import { type Part, readByteString } from './cbor.ts';
import { UrError } from './errors.ts';
import { FragmentChooser, xorInto } from './fountain.ts';
import { readUr } from './text.ts';
import { isUrType, type UrType } from './types.ts';

/** Bytes of the largest message that is accepted: ten times what a wallet of thousands of outputs exports. */
export const MAX_MESSAGE_BYTES = 4_000_000;
/** Parts of the largest message: choosing the fragments of a mixed part takes quadratic time. */
const MOST_PARTS = 20_000;
/** Mixed parts accepted for each fragment: more of them than this add nothing new. */
const MIXED_FOR_EACH = 3;
/**
 * Unknown fragments in all mixed parts together: about 40 MB of memory. A hostile message of many parts would take a hundred times that.
 */
const MOST_MISSING = 2_000_000;

/** Result of reading one code. */
export type ReadResult =
  /** A part that was needed. */
  | { readonly kind: 'new' }
  /** It was read before, or adds nothing new. */
  | { readonly kind: 'repeated' }
  /** The message is complete. */
  | { readonly kind: 'whole'; readonly type: UrType; readonly bytes: Uint8Array }
  /** A code of another kind: not a uniform resource, or of an unexpected type, which is given if known. */
  | { readonly kind: 'foreign'; readonly type: string | undefined }
  /** A part of another message than the current one. */
  | { readonly kind: 'other'; readonly type: UrType }
  /** It was misread, or the message does not match its checksum: then what was gathered is dropped. */
  | { readonly kind: 'torn' }
  | { readonly kind: 'too-large' };

/** A part of several fragments of which not all are known. */
interface Mixed {
  readonly missing: Set<number>;
  readonly sum: Uint8Array;
}

/** Gathers one message part by part, in any order, even if some are lost. */
export class UrDecoder {
  #message: Gathering | undefined;

  /**
   * @param awaited accepted types
   * @param mostMissing maximum unknown fragments in all kept mixed parts together
   */
  constructor(
    readonly awaited: readonly UrType[],
    readonly mostMissing = MOST_MISSING,
  ) {}

  /** The fragments of the current message: true where one is known. Empty before the first part. */
  get parts(): readonly boolean[] {
    return this.#message?.known ?? [];
  }

  /** Type of the current message. */
  get type(): UrType | undefined {
    return this.#message?.type;
  }

  /** Drops what was gathered. */
  clear(): void {
    this.#message = undefined;
  }

  /** Takes what a camera read; never throws, whatever the text. */
  take(text: string): ReadResult {
    try {
      return this.#take(text);
    } catch (error) {
      if (!(error instanceof UrError)) throw error;
      if (error.code === 'too-large') return { kind: 'too-large' };
      return error.code === 'not-ur' ? { kind: 'foreign', type: undefined } : { kind: 'torn' };
    }
  }

  #take(text: string): ReadResult {
    const read = readUr(text);
    const { type } = read;
    if (!isUrType(type) || !this.awaited.includes(type)) return { kind: 'foreign', type };
    if ('message' in read) {
      if (read.message.length > MAX_MESSAGE_BYTES) throw tooLarge(read.message.length);
      return { kind: 'whole', type, bytes: readByteString(read.message) };
    }
    requireSound(read.part);
    this.#message ??= new Gathering(type, read.part, this.mostMissing);
    const message = this.#message;
    if (!message.holds(type, read.part)) return { kind: 'other', type };
    if (!message.add(read.part)) return { kind: 'repeated' };
    if (!message.whole) return { kind: 'new' };
    this.#message = undefined;
    return { kind: 'whole', type, bytes: readByteString(message.join()) };
  }
}

const tooLarge = (bytes: number): UrError =>
  new UrError('too-large', 'expected a message of less than four megabytes', { bytes });

/** Contradictory numbers would make us reserve memory for an impossible message. @throws UrError `torn`, `too-large` */
function requireSound({ seqNum, seqLen, messageLen, fragment: { length } }: Part): void {
  if (messageLen > MAX_MESSAGE_BYTES || seqLen > MOST_PARTS) throw tooLarge(messageLen);
  const fits = length * seqLen >= messageLen && length * (seqLen - 1) < messageLen;
  if (seqNum === 0 || seqLen === 0 || length === 0 || !fits)
    throw new UrError('torn', 'expected as many fragments as the message fills');
}

/** A message that is being gathered. */
class Gathering {
  readonly known: boolean[];
  readonly #first: Part;
  readonly #chooser: FragmentChooser;
  readonly #fragments: (Uint8Array | undefined)[];
  readonly #mixed = new Set<Mixed>();
  /** Numbers of the mixed parts that were accepted. */
  readonly #seen = new Set<number>();
  /** Unknown fragments in all mixed parts that are kept. */
  #missing = 0;
  #left: number;

  constructor(
    readonly type: UrType,
    first: Part,
    readonly mostMissing: number,
  ) {
    this.#first = first;
    this.#left = first.seqLen;
    this.#chooser = new FragmentChooser(first.seqLen, first.checksum);
    this.#fragments = new Array<Uint8Array | undefined>(first.seqLen).fill(undefined);
    this.known = new Array<boolean>(first.seqLen).fill(false);
  }

  get whole(): boolean {
    return this.#left === 0;
  }

  /** Whether a part belongs to this message. */
  holds(type: UrType, { seqLen, messageLen, checksum, fragment }: Part): boolean {
    const first = this.#first;
    return (
      type === this.type &&
      seqLen === first.seqLen &&
      messageLen === first.messageLen &&
      checksum === first.checksum &&
      fragment.length === first.fragment.length
    );
  }

  /** Adds a part. @returns whether it added anything */
  add({ seqNum, seqLen, fragment }: Part): boolean {
    if (seqNum > seqLen && (this.#seen.has(seqNum) || this.#seen.size >= MIXED_FOR_EACH * seqLen)) return false;
    const mixed: Mixed = { missing: new Set(this.#chooser.indexes(seqNum)), sum: fragment.slice() };
    for (const index of mixed.missing) this.#takeOut(mixed, index);
    const { size } = mixed.missing;
    if (size === 0 || (size > 1 && this.#missing + size > this.mostMissing)) return false;
    if (seqNum > seqLen) this.#seen.add(seqNum);
    this.#mixed.add(mixed);
    this.#missing += size;
    if (size === 1) this.#settle(mixed);
    return true;
  }

  /** The message. @throws UrError `torn` when it does not match its checksum */
  join(): Uint8Array {
    const { messageLen, checksum, fragment } = this.#first;
    const joined = new Uint8Array(fragment.length * this.#fragments.length);
    this.#fragments.forEach((part, i) => {
      if (part) joined.set(part, i * fragment.length);
    });
    const message = joined.subarray(0, messageLen);
    if (crc32(message) !== checksum) throw new UrError('torn', 'expected the message to fit its sum');
    return message;
  }

  /** A mixture with one missing fragment gives that fragment; with it, other mixtures may be left with one. */
  #settle(single: Mixed): void {
    const open = [single];
    for (let mixed = open.pop(); mixed !== undefined; mixed = open.pop()) {
      this.#mixed.delete(mixed);
      this.#missing -= mixed.missing.size;
      const [index] = mixed.missing;
      if (index === undefined || this.#fragments[index] !== undefined) continue;
      this.#fragments[index] = mixed.sum;
      this.known[index] = true;
      this.#left -= 1;
      for (const other of this.#mixed) {
        if (!this.#takeOut(other, index)) continue;
        this.#missing -= 1;
        if (other.missing.size === 1) open.push(other);
      }
    }
  }

  /** Removes a fragment from a mixture. @returns false if it is unknown or not in it */
  #takeOut(mixed: Mixed, index: number): boolean {
    const fragment = this.#fragments[index];
    if (fragment === undefined || !mixed.missing.delete(index)) return false;
    xorInto(mixed.sum, fragment);
    return true;
  }
}
