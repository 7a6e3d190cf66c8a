import { CodedError } from '../../base/index.ts';

/** Errors between a request to pay and the network's answer. Closed: a door may switch over it. */
export type SpendErrorCode =
  /** The request. */
  | 'no-destination'
  | 'too-many-destinations'
  | 'zero-amount'
  | 'amount-overflow'
  | 'bad-address'
  | 'wrong-network'
  | 'several-payment-ids'
  | 'payment-id-with-several-destinations'
  /** No destination is at the position that is to bear the fee: `data.index`. */
  | 'bad-fee-bearer'
  /** Destinations that bear the fee are paid by one transaction; `data.when` tells whether it was plain before planning. */
  | 'fee-bearers-split'
  | 'bad-output-count'
  | 'view-only'
  /** The money. */
  | 'not-enough-money'
  | 'not-enough-unlocked-money'
  | 'not-possible'
  | 'no-unlocked-outputs'
  | 'nothing-below-threshold'
  | 'output-not-spendable'
  /** A refused payment may have been passed on: this one would not exclude it. */
  | 'refused-before'
  | 'cannot-pay-for-itself'
  /** Unmixable outputs lie in several accounts, and one transaction would join them. */
  | 'several-accounts'
  | 'transaction-too-big'
  /** The daemon. */
  | 'fee-too-high'
  | 'fee-unavailable'
  | 'bad-distribution'
  | 'decoys-unavailable'
  | 'daemon-altered-output'
  | 'bad-ring-member'
  /** `data.reason`: `moved` where the person may give the rings of `data.keyImages` up; `looks`, `gone` and `member` are the daemon's word. */
  | 'kept-ring-unusable'
  /** A ring is given up only where its output has moved. */
  | 'kept-ring-usable'
  /** Signing: whoever holds the key said no. */
  | 'signer-refused'
  /** Somebody else has to go on with it: `data.format` says in what form. */
  | 'unfinished'
  /** The signed transaction is not the one that was planned. */
  | 'check-failed'
  /** Sending. */
  | 'rejected'
  | 'perhaps-sent';

/** A typed failure of this room. The message says what was expected; amounts and indices are in `data`, never a key. */
export class SpendError extends CodedError<SpendErrorCode> {
  override readonly name = 'SpendError';
}
