import { CodedError } from '../base/index.ts';

/** Errors of a reference wallet's file as a whole. Damage inside is a ProtocolError. */
export type Wallet2ErrorCode =
  /** It does not begin like a file of this kind. `data.expected` names the kind of file. */
  | 'bad-magic'
  /** An older or newer version of the format, which the reference does not read by default either. `data.version` */
  | 'unsupported-version'
  /** Not encrypted by the holder of this view key, or changed since. `data.short`: it is too short for a nonce and a signature. */
  | 'not-authentic'
  | 'wrong-password'
  /** Well-formed, but of a kind that this wallet does not support: keys on a device, multisig. `data.kind` names it. */
  | 'unsupported-kind'
  /** Secret keys that do not match the public keys next to them. */
  | 'keys-do-not-match';

/** A typed error. Messages never contain secrets. */
export class Wallet2Error extends CodedError<Wallet2ErrorCode> {
  override readonly name = 'Wallet2Error';
}
