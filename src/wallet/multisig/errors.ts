import { CodedError } from '../../base/index.ts';

/** Errors of a group, of its members' messages, and of requests to it. */
export type MultisigErrorCode =
  /** A message that is cut off, is not base58, or does not hold what its kind holds. */
  | 'bad-message'
  /** A message of the first version, whose groups a member could steal from. */
  | 'old-version'
  /** A text that is no message of a key exchange, or one of a later version. */
  | 'unknown-version'
  /** A key in a message that is the neutral element, no point, or outside of the prime subgroup. `data.of`: `signer`, `message` */
  | 'bad-key'
  /** Not signed by the signer that the message names, or changed since. */
  | 'bad-signature'
  /** A message of another round than the one under way. `data.expected` */
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
  /** Not every other signer's message is there. `data.found`, `data.required` */
  | 'signers-missing'
  /** Signers contradict each other: a key is proposed by too few, or a signer proposes too few or too many. One of them lies, or is of another group. */
  | 'contradiction'
  /** In the last round other signers report different keys: the group must not be used. */
  | 'not-verified'
  /** The exchange is over. */
  | 'already-complete'
  /** Parts of an account that do not belong together. */
  | 'bad-account'
  /** A seed of such a wallet that is none, or whose keys do not belong together. */
  | 'bad-seed'
  | 'not-multisig'
  | 'already-multisig'
  /** A wallet that cannot spend cannot become a signer. */
  | 'view-only'
  /** The key exchange is not over. */
  | 'not-ready'
  /** Spending: newer exports of other signers must be imported first. `data.found`, `data.required` */
  | 'info-missing'
  /** The export belongs to another group. */
  | 'other-group'
  /** An export or a set of transactions that contradicts itself. */
  | 'bad-set'
  /** Signers told key images that do not fit together: one of them lies. */
  | 'bad-key-images'
  /** Nonces that were used, or that a restored older state cannot know to be unused: export again, and have the payment proposed anew. */
  | 'nonces-unknown'
  | 'empty-set'
  | 'already-signed'
  | 'fully-signed'
  | 'too-many-signers'
  | 'too-few-signers'
  | 'frozen'
  /** A set that no set of signers with us in it could complete. */
  | 'not-asked'
  /** One's own message, where another member's is awaited. */
  | 'own-message'
  /** It is here already. */
  | 'repeated'
  /** The shares of all signers do not make a signature: one of them is wrong, or a key image. */
  | 'bad-shares';

/** A typed failure. Never a secret in a message. */
export class MultisigError extends CodedError<MultisigErrorCode> {
  override readonly name = 'MultisigError';
}
