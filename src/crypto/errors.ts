import { CodedError } from '../base/index.ts';

/** Why a primitive refused. Closed: this room throws no other codes. */
export type CryptoErrorCode =
  | 'not-loaded'
  | 'kernel-unavailable'
  | 'bad-length'
  | 'bad-point'
  | 'bad-scalar'
  | 'bad-argument'
  | 'no-randomness'
  | 'weak-randomness';

/** The error of this room. Messages say what was expected and never contain a secret. */
export class CryptoError extends CodedError<CryptoErrorCode> {
  override readonly name = 'CryptoError';
}
