import { CodedError } from '../base/index.ts';

/** Errors of a reference wallet's file as a whole. Damage inside is a ProtocolError. */
export type Wallet2ErrorCode =
  /** It begins with other bytes than such a file does. `data.expected` names the kind of file. */
  | 'bad-magic'
  /** An older or newer version of the format, which the reference does not read by default either. `data.version` */
  | 'unsupported-version'
  /** Not encrypted by the holder of this view key, or changed since. `data.short`: it has not even room for a nonce and a signature. */
  | 'not-authentic'
  | 'wrong-password'
  /** Well-formed and of a kind that this wallet cannot hold: keys on a device, multisig. `data.kind` names it. */
  | 'unsupported-kind'
  /** Secret keys that do not belong to the public keys beside them. */
  | 'keys-do-not-match';

/** A typed failure. Never a secret in a message. */
export class Wallet2Error extends CodedError<Wallet2ErrorCode> {
  override readonly name = 'Wallet2Error';
}
