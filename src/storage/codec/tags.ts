/**
 * The value encoding of records: a tag byte, then its data. Tags from 0x80 on are the whole numbers 0 … 127 themselves. Lengths, counts and
 * integers are varints: seven bits in each byte, lowest first.
 */
export const TAG = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  /** Number, whole, 0 … 2^53−1. */
  whole: 4,
  /** Number, whole, negative: −1 − varint. */
  negative: 5,
  /** Number, any other: eight bytes, little-endian. */
  double: 6,
  /** bigint, not negative: varint. */
  bigint: 7,
  /** bigint, negative: −1 − varint. */
  negativeBigint: 8,
  /** Length and UTF-8 bytes. */
  text: 9,
  /** Text of an even number of lower-case hex digits: number of bytes, bytes. */
  hex: 10,
  /** Length and bytes. */
  bytes: 11,
  /** Count and values. */
  array: 12,
  /** Count of names, names (as texts without tag), values. The list of names becomes the next shape of the record. */
  newShape: 13,
  /** Number of a shape, values. */
  shape: 14,
} as const;

/** Tags 128 … 255 are the whole numbers 0 … 127 themselves. */
export const SMALL = 0x80;
/** Most levels of nested lists and objects (T6). */
export const MAX_DEPTH = 32;

/** Value of a record's field. */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Value[]
  | { readonly [name: string]: Value };
