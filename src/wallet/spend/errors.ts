import { CodedError } from '../../base/index.ts';

/** Errors between a request to pay and the network's answer. Closed: callers may switch over it. */
export type SpendErrorCode =
  /** About the request. */
  | 'no-destination'
  | 'too-many-destinations'
  | 'zero-amount'
  | 'amount-overflow'
  | 'bad-address'
  | 'wrong-network'
  | 'several-payment-ids'
  | 'payment-id-with-several-destinations'
  /** There is no destination at the index that should bear the fee: `data.index`. */
  | 'bad-fee-bearer'
  /** Destinations that bear the fee must be paid by one transaction; `data.when` says whether that was clear before planning. */
  | 'fee-bearers-split'
  | 'bad-output-count'
  | 'view-only'
  /** About the money. */
  | 'not-enough-money'
  | 'not-enough-unlocked-money'
  | 'not-possible'
  | 'no-unlocked-outputs'
  | 'nothing-below-threshold'
  | 'output-not-spendable'
  /** A refused payment may have been relayed: this one would not exclude it. */
  | 'refused-before'
  | 'cannot-pay-for-itself'
  /** Unmixable outputs are in several accounts, which one transaction would link. */
  | 'several-accounts'
  | 'transaction-too-big'
  /** About the daemon. */
  | 'fee-too-high'
  | 'fee-unavailable'
  | 'bad-distribution'
  | 'decoys-unavailable'
  | 'daemon-altered-output'
  | 'bad-ring-member'
  /** `data.reason`: `moved` if the person may give up the rings of `data.keyImages`; `looks`, `gone` and `member` are the daemon's word. */
  | 'kept-ring-unusable'
  /** A ring can be given up only if its output has moved. */
  | 'kept-ring-usable'
  /** About signing: the holder of the key refused. */
  | 'signer-refused'
  /** Somebody else must complete it: `data.format` says in what form. */
  | 'unfinished'
  /** The signed transaction differs from the planned one. */
  | 'check-failed'
  /** About sending. */
  | 'rejected'
  | 'perhaps-sent';

/** A typed failure of this room. The message says what was expected; amounts and indices are in `data`, never a key. */
export class SpendError extends CodedError<SpendErrorCode> {
  override readonly name = 'SpendError';
}
