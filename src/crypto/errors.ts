import { CodedError } from '../base/index.ts';

/** Why a primitive refused. Closed: every place that throws from this room names one of these. */
export type CryptoErrorCode =
  | 'not-loaded'
  | 'kernel-unavailable'
  | 'bad-length'
  | 'bad-point'
  | 'bad-scalar'
  | 'bad-argument'
  | 'no-randomness'
  | 'weak-randomness';

/** The error of this room. Messages say what was expected and never hold a secret. */
export class CryptoError extends CodedError<CryptoErrorCode> {
  override readonly name = 'CryptoError';
}
