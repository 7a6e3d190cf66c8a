/** Why a primitive refused. Closed: every place that throws from this room names one of these. */
export type CryptoErrorCode =
  | 'not-loaded'
  | 'kernel-unavailable'
  | 'bad-hex'
  | 'bad-length'
  | 'bad-point'
  | 'bad-scalar'
  | 'bad-argument'
  | 'no-randomness'
  | 'weak-randomness';

/** The error of this room. Messages say what was expected and never hold a secret. */
export class CryptoError extends Error {
  readonly code: CryptoErrorCode;
  readonly data: Readonly<Record<string, string | number>>;

  constructor(code: CryptoErrorCode, message: string, data: Readonly<Record<string, string | number>> = {}) {
    super(message);
    this.name = 'CryptoError';
    this.code = code;
    this.data = data;
  }
}
