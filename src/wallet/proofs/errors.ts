import { CodedError } from '../../base/index.ts';

/** Errors of making or checking a proof. A proof that does not hold is an answer, not an error. */
export type ProofErrorCode =
  /** The wallet has the view key only. */
  | 'view-only'
  /** The wallet is one of several signers: none of them has the key that proves it. */
  | 'one-of-several'
  /** The daemon does not know the transaction, or did not answer. */
  | 'transaction-unavailable'
  /** Not the transaction that was asked for, or one that cannot be read. */
  | 'bad-daemon-answer'
  /** The wallet does not hold the secret key of the transaction. */
  | 'no-tx-key'
  /** The transaction names no public key. */
  | 'no-tx-public-key'
  /** A key that was given is no scalar, or one of an address no point. */
  | 'bad-key'
  /** The address got nothing by the transaction. */
  | 'nothing-received'
  /** The text does not begin as such a proof does. */
  | 'bad-header'
  /** The text has a length that such a proof cannot have. */
  | 'bad-size'
  /** The text is not base58, or not of what it should be. */
  | 'bad-encoding'
  /** Base58 of bytes that are not laid out as in such a proof. */
  | 'bad-structure'
  /** More or fewer signatures than the transaction has public keys, or more keys than it has outputs. */
  | 'wrong-count'
  /** The transaction does not spend outputs of this wallet. */
  | 'not-ours'
  /** There is nothing to prove a reserve with. */
  | 'no-balance'
  /** The account has less than is to be proven. */
  | 'not-enough-balance'
  /** A reserve of nothing. */
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
  | 'repeated-output';

/** Why a proof or a signed message cannot be made or read. One that can be read and is false is no error, but a verdict. */
export class ProofError extends CodedError<ProofErrorCode> {
  override readonly name = 'ProofError';
}
