import { SPENDABLE_AGE } from '../../../workers/client.ts';
import type { HistoryEntry } from '../../wallet/index.ts';
import { HISTORY_COLUMNS, type HistorySorting, isNewestFirst, NEWEST_FIRST } from './table-sorting.ts';

/** Kinds of entries; `pending` are those in no block yet. */
export const KINDS = ['all', 'in', 'out', 'pending'] as const;

/** Which entries of the history are wanted. */
export interface HistoryFilter {
  readonly kind: (typeof KINDS)[number];
  /** Of all accounts when undefined. */
  readonly account: number | undefined;
  /** First and last day, as date fields write them (2026-02-28), in the person's own time; empty for no bound. */
  readonly from: string;
  readonly to: string;
}

/** Nothing is left out. */
export const EVERYTHING: HistoryFilter = { kind: 'all', account: undefined, from: '', to: '' };

/** Whether nothing is left out. */
export const isEverything = ({ kind, account, from, to }: HistoryFilter): boolean =>
  kind === 'all' && account === undefined && from === '' && to === '';

/** A day's length and one hour more: by the clock, some days have 25 of them. */
const UP_TO_NEXT_DAY = 25 * 3600;

/** Unix seconds at which a day begins; undefined where there is none. */
function beginning(day: string): number | undefined {
  const at = day === '' ? Number.NaN : new Date(`${day}T00:00`).getTime() / 1000;
  return Number.isNaN(at) ? undefined : at;
}

/** Unix seconds at which the day after this one begins. */
function end(day: string): number | undefined {
  const start = beginning(day);
  return start === undefined ? undefined : new Date((start + UP_TO_NEXT_DAY) * 1000).setHours(0, 0, 0, 0) / 1000;
}

/** Whether an entry of the history is shown under a filter. Days are the person's own, both included. */
export function passes(entry: HistoryEntry, { kind, account, from, to }: HistoryFilter): boolean {
  if (account !== undefined && entry.account !== account) return false;
  if (entry.timestamp < (beginning(from) ?? 0) || entry.timestamp >= (end(to) ?? Number.POSITIVE_INFINITY)) return false;
  if (kind === 'pending') return entry.state !== 'failed' && (entry.height === undefined || entry.confirmations < SPENDABLE_AGE);
  return kind === 'all' || (entry.direction === 'out') === (kind === 'out');
}

/** What is looked for in the history, and in which order it stands. */
export interface HistorySearch {
  readonly query: string;
  readonly filter: HistoryFilter;
  readonly sorting: HistorySorting;
}

/** All of it as one text, to come back to. */
export function writeSearch({ query, filter: { kind, account, from, to }, sorting }: HistorySearch): string {
  const order = isNewestFirst(sorting) ? {} : { by: sorting.by, down: sorting.down ? 'yes' : '' };
  const fields = {
    ...{ q: query, kind: kind === 'all' ? '' : kind, account: account === undefined ? '' : String(account), from, to },
    ...order,
  };
  return new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString();
}

/** Filter and sorting out of the address of a history page; what is missing or unknown there is as if nothing was chosen. */
export function readSearch(text: string): HistorySearch {
  const fields = new URLSearchParams(text);
  const of = (name: string): string => fields.get(name) ?? '';
  const kind = KINDS.find((one) => one === of('kind')) ?? 'all';
  const account = of('account') === '' ? undefined : Number(of('account'));
  const by = HISTORY_COLUMNS.find((one) => one === of('by'));
  const sorting = by === undefined ? NEWEST_FIRST : { by, down: of('down') !== '' };
  return { query: of('q'), filter: { kind, account, from: of('from'), to: of('to') }, sorting };
}
