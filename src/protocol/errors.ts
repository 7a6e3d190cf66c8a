import { CodedError, FormatError } from '../base/index.ts';

/** Everything that can be wrong with bytes, texts and values of the chain. A closed union: match on it exhaustively. */
export type ProtocolErrorCode =
  /** The bytes ended before the value did. */
  | 'truncated'
  /** Bytes were left over after the value. */
  | 'trailing-bytes'
  /** A varint that is too large for its field or not in its shortest form. */
  | 'bad-varint'
  /** A count or length larger than the bytes that remain, or than a stated limit. */
  | 'bad-length'
  /** A tag, type or version byte with no meaning here. */
  | 'unknown-tag'
  /** Well-formed pieces that contradict each other, or a value that cannot be written. */
  | 'bad-structure'
  /** Nested deeper than the limit. */
  | 'too-deep'
  /** A field that is missing or of another type than expected. */
  | 'unexpected-type'
  /** A number outside the range of its field. */
  | 'out-of-range'
  /** Not CryptoNote's base58. */
  | 'bad-base58'
  /** An address of invalid length. */
  | 'bad-address-length'
  /** The checksum does not match: mistyped or cut. */
  | 'bad-checksum'
  /** An address of another network; `data.network` names it. */
  | 'wrong-network'
  /** A prefix that belongs to no network. */
  | 'unknown-address-prefix'
  /** An address whose keys are not points of the curve. */
  | 'bad-key'
  /** A seed with an invalid number of words. */
  | 'bad-word-count'
  /** A word that is in no word list; `data.position` counts from 1. */
  | 'unknown-word'
  /** The last word of a seed does not match the others. */
  | 'bad-checksum-word'
  /** Words that are a valid seed in two languages, a different one in each. */
  | 'ambiguous-words'
  /** A seed with features that this program does not know. */
  | 'unsupported-seed'
  /** A seed encrypted with a passphrase, given without it. */
  | 'passphrase-needed'
  /** A word list that has not been loaded or does not exist. */
  | 'unknown-language'
  /** A block or transaction of a protocol version newer than this program knows. */
  | 'unknown-era'
  /** Not an amount: more than 12 decimals, negative, not a number, or too large. */
  | 'bad-amount'
  /** Not a payment URI, or not a wallet URI. */
  | 'bad-uri'
  /** Something was requested that a pruned transaction does not contain. */
  | 'pruned';

/** A typed failure of this room. `data` has what a caller needs to act on it (an offset, a position, a network), never a secret. */
export class ProtocolError extends CodedError<ProtocolErrorCode> {
  override readonly name = 'ProtocolError';
}

/** Whether an error is about malformed bytes or text: a ProtocolError or a FormatError, with this code if one is given. */
export function isProtocolError(error: unknown, code?: ProtocolErrorCode): error is ProtocolError | FormatError {
  return (error instanceof ProtocolError || error instanceof FormatError) && (code === undefined || error.code === code);
}
