import type { SyncPhase, SyncStatus } from '../../wallet/index.ts';
import { formatNumber } from '../language/formats.ts';
import { m } from '../language/messages.ts';
import { formatDuration, isAhead, isWhole } from './sync.ts';

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

/** A few words for it. @param fraction 0 … 1 of the scan; undefined when unknown */
export function standingText(standing: Standing, fraction: number | undefined): string {
  switch (standing) {
    case 'disagree':
      return m.status_disagree();
    case 'no-connection':
      return m.status_no_connection();
    case 'unhealthy':
      return m.status_unhealthy();
    case 'ahead':
      return m.sync_ahead();
    case 'live':
      return m.sync_live();
    case 'syncing':
      return fraction === undefined ? m.sync_syncing() : m.sync_percent({ percent: Math.floor(fraction * 100) });
    case 'paused':
      return m.sync_paused();
    case 'offline':
      return m.sync_offline();
    case 'stopped':
      return m.sync_stopped();
    default:
      return m.sync_connecting();
  }
}

/** Which block the wallet is at, and of how many. */
export function placeText(sync: SyncStatus): string {
  if (isWhole(sync)) return m.sync_height({ height: formatNumber(Math.max(0, sync.height - 1)) });
  if (isAhead(sync)) return m.sync_height({ height: formatNumber((sync.daemonHeight ?? 1) - 1) });
  if (sync.daemonHeight === undefined) return sync.height > 0 ? m.sync_height({ height: formatNumber(sync.height) }) : '';
  return m.sync_of({ height: formatNumber(sync.height), tip: formatNumber(sync.daemonHeight) });
}

/** How long the scan will take; empty when unknown. */
export const timeLeftText = ({ phase, timeLeft }: SyncStatus): string =>
  phase === 'syncing' && timeLeft !== undefined ? m.sync_left({ time: formatDuration(timeLeft) }) : '';
