import type { HistoryEntry } from '../../wallet/index.ts';
import { type EntryState, entryState, isUnchecked } from './history.ts';
import { type NameOf, namesPaid, type Told, tellEntry } from './told.ts';

/** A line of the history, ready to be drawn. */
export interface EntryLine extends Omit<Told, 'kind'> {
  readonly icon: 'send' | 'mined' | 'receive';
  readonly tone: 'good' | 'warn' | 'accent' | 'bad';
  /** The person's note, or else its kind. */
  readonly title: string;
  /** Who was paid, where a note has the title. */
  readonly names: string;
  readonly state: EntryState;
}

const ICONS = { in: 'receive', mined: 'mined', out: 'send' } as const;
const TONES = { in: 'good', mined: 'warn', out: 'accent' } as const;

/** What a line says of an entry's state. That an old block was not checked is a matter of its details: a restored wallet has many such. */
const briefState = (entry: HistoryEntry): EntryState => (isUnchecked(entry) ? { text: '', tone: 'plain' } : entryState(entry));

/** A payment as one line of a list. */
export function lineOf(entry: HistoryEntry, nameOf: NameOf): EntryLine {
  const { kind, sign, amount } = tellEntry(entry, nameOf);
  return {
    icon: ICONS[entry.direction],
    tone: entry.state === 'failed' ? 'bad' : TONES[entry.direction],
    title: entry.note === '' ? kind : entry.note,
    names: entry.note === '' ? '' : namesPaid(entry, nameOf).join(', '),
    state: briefState(entry),
    sign,
    amount,
  };
}
