import { CodedError } from '../base/index.ts';

/** Why a transaction or a block was rejected. */
export type RejectionCode =
  // a transaction, with a flag in the reply of send_raw_transaction
  | 'low-mixin'
  | 'double-spend'
  | 'pool-double-spend'
  | 'invalid-input'
  | 'invalid-output'
  | 'too-big'
  | 'overspend'
  | 'extra-too-big'
  | 'fee-too-low'
  | 'too-few-outputs'
  | 'sanity-check'
  | 'unlock-time'
  | 'timed-out'
  // a transaction, without a flag there
  | 'malformed'
  | 'bad-output'
  | 'wrong-version'
  | 'no-inputs'
  | 'wrong-input'
  | 'bad-commitment'
  | 'duplicate-key-image'
  | 'duplicate-ring-member'
  | 'key-image-domain'
  | 'wrong-proof-type'
  | 'unbalanced'
  | 'bad-range-proof'
  // a block
  | 'block-version'
  | 'block-parent-unknown'
  | 'block-known'
  | 'block-timestamp'
  | 'block-proof-of-work'
  | 'block-coinbase'
  | 'block-reward'
  | 'block-weight'
  | 'block-transaction-missing'
  | 'block-transaction-repeated';

/** A transaction or block violates a rule. The code says which, the message says what was expected. */
export class RejectedError extends CodedError<RejectionCode> {
  override readonly name = 'RejectedError';
}

/**
 * `log-damaged`, `log-in-use`, `no-store`, `other-network`: the folder cannot be opened. `bad-address`, `subaddress`, `no-coins`: for a
 * payment or a miner. `too-deep`: for a requested reorganisation.
 */
export type DevnetErrorCode =
  | 'log-damaged'
  | 'log-in-use'
  | 'no-store'
  | 'other-network'
  | 'bad-address'
  | 'subaddress'
  | 'no-coins'
  | 'too-deep';

/** The devnet cannot do what was requested. */
export class DevnetError extends CodedError<DevnetErrorCode> {
  override readonly name = 'DevnetError';
}
