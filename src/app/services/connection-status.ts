import type { SyncPhase, SyncStatus } from '../../wallet/index.ts';
import { formatNumber } from '../language/formats.ts';
import { m } from '../language/messages.ts';
import { formatDay } from './history.ts';
import { formatDuration, hasNoNode, isAhead, isFull } from './sync.ts';

/** The wallet's connection to the chain, reduced to the one status that matters most. */
export type ConnectionStatus = SyncPhase | 'disagree' | 'no-connection' | 'no-node' | 'unhealthy' | 'ahead' | 'full';

/** What the status depends on besides the sync phase. */
export interface ConnectionFacts {
  /** `navigator.onLine`. */
  readonly online: boolean;
  /** The second daemon reports a different chain. */
  readonly disagree: boolean;
  /** The node was measured and found unusable. */
  readonly unhealthy: boolean;
}

const STUCK: readonly SyncPhase[] = ['stopped', 'paused'];

/** The most serious status that applies. */
export function connectionStatus(sync: SyncStatus, { online, disagree, unhealthy }: ConnectionFacts): ConnectionStatus {
  if (disagree) return 'disagree';
  if (STUCK.includes(sync.phase)) return sync.phase;
  // Blocks arrive, but there is no space to store their results: the node is not the cause.
  if (isFull(sync)) return 'full';
  if (hasNoNode(sync)) return 'no-node';
  // A node on this device works without a connection.
  if (!online && sync.phase !== 'live') return 'no-connection';
  if (sync.phase === 'offline') return 'offline';
  if (unhealthy) return 'unhealthy';
  return isAhead(sync) ? 'ahead' : sync.phase;
}

const WORDS: Readonly<Record<ConnectionStatus, () => string>> = {
  disagree: m.status_disagree,
  'no-connection': m.status_no_connection,
  'no-node': m.status_no_node,
  unhealthy: m.status_unhealthy,
  ahead: m.sync_ahead,
  full: m.sync_stopped,
  live: m.sync_live,
  syncing: m.sync_syncing,
  paused: m.sync_paused,
  offline: m.sync_offline,
  stopped: m.sync_stopped,
  idle: m.sync_connecting,
  connecting: m.sync_connecting,
};

/** Short text. @param fraction 0 … 1 of the scan; undefined when unknown */
export function connectionStatusText(status: ConnectionStatus, fraction: number | undefined): string {
  if (status !== 'syncing' || fraction === undefined) return WORDS[status]();
  return m.sync_percent({ percent: Math.floor(fraction * 100) });
}

/** Height that the scan has reached, with the chain's height while the scan is behind it. */
export function scannedHeightText(sync: SyncStatus): string {
  const { height, daemonHeight } = sync;
  if (daemonHeight !== undefined && height < daemonHeight)
    return m.sync_of({ height: formatNumber(height), tip: formatNumber(daemonHeight) });
  const last = lastBlock(sync);
  return last === undefined ? '' : m.sync_height({ height: formatNumber(last) });
}

/** Height of the last scanned block; undefined before the first. */
function lastBlock({ height, daemonHeight }: SyncStatus): number | undefined {
  const next = Math.min(height, daemonHeight ?? height);
  return next > 0 ? next - 1 : undefined;
}

/** "Balance as of …" for a wallet that is not syncing. @param syncedAt when every block had last been scanned, ms since the epoch; undefined if never since the page was loaded */
export function asOfText(sync: SyncStatus, syncedAt: number | undefined): string {
  if (syncedAt !== undefined) return m.home_balance_as_of({ time: formatDay(syncedAt / 1000) });
  const last = lastBlock(sync);
  return last === undefined ? m.home_balance_so_far() : m.home_balance_at_block({ height: formatNumber(last) });
}

/** Estimated time left of the scan; empty when unknown. */
export const timeLeftText = ({ phase, timeLeft }: SyncStatus): string =>
  phase === 'syncing' && timeLeft !== undefined ? m.sync_left({ time: formatDuration(timeLeft) }) : '';
