import type { Contact, HistoryEntry, OutputView } from '../../wallet/index.ts';
import { compareTexts } from '../language/formats.ts';
import { type ContactNameOf, entryText } from './entry-text.ts';
import { type Comparators, compareValues, type Sorting } from './sorting.ts';

/** Columns and comparators of the page's sortable tables. The sorting itself is in `sorting.ts`. */

export const HISTORY_COLUMNS = ['time', 'payment', 'amount'] as const;
/** Columns of the history. */
export type HistoryColumn = (typeof HISTORY_COLUMNS)[number];
export type HistorySorting = Sorting<HistoryColumn>;
/** The order in which the wallet lists its history. */
export const NEWEST_FIRST: HistorySorting = { by: 'time', down: true };

/** Whether this is the wallet's own order, for which nothing needs to be sorted. */
export const isNewestFirst = ({ by, down }: HistorySorting): boolean => by === NEWEST_FIRST.by && down;

/** Payments compare by their note or title, amounts by their effect on the balance. */
export function historyComparators(nameOf: ContactNameOf): Comparators<HistoryEntry, HistoryColumn> {
  const title = (entry: HistoryEntry): string => (entry.note === '' ? entryText(entry, nameOf).kind : entry.note);
  const change = (entry: HistoryEntry): bigint => {
    const { sign, amount } = entryText(entry, nameOf);
    return sign === '−' ? -amount : amount;
  };
  return {
    time: (a, b) => compareValues(a.timestamp, b.timestamp),
    payment: (a, b) => compareTexts(title(a), title(b)),
    amount: (a, b) => compareValues(change(a), change(b)),
  };
}

/** Columns of the address book. */
export type ContactColumn = 'name' | 'address' | 'paid';
/**
 * Names compare by the rules of the current language, addresses by code units.
 * @param paid when each address was last paid, Unix seconds; those never paid come first
 */
export const contactComparators = (paid: ReadonlyMap<string, number>): Comparators<Contact, ContactColumn> => ({
  name: (a, b) => compareTexts(a.description, b.description),
  address: (a, b) => compareValues(a.address, b.address),
  paid: (a, b) => compareValues(paid.get(a.address) ?? 0, paid.get(b.address) ?? 0),
});

/** Columns of the list of coins. */
export type CoinColumn = 'amount' | 'height';
export const COIN_COMPARATORS: Comparators<OutputView, CoinColumn> = {
  amount: (a, b) => compareValues(a.amount, b.amount),
  height: (a, b) => compareValues(a.height, b.height),
};
