import { CodedError } from '../base/index.ts';

/** Everything that can go wrong in the wallet room itself. Other rooms' errors pass through untouched. */
export type WalletErrorCode =
  /** An event does not follow from the state it is applied to: the journal is damaged or was written by something else. */
  | 'bad-event'
  /** The daemon has not come as far as the blocks this wallet began with; it may be catching up itself. */
  | 'daemon-behind'
  /** The daemon's chain leaves ours further back than the wallet remembers. */
  | 'reorg-too-deep'
  /** A reply's blocks do not link to each other or to ours. */
  | 'broken-chain'
  /** The daemon serves another network's chain. */
  | 'wrong-network'
  /** A block's major version is above the newest this wallet knows (T5). */
  | 'unknown-era'
  /** The whole block fetched for a payment does not hold what the pruned one said (T5). */
  | 'block-mismatch'
  /** The daemon answered in a way no correct daemon would. */
  | 'bad-daemon-answer'
  /** The wallet has the view key only. */
  | 'view-only'
  | 'closed'
  /** The spend key is on a device, and none is connected. */
  | 'no-device'
  /** The device that is connected holds other keys than this wallet's. */
  | 'wrong-device'
  | 'no-daemon'
  /** Synchronising met something that no further try will mend; `data.code` is the cause's. */
  | 'sync-stopped'
  | 'bad-seed'
  | 'bad-address'
  | 'bad-key'
  | 'wrong-password'
  | 'no-such-account'
  | 'height-out-of-range'
  /** `data.most`: addresses that a wallet watches ahead at the most. */
  | 'lookahead-out-of-range'
  | 'not-found'
  /** Another program gave out addresses of this wallet, and which is not known until the chain is scanned; `data.why` no file says it. */
  | 'addresses-unknown';

/** A typed failure of this room. `data` holds what a caller needs to act on it, never a secret. */
export class WalletError extends CodedError<WalletErrorCode> {
  override readonly name = 'WalletError';
}
