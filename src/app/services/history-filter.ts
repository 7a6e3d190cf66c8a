import { SPENDABLE_AGE } from '../../../workers/chain-limits.ts';
import type { HistoryEntry } from '../../wallet/index.ts';
import { HISTORY_COLUMNS, type HistorySorting, isNewestFirst, NEWEST_FIRST } from './table-sorting.ts';

/** Kinds of entries; `pending` are those without enough confirmations to be spent. */
export const KINDS = ['all', 'in', 'out', 'pending'] as const;

/** Which entries of the history are wanted. */
export interface HistoryFilter {
  readonly kind: (typeof KINDS)[number];
  /** undefined for all accounts. */
  readonly account: number | undefined;
  /** First and last day in local time, as `YYYY-MM-DD`; empty for no bound. */
  readonly from: string;
  readonly to: string;
}

export const NO_FILTER: HistoryFilter = { kind: 'all', account: undefined, from: '', to: '' };

export const isUnfiltered = ({ kind, account, from, to }: HistoryFilter): boolean =>
  kind === 'all' && account === undefined && from === '' && to === '';

/** Seconds of the longest day: 25 hours, when daylight saving time ends. */
const UP_TO_NEXT_DAY = 25 * 3600;

/** Unix time of the start of a day; undefined for no or an invalid date. */
function beginning(day: string): number | undefined {
  const at = day === '' ? Number.NaN : new Date(`${day}T00:00`).getTime() / 1000;
  return Number.isNaN(at) ? undefined : at;
}

/** Unix time of the start of the next day. */
function end(day: string): number | undefined {
  const start = beginning(day);
  return start === undefined ? undefined : new Date((start + UP_TO_NEXT_DAY) * 1000).setHours(0, 0, 0, 0) / 1000;
}

/** Whether an entry matches the filter. */
export function passesFilter(entry: HistoryEntry, { kind, account, from, to }: HistoryFilter): boolean {
  if (account !== undefined && entry.account !== account) return false;
  if (entry.timestamp < (beginning(from) ?? 0) || entry.timestamp >= (end(to) ?? Number.POSITIVE_INFINITY)) return false;
  if (kind === 'pending') return entry.state !== 'failed' && (entry.height === undefined || entry.confirmations < SPENDABLE_AGE);
  return kind === 'all' || (entry.direction === 'out') === (kind === 'out');
}

/** The state of the history page's search, filter and sorting. */
export interface HistorySearch {
  readonly query: string;
  readonly filter: HistoryFilter;
  readonly sorting: HistorySorting;
}

/** Serializes it as URL search parameters. */
export function serializeSearch({ query, filter: { kind, account, from, to }, sorting }: HistorySearch): string {
  const order = isNewestFirst(sorting) ? {} : { by: sorting.by, down: sorting.down ? 'yes' : '' };
  const fields = {
    ...{ q: query, kind: kind === 'all' ? '' : kind, account: account === undefined ? '' : String(account), from, to },
    ...order,
  };
  return new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString();
}

/** Parses {@link serializeSearch}; missing or unknown values get their defaults. */
export function parseSearch(text: string): HistorySearch {
  const fields = new URLSearchParams(text);
  const of = (name: string): string => fields.get(name) ?? '';
  const kind = KINDS.find((one) => one === of('kind')) ?? 'all';
  const account = of('account') === '' ? undefined : Number(of('account'));
  const by = HISTORY_COLUMNS.find((one) => one === of('by'));
  const sorting = by === undefined ? NEWEST_FIRST : { by, down: of('down') !== '' };
  return { query: of('q'), filter: { kind, account, from: of('from'), to: of('to') }, sorting };
}
