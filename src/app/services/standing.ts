import type { SyncPhase, SyncStatus } from '../../wallet/index.ts';
import { formatNumber } from '../language/formats.ts';
import { m } from '../language/messages.ts';
import { formatDay } from './history.ts';
import { formatDuration, isAhead } from './sync.ts';

/** The one thing that matters most of how a wallet stands to the chain. */
export type Standing = SyncPhase | 'disagree' | 'no-connection' | 'unhealthy' | 'ahead';

/** Facts beside the scan's own state. */
export interface Around {
  /** The device says that it has a connection. */
  readonly online: boolean;
  /** A second node has another chain. */
  readonly disagree: boolean;
  /** The node was measured, and is not fit to go on with. */
  readonly unhealthy: boolean;
}

const STUCK: readonly SyncPhase[] = ['stopped', 'paused'];

/** The worst first: what takes money away, what stands still, what is slow, and at the end that all is well. */
export function standingOf(sync: SyncStatus, { online, disagree, unhealthy }: Around): Standing {
  if (disagree) return 'disagree';
  if (STUCK.includes(sync.phase)) return sync.phase;
  // A node on the device itself needs no connection.
  if (!online && sync.phase !== 'live') return 'no-connection';
  if (sync.phase === 'offline') return 'offline';
  if (unhealthy) return 'unhealthy';
  return isAhead(sync) ? 'ahead' : sync.phase;
}

const WORDS: Readonly<Record<Standing, () => string>> = {
  disagree: m.status_disagree,
  'no-connection': m.status_no_connection,
  unhealthy: m.status_unhealthy,
  ahead: m.sync_ahead,
  live: m.sync_live,
  syncing: m.sync_syncing,
  paused: m.sync_paused,
  offline: m.sync_offline,
  stopped: m.sync_stopped,
  idle: m.sync_connecting,
  connecting: m.sync_connecting,
};

/** A few words for it. @param fraction 0 … 1 of the scan; undefined when unknown */
export function standingText(standing: Standing, fraction: number | undefined): string {
  if (standing !== 'syncing' || fraction === undefined) return WORDS[standing]();
  return m.sync_percent({ percent: Math.floor(fraction * 100) });
}

/** Which block the wallet is at, and of how many. */
export function placeText(sync: SyncStatus): string {
  const { height, daemonHeight } = sync;
  if (daemonHeight !== undefined && height < daemonHeight)
    return m.sync_of({ height: formatNumber(height), tip: formatNumber(daemonHeight) });
  const last = lastBlock(sync);
  return last === undefined ? '' : m.sync_height({ height: formatNumber(last) });
}

/** The last block that was looked at, or that there is; undefined before the first. */
function lastBlock({ height, daemonHeight }: SyncStatus): number | undefined {
  const next = Math.min(height, daemonHeight ?? height);
  return next > 0 ? next - 1 : undefined;
}

/** When a balance was right that is not looked after now. @param wholeAt milliseconds since the epoch: when all blocks had last been looked at; undefined where they were not in this visit */
export function asOfText(sync: SyncStatus, wholeAt: number | undefined): string {
  if (wholeAt !== undefined) return m.home_balance_as_of({ time: formatDay(wholeAt / 1000) });
  const last = lastBlock(sync);
  return last === undefined ? m.home_balance_so_far() : m.home_balance_at_block({ height: formatNumber(last) });
}

/** How long the scan will take; empty when unknown. */
export const timeLeftText = ({ phase, timeLeft }: SyncStatus): string =>
  phase === 'syncing' && timeLeft !== undefined ? m.sync_left({ time: formatDuration(timeLeft) }) : '';
