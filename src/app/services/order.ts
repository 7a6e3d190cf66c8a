import type { Contact, HistoryEntry, OutputView } from '../../wallet/index.ts';
import { compareTexts } from '../language/formats.ts';
import { type ContactNameOf, entryText } from './entry-text.ts';
import { type Comparators, compareValues, type Sorting } from './sorting.ts';

/** By what the tables of the page are sorted. */

export const HISTORY_COLUMNS = ['time', 'payment', 'amount'] as const;
/** Columns of the history. */
export type HistoryColumn = (typeof HISTORY_COLUMNS)[number];
/** By which of them, and which way. */
export type HistorySorting = Sorting<HistoryColumn>;
/** As entries come: the newest first. */
export const NEWEST: HistorySorting = { by: 'time', down: true };

/** Whether the history is in the order in which it comes, which costs nothing. */
export const isNewest = ({ by, down }: HistorySorting): boolean => by === NEWEST.by && down;

/** Payments by what is written of them; amounts by what they make of the balance. */
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
export type ContactColumn = 'name' | 'address';
/** Names as a person of the language sorts them, addresses by their characters. */
export const CONTACTS: Comparators<Contact, ContactColumn> = {
  name: (a, b) => compareTexts(a.description, b.description),
  address: (a, b) => compareValues(a.address, b.address),
};

/** Columns of the list of coins. */
export type CoinColumn = 'amount' | 'height';
/** Amounts by atomic units; heights as blocks come. */
export const COINS: Comparators<OutputView, CoinColumn> = {
  amount: (a, b) => compareValues(a.amount, b.amount),
  height: (a, b) => compareValues(a.height, b.height),
};
