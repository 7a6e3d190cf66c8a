/** Why a PIN did not unlock. */
export type PinErrorCode =
  /** Wrong PIN, with tries left. */
  | 'pin-wrong'
  /** No record: too many wrong PINs, or none was set. */
  | 'pin-gone';

/** A failed unlock by PIN. */
export class PinError extends Error {
  override readonly name = 'PinError';
  /** @param tries that are left */
  constructor(
    readonly code: PinErrorCode,
    readonly tries: number,
  ) {
    super(code);
  }
}
