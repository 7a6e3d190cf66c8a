import type { SyncStatus, WalletView } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';

/** How long, in the two largest units that say something. */
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
/** About how long so many blocks take, in words. */
export const blocksToTime = (blocks: number): string => formatDuration(blocks * BLOCK_SECONDS);

/** Whether the daemon has no block yet that the wallet is to look at: it begins above the tip, or the daemon is behind. */
export const isAhead = ({ phase, height, daemonHeight }: SyncStatus): boolean =>
  phase === 'live' && daemonHeight !== undefined && height > daemonHeight;

/** An hour of blocks: a wallet that is opened again is no further behind for long. */
const FEW_BLOCKS = 30;

/** Whether so much is still to be scanned that it takes a while. */
export const isFarBehind = ({ phase, height, daemonHeight }: SyncStatus): boolean =>
  phase === 'syncing' && (daemonHeight ?? 0) - height > FEW_BLOCKS;

/** Whether the chain's end is known, and little of it is still to be scanned. */
export const isNearTip = ({ height, daemonHeight }: SyncStatus): boolean =>
  daemonHeight !== undefined && daemonHeight - height <= FEW_BLOCKS;

/** Whether every block that the wallet is to look at has been looked at. */
export const isWhole = (sync: SyncStatus): boolean => sync.phase === 'live' && !isAhead(sync);

/** Where a person goes on from what no further try will mend: words of a wallet that is kept no more, or another node. */
export function wayOn({ phase, daemonHeight, error }: SyncStatus): { readonly href: string; readonly text: string } | undefined {
  if (error?.code === 'removed') return { href: '#/recovery', text: m.recovery_title() };
  if (phase !== 'stopped' && daemonHeight !== undefined) return undefined;
  return { href: '#/settings/daemon', text: m.sync_choose() };
}

/** Phases in which nothing is being looked at, and nothing will be by itself at once. */
const STILL: readonly SyncStatus['phase'][] = ['offline', 'paused', 'stopped'];

/**
 * How far a balance is to be believed: `so-far` while blocks are being looked at, `at-most` where spends may go unseen, `as-of` where
 * nothing is looked at any more: it was right at some moment.
 */
export type BalanceWorth = 'whole' | 'so-far' | 'at-most' | 'as-of';

/** How much the balance shown is worth: all, what was read so far, or the most that there can be (`unseen`). */
export function balanceWorth({ sync, unseen }: Pick<WalletView, 'sync' | 'unseen'>): BalanceWorth {
  const still = STILL.includes(sync.phase);
  if (!isWhole(sync) && !still) return 'so-far';
  if (unseen !== undefined) return 'at-most';
  return still ? 'as-of' : 'whole';
}

/** 0 … 1, undefined when there is nothing to be a part of. */
export function syncFraction(sync: SyncStatus, from: number): number | undefined {
  if (sync.phase === 'live') return 1;
  if (sync.daemonHeight === undefined || sync.daemonHeight <= from) return undefined;
  return Math.min(1, Math.max(0, (sync.height - from) / (sync.daemonHeight - from)));
}
