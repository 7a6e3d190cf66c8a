import type { SyncStatus, WalletView } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';

/** A duration in its one or two largest units. */
export function formatDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 60) return m.duration_seconds({ count: Math.max(1, Math.round(seconds)) });
  if (minutes < 60) return m.duration_minutes({ count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48)
    return minutes % 60 === 0 ? m.duration_full_hours({ hours }) : m.duration_hours({ hours, minutes: minutes % 60 });
  return m.duration_days({ count: Math.round(hours / 24) });
}

/** A public network finds a block every two minutes. */
const BLOCK_SECONDS = 120;
/** Estimated time for a number of blocks, as text. */
export const blocksToTime = (blocks: number): string => formatDuration(blocks * BLOCK_SECONDS);

/** Whether the wallet's next block is above the daemon's tip: the restore height is in the future, or the daemon is behind. */
export const isAhead = ({ phase, height, daemonHeight }: SyncStatus): boolean =>
  phase === 'live' && daemonHeight !== undefined && height > daemonHeight;

/** Whether the scan waits for storage space. */
export const isFull = ({ phase, error }: SyncStatus): boolean => phase === 'offline' && error?.code === 'full';

/** Whether no node was chosen, and the page came without one. */
export const hasNoNode = ({ phase, error }: SyncStatus): boolean => phase === 'offline' && error?.code === 'no-daemon';

/** One hour of blocks. A wallet that is opened again catches up with this in a moment. */
const FEW_BLOCKS = 30;

/** Whether the scan has more than {@link FEW_BLOCKS} blocks left. */
export const isFarBehind = ({ phase, height, daemonHeight }: SyncStatus): boolean =>
  phase === 'syncing' && (daemonHeight ?? 0) - height > FEW_BLOCKS;

/** Whether the chain's height is known and at most {@link FEW_BLOCKS} blocks are left. */
export const isNearTip = ({ height, daemonHeight }: SyncStatus): boolean =>
  daemonHeight !== undefined && daemonHeight - height <= FEW_BLOCKS;

/** Whether every block has been scanned. */
export const isWhole = (sync: SyncStatus): boolean => sync.phase === 'live' && !isAhead(sync);

/** Link for an error that retrying does not fix: to the seed words of a removed wallet, or to the daemon settings. */
export function wayOn(sync: SyncStatus): { readonly href: string; readonly text: string } | undefined {
  const { phase, daemonHeight, error } = sync;
  if (isFull(sync)) return undefined;
  if (error?.code === 'removed') return { href: '#/recovery', text: m.recovery_title() };
  if (phase !== 'stopped' && daemonHeight !== undefined) return undefined;
  return { href: '#/settings/daemon', text: m.sync_choose() };
}

/** Phases in which no block is being scanned. */
const STILL: readonly SyncStatus['phase'][] = ['offline', 'paused', 'stopped'];

/**
 * How complete a balance is: `so-far` while blocks are being scanned, `at-most` when spends may be unknown (missing key images), `as-of` when
 * the scan is stopped, so that it was right at an earlier time.
 */
export type BalanceCompleteness = 'whole' | 'so-far' | 'at-most' | 'as-of';

export function balanceCompleteness({ sync, unseen }: Pick<WalletView, 'sync' | 'unseen'>): BalanceCompleteness {
  const still = STILL.includes(sync.phase);
  if (!isWhole(sync) && !still) return 'so-far';
  if (unseen !== undefined) return 'at-most';
  return still ? 'as-of' : 'whole';
}

/** Progress of the scan from 0 to 1; undefined when the chain's height is not known. @param from height at which the scan began */
export function syncFraction(sync: SyncStatus, from: number): number | undefined {
  if (sync.phase === 'live') return 1;
  if (sync.daemonHeight === undefined || sync.daemonHeight <= from) return undefined;
  return Math.min(1, Math.max(0, (sync.height - from) / (sync.daemonHeight - from)));
}
