import { CodedError } from '../base/index.ts';

/** Everything that can go wrong in the wallet room itself. Other rooms' errors pass through untouched. */
export type WalletErrorCode =
  /** An event does not follow from the state it is applied to: the journal is damaged or was written by something else. */
  | 'bad-event'
  /** The journal holds an event of a later version of the program. */
  | 'newer-version'
  /** The daemon is below the blocks with which this wallet began; it may be syncing itself. */
  | 'daemon-behind'
  /** The daemon's chain forks off further back than the wallet remembers. */
  | 'reorg-too-deep'
  /** A reply's blocks do not link to each other or to ours. */
  | 'broken-chain'
  /** The daemon serves another network's chain. */
  | 'wrong-network'
  /** A block's major version is above the newest this wallet knows (T5). */
  | 'unknown-era'
  /** The whole block of a payment does not contain what the pruned one did (T5). */
  | 'block-mismatch'
  /** The daemon gave an answer that no correct daemon would give. */
  | 'bad-daemon-answer'
  /** The wallet has the view key only. */
  | 'view-only'
  | 'closed'
  /** The spend key is on a device, and none is connected. */
  | 'no-device'
  /** The connected device holds other keys than this wallet's. */
  | 'wrong-device'
  | 'no-daemon'
  /** Syncing met an error that retrying cannot fix; `data.code` is the cause's. */
  | 'sync-stopped'
  | 'bad-seed'
  | 'bad-address'
  | 'bad-key'
  | 'wrong-password'
  | 'no-such-account'
  | 'height-out-of-range'
  /** `data.most`: most addresses that a wallet can look for. */
  | 'lookahead-out-of-range'
  | 'not-found'
  /** A secret key of this wallet was given in place of an id. It was not sent. */
  | 'own-secret'
  /** The secret of a paper is that of the wallet which its money is to go to. */
  | 'same-wallet'
  /**
   * Another program gave out addresses of this wallet, which are unknown until the chain is scanned; `data.why`: why no file lists them.
   */
  | 'addresses-unknown';

/** A typed failure of this room. `data` holds what a caller needs to act on it, never a secret. */
export class WalletError extends CodedError<WalletErrorCode> {
  override readonly name = 'WalletError';
}
