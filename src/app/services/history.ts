import { SPENDABLE_AGE, WATCHED_BLOCKS } from '../../../workers/chain-limits.ts';
import type { HistoryEntry } from '../../wallet/index.ts';
import { decimalSign, writeDate } from '../language/formats.ts';
import { m } from '../language/messages.ts';
import { whenIdle } from './frame-scheduling.ts';

/** Milliseconds after which the formats are loaded even if the page was never idle. */
const PREPARED_WITHIN = 1000;

/** State of a payment, as text. */
export interface EntryState {
  readonly text: string;
  readonly tone: 'plain' | 'bad';
}

/** Unique key of a row: a transaction has one row for each of our addresses that it pays. */
export const entryKey = ({ txHash, direction, account, subaddresses }: HistoryEntry): string =>
  [txHash, direction, account, ...subaddresses.map(({ minor }) => minor)].join(' ');

/** Incoming payments to an address, unconfirmed ones included. */
export const entriesTo = (entries: readonly HistoryEntry[], account: number, minor: number): readonly HistoryEntry[] =>
  entries.filter(
    (entry) => entry.direction !== 'out' && entry.account === account && entry.subaddresses.some((to) => to.minor === minor),
  );

const DAY_SECONDS = 86_400;

/** Whether all entries are from today (UTC, as in the balance by day). @param now Unix seconds */
export const isAllFromToday = (entries: readonly HistoryEntry[], now: number): boolean =>
  entries.every(({ timestamp }) => timestamp >= now - (now % DAY_SECONDS));

/** Unlock times below this are block heights, others are Unix times. */
export const FIRST_UNLOCK_TIME = 500_000_000n;

/** Why an entry is not settled, apart from its block's verification; undefined if nothing is open. */
function unsettledState(entry: HistoryEntry): EntryState | undefined {
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

/** Whether an entry is settled except that its block was not verified: only a trusted node is asked for the whole block (T24). */
export const isUnchecked = (entry: HistoryEntry): boolean =>
  !entry.verified && entry.confirmations > WATCHED_BLOCKS && unsettledState(entry) === undefined;

/** State of an entry; the text is empty for a settled one. */
export function entryState(entry: HistoryEntry): EntryState {
  const way = unsettledState(entry);
  if (way) return way;
  if (isUnchecked(entry)) return { text: m.state_unchecked(), tone: 'plain' };
  return { text: entry.verified ? '' : m.state_checking(), tone: 'plain' };
}

/** Time for today, day and month for this year, otherwise the full date. @param seconds Unix time */
export function formatDay(seconds: number): string {
  const date = new Date(seconds * 1000);
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return writeDate(+date, 'clock');
  return writeDate(+date, date.getFullYear() === now.getFullYear() ? 'day' : 'dayWithYear');
}

/** Creates the formatters of amounts and dates in idle moments, as creating one takes longer than rendering a history row. */
export function warmUpFormats(): void {
  whenIdle(decimalSign, PREPARED_WITHIN);
  for (const style of ['day', 'dayWithYear', 'clock'] as const) whenIdle(() => writeDate(Date.now(), style), PREPARED_WITHIN);
}

/** Date and time. @param seconds Unix time */
export const formatDateTime = (seconds: number): string => writeDate(seconds * 1000, 'moment');
