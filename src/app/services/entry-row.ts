import type { HistoryEntry } from '../../wallet/index.ts';
import { type ContactNameOf, type EntryText, entryText, payeeNames } from './entry-text.ts';
import { type EntryState, entryState, isUnchecked } from './history.ts';

/** A history entry as one row of a list. */
export interface EntryRow extends Omit<EntryText, 'kind'> {
  readonly icon: 'send' | 'mined' | 'receive';
  readonly tone: 'good' | 'warn' | 'accent' | 'bad';
  /** The note, or the kind of payment when there is no note. */
  readonly title: string;
  /** Names of the recipients when the title is a note; empty otherwise. */
  readonly names: string;
  readonly state: EntryState;
}

const ICONS = { in: 'receive', mined: 'mined', out: 'send' } as const;
const TONES = { in: 'good', mined: 'warn', out: 'accent' } as const;

/** State shown in the row. "Not verified" is left to the details page: a restored wallet has many such entries. */
const briefState = (entry: HistoryEntry): EntryState => (isUnchecked(entry) ? { text: '', tone: 'plain' } : entryState(entry));

export function entryRow(entry: HistoryEntry, nameOf: ContactNameOf): EntryRow {
  const { kind, sign, amount } = entryText(entry, nameOf);
  return {
    icon: ICONS[entry.direction],
    tone: entry.state === 'failed' ? 'bad' : TONES[entry.direction],
    title: entry.note === '' ? kind : entry.note,
    names: entry.note === '' ? '' : payeeNames(entry, nameOf).join(', '),
    state: briefState(entry),
    sign,
    amount,
  };
}
