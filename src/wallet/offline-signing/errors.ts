import { CodedError } from '../../base/index.ts';

/** Errors between the two halves of a wallet. Files that cannot be read are Wallet2Error and ProtocolError. */
export type OfflineSigningErrorCode =
  /** Made by another wallet. */
  | 'other-account'
  /** Begins after the outputs that this wallet knows: some in between are missing. */
  | 'missing-outputs'
  /** More outputs than the file's total. */
  | 'outputs-beyond-total'
  /** An export of no outputs. */
  | 'nothing-requested'
  /** An export of new outputs only, with a start position. */
  | 'start-without-all'
  /** More key images than this wallet has outputs: it has seen less of the chain. */
  | 'too-many-key-images'
  /** An output that does not belong to this wallet. `data.position` */
  | 'not-ours'
  /** Not a point of the prime subgroup. `data.position` */
  | 'bad-key-image'
  /** The key image's signature is not that of the output's owner. `data.position` */
  | 'bad-signature'
  /** The wallet has the view key only. */
  | 'view-only'
  /** The wallet is a signer of a group: none of them has the key that makes its key images. */
  | 'one-of-several'
  /** Change to an address that is not paid. */
  | 'change-not-paid'
  /** More change than is paid to its address. */
  | 'change-too-large'
  /** Change of several transactions to several addresses. */
  | 'several-change-addresses'
  /** Change to an address that is not of this wallet. */
  | 'foreign-change'
  /** A transaction of an obsolete or unsupported form. */
  | 'unsupported-form'
  /** An output's commitment contradicts the set, or amounts do not add up. `data.transaction` */
  | 'contradictory-set'
  /** A transaction with an unlock time. `data.transaction` */
  | 'locked-transaction'
  /** A set without transactions, or a transaction without inputs. */
  | 'empty-set'
  /** A file of another network. */
  | 'wrong-network'
  /** A file that is truncated or malformed. */
  | 'damaged-file'
  /** The set spends outputs that are spent. */
  | 'already-spent'
  /** The transactions of the set were sent already. `data.txHash` */
  | 'already-sent'
  /** The daemon's answer does not match the query. */
  | 'bad-daemon-answer';

/** A typed failure of the exchange with other halves and wallets. `data` holds what a caller needs to act on it, never a secret. */
export class OfflineSigningError extends CodedError<OfflineSigningErrorCode> {
  override readonly name = 'OfflineSigningError';
}
