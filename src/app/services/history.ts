import { SPENDABLE_AGE, WATCHED_BLOCKS } from '../../../workers/client.ts';
import type { HistoryEntry } from '../../wallet/index.ts';
import { writeDate } from '../language/formats.ts';
import { m } from '../language/messages.ts';
import { whenIdle } from './frame-scheduling.ts';

/** Milliseconds. */
const PREPARED_WITHIN = 1000;

/** In words: how far a payment is. */
export interface EntryState {
  readonly text: string;
  readonly tone: 'plain' | 'bad';
}

/** One of its own for every row: a transaction has a row for each address of ours that it pays. */
export const entryKey = ({ txHash, direction, account, subaddresses }: HistoryEntry): string =>
  [txHash, direction, account, ...subaddresses.map(({ minor }) => minor)].join(' ');

/** Payments to an address of an account, arrived or on their way. */
export const cameTo = (entries: readonly HistoryEntry[], account: number, minor: number): readonly HistoryEntry[] =>
  entries.filter(
    (entry) => entry.direction !== 'out' && entry.account === account && entry.subaddresses.some((to) => to.minor === minor),
  );

const DAY_SECONDS = 86_400;

/** Whether all of it came today, in UTC, as the balance by day counts. @param now unix seconds */
export const isOfOneDay = (entries: readonly HistoryEntry[], now: number): boolean =>
  entries.every(({ timestamp }) => timestamp >= now - (now % DAY_SECONDS));

/** Unlock times below this are heights, others are Unix seconds. */
export const FIRST_UNLOCK_TIME = 500_000_000n;

/** What keeps an entry from being settled, its block's check apart. */
function standsInTheWay(entry: HistoryEntry): EntryState | undefined {
  if (entry.state === 'failed') return { text: m.state_failed(), tone: 'bad' };
  if (entry.doubleSpendSeen) return { text: m.state_double_spend(), tone: 'bad' };
  if (entry.state === 'sent') return { text: m.state_sent(), tone: 'plain' };
  if (entry.height === undefined) return { text: m.state_pool(), tone: 'plain' };
  if (entry.locked && entry.direction !== 'out' && entry.confirmations >= SPENDABLE_AGE)
    return { text: m.state_locked(), tone: 'plain' };
  if (entry.confirmations < SPENDABLE_AGE)
    return { text: m.state_confirming({ count: entry.confirmations, needed: SPENDABLE_AGE }), tone: 'plain' };
  return undefined;
}

/** Whether it is settled but for its block, which only a trusted node would be asked to show whole (T24). */
export const isUnchecked = (entry: HistoryEntry): boolean =>
  !entry.verified && entry.confirmations > WATCHED_BLOCKS && standsInTheWay(entry) === undefined;

/** State of an entry; empty for one that is settled. */
export function entryState(entry: HistoryEntry): EntryState {
  const way = standsInTheWay(entry);
  if (way) return way;
  if (isUnchecked(entry)) return { text: m.state_unchecked(), tone: 'plain' };
  return { text: entry.verified ? '' : m.state_checking(), tone: 'plain' };
}

/** The hour for today, the day for this year, the whole date before. @param seconds Unix time */
export function formatDay(seconds: number): string {
  const date = new Date(seconds * 1000);
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return writeDate(+date, 'clock');
  return writeDate(+date, date.getFullYear() === now.getFullYear() ? 'day' : 'dayWithYear');
}

/** Has the browser make what writes days before the first is to be drawn: that takes longer than a line of the history. */
export function prepareDays(): void {
  for (const style of ['day', 'dayWithYear', 'clock'] as const) whenIdle(() => writeDate(Date.now(), style), PREPARED_WITHIN);
}

/** Day and time. @param seconds Unix time */
export const formatMoment = (seconds: number): string => writeDate(seconds * 1000, 'moment');
