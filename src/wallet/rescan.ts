import { type ByteSource, RandomSampler } from '../base/index.ts';
import type { Height } from '../protocol/index.ts';
import type { WalletState } from './state/state.ts';

/** Smallest number of blocks to scan again: one day. */
const LEAST = 720;
/** Upper bound of the random factor by which a rescan begins earlier than needed. */
const MOST_TIMES = 8;

/** Inputs of {@link rescanFrom}. */
export interface RescanState {
  readonly state: Pick<WalletState, 'height' | 'description'>;
  /** Whether the daemon may learn what is ours. */
  readonly trusted: boolean;
  readonly random: ByteSource;
}

/**
 * Where to begin to scan again for one of our outputs. A request for blocks from the output's own on would tell a daemon which block paid
 * us (T24), and so which ring member is spent. Requests to an untrusted daemon therefore begin further back, chosen at random so that the
 * output is equally likely at any age up to the first block's, but never below the restore height, which that daemon knows.
 * @param first block of the output, or of the first of several
 */
export function rescanFrom(first: Height, { state, trusted, random }: RescanState): Height {
  if (trusted) return first;
  const { height, description } = state;
  const share = 1 - new RandomSampler(random).unit() * (1 - 1 / MOST_TIMES);
  const further = height - Math.ceil(Math.max(height - first, LEAST) / share);
  return Math.min(first, Math.max(further, description.restoreHeight));
}
