/** Data of an error beside its code: an offset, a position, a limit. Never a secret. */
export type ErrorData = Readonly<Record<string, bigint | number | string | boolean | readonly string[]>>;

/** A failure with a code of a closed union, which callers match on. The message says in English what was expected, and never holds a secret. */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;
  readonly data: ErrorData;

  constructor(code: Code, message: string, data: ErrorData = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
  }
}

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The code of an error, ours or the system's; empty if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Errors of bytes and texts of any format. */
export type FormatErrorCode =
  /** Not pairs of hexadecimal digits. */
  | 'bad-hex'
  /** Not the length of the field. */
  | 'bad-length'
  | 'bad-json'
  /** Nested deeper than the limit. */
  | 'too-deep'
  /** A value that cannot be written. */
  | 'bad-structure'
  /** A field that is missing or of another type than expected. */
  | 'unexpected-type'
  /** A number outside the range of its field. */
  | 'out-of-range';

/** Bytes or a text that are not of the format expected. */
export class FormatError extends CodedError<FormatErrorCode> {
  override readonly name = 'FormatError';
}
