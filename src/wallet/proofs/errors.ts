import { CodedError } from '../../base/index.ts';

/** Errors of making or checking a proof. An invalid proof is a result, not an error. */
export type ProofErrorCode =
  /** The wallet has the view key only. */
  | 'view-only'
  /** The wallet is a signer of a group: none of them has the key that proves it. */
  | 'one-of-several'
  /** The daemon does not know the transaction, or did not answer. */
  | 'transaction-unavailable'
  /** Not the requested transaction, or one that cannot be read. */
  | 'bad-daemon-answer'
  /** The wallet does not have the secret key of the transaction. */
  | 'no-tx-key'
  /** The transaction has no public key. */
  | 'no-tx-public-key'
  /** A given key is not a scalar, or one of an address is not a point. */
  | 'bad-key'
  /** The transaction paid nothing to the address. */
  | 'nothing-received'
  /** The text does not begin like such a proof. */
  | 'bad-header'
  /** The text has a length that such a proof cannot have. */
  | 'bad-size'
  /** The text is not base58, or does not have the right contents. */
  | 'bad-encoding'
  /** Base58 of bytes that do not have the structure of such a proof. */
  | 'bad-structure'
  /** More or fewer signatures than the transaction has public keys, or more keys than it has outputs. */
  | 'wrong-count'
  /** The transaction does not spend outputs of this wallet. */
  | 'not-ours'
  /** There is nothing to prove a reserve with. */
  | 'no-balance'
  /** The account has less than the amount to prove. */
  | 'not-enough-balance'
  /** A reserve of zero. */
  | 'zero-amount'
  /** The reserve proof is about another wallet. */
  | 'other-address'
  /** An output of the reserve proof is not on the chain yet. */
  | 'unconfirmed'
  /** The reserve proof names an output that its transaction does not have. */
  | 'bad-index'
  /** The reserve proof names an output of somebody else. */
  | 'foreign-output'
  /** The reserve proof counts an output twice. */
  | 'repeated-output'
  /** The reserve proof has a key image twice. */
  | 'repeated-key-image'
  /** The reserve proof has a key image that no transaction can have: with torsion, or the identity. */
  | 'bad-key-image';

/** Why a proof or a signed message cannot be made or read. One that can be read but is false is a result, not an error. */
export class ProofError extends CodedError<ProofErrorCode> {
  override readonly name = 'ProofError';
}
