import { type ByteSource, RandomSampler } from '../base/index.ts';
import type { Height } from '../protocol/index.ts';
import type { WalletState } from './state/state.ts';

/** Smallest number of blocks to scan again: those of a day. */
const LEAST = 720;
/** Upper bound of the random factor by which a rescan begins earlier than needed. */
const MOST_TIMES = 8;

/** What {@link rescanFrom} decides by. */
export interface RescanState {
  readonly state: Pick<WalletState, 'height' | 'description'>;
  /** Whether the daemon may learn what is ours. */
  readonly trusted: boolean;
  readonly random: ByteSource;
}

/**
 * From where to scan again for the sake of an output of ours. Blocks that are asked for from its own on would tell a daemon which block paid
 * us (T24), and so which member of a ring is spent. Of a daemon that is not trusted they are asked for from further back on, by a chance that
 * makes the output as likely at any age up to the first block's; never from below the restore height, which that daemon knows.
 * @param first block of the output, or of the first of several
 */
export function rescanFrom(first: Height, { state, trusted, random }: RescanState): Height {
  if (trusted) return first;
  const { height, description } = state;
  const share = 1 - new RandomSampler(random).unit() * (1 - 1 / MOST_TIMES);
  const further = height - Math.ceil(Math.max(height - first, LEAST) / share);
  return Math.min(first, Math.max(further, description.restoreHeight));
}
