import { CodedError } from '../../base/index.ts';

/** Errors of a group, of its members' messages, and of requests to it. */
export type MultisigErrorCode =
  /** A message that is truncated, not base58, or lacks fields of its kind. */
  | 'bad-message'
  /** A message of the first version, in whose groups a member could steal the coins. */
  | 'old-version'
  /** Not a message of a key exchange, or one of a later version. */
  | 'unknown-version'
  /** A key in a message is the neutral element, not a point, or outside of the prime subgroup. `data.of`: `signer`, `message` */
  | 'bad-key'
  /** Not signed by the signer that the message names, or changed since. */
  | 'bad-signature'
  /** A message of another round than the current one. `data.expected` */
  | 'wrong-round'
  /** Messages of different rounds. */
  | 'mixed-rounds'
  /** Two messages of the first round by one signer. */
  | 'duplicate-signer'
  /** A signature or message is not from a member of the group. */
  | 'unknown-signer'
  /** Fewer than 1, or more than the signers. */
  | 'bad-threshold'
  /** Fewer than 2 signers, or more than 16. */
  | 'bad-signer-count'
  /** Messages of some other signers are missing. `data.found`, `data.required` */
  | 'signers-missing'
  /** Messages contradict each other: a key is proposed by too few signers, or a signer proposes too few or too many keys. One of them lies, or belongs to another group. */
  | 'contradiction'
  /** In the last round other signers report different keys: the group must not be used. */
  | 'not-verified'
  /** The key exchange is complete. */
  | 'already-complete'
  /** Parts of an account that do not belong together. */
  | 'bad-account'
  /** Not a seed of a signer, or one whose keys do not belong together. */
  | 'bad-seed'
  | 'not-multisig'
  | 'already-multisig'
  /** A wallet that cannot spend cannot become a signer. */
  | 'view-only'
  /** The key exchange is not complete. */
  | 'not-ready'
  /** Spending: newer exports of other signers must be imported first. `data.found`, `data.required` */
  | 'info-missing'
  /** The export belongs to another group. */
  | 'other-group'
  /** An export or a set of transactions that contradicts itself. */
  | 'bad-set'
  /** Exported key images that do not fit together: one of the signers lies. */
  | 'bad-key-images'
  /** Nonces were used, or may have been, as after restoring an older state: export again, and have the payment proposed again. */
  | 'nonces-unknown'
  | 'empty-set'
  | 'already-signed'
  | 'fully-signed'
  | 'too-many-signers'
  | 'too-few-signers'
  | 'frozen'
  /** The proposer did not include us among the signers who could complete this set. */
  | 'not-asked'
  /** Our own message where another member's is expected. */
  | 'own-message'
  /** The message was taken before. */
  | 'repeated'
  /** The shares do not add up to a signature: one of them, or a key image, is wrong. */
  | 'bad-shares';

/** A typed failure. Messages never contain a secret. */
export class MultisigError extends CodedError<MultisigErrorCode> {
  override readonly name = 'MultisigError';
}
