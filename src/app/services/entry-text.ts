import type { HistoryEntry } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';

/** Text and signed amount that a history entry is listed with. */
export interface EntryText {
  readonly kind: string;
  readonly sign: '+' | '−';
  /** Atomic units. */
  readonly amount: bigint;
}

/** Looks up an address in the address book; undefined when it is not there. */
export type ContactNameOf = (address: string) => string | undefined;

/** Address-book names of the recipients, without duplicates. */
export const payeeNames = ({ destinations }: HistoryEntry, nameOf: ContactNameOf): readonly string[] => [
  ...new Set(destinations.flatMap(({ address }) => nameOf(address) ?? [])),
];

/** Amount to display, in atomic units: the fee for a payment to ourselves, whose amount is 0. */
export const displayedAmount = ({ direction, amount, fee }: HistoryEntry): bigint =>
  direction === 'out' && amount === 0n && fee !== undefined ? fee : amount;

/** Describes an entry. A payment that only went to ourselves is shown as the fee that it cost. */
export function entryText(entry: HistoryEntry, nameOf: ContactNameOf): EntryText {
  const amount = displayedAmount(entry);
  if (entry.direction !== 'out') return { kind: incomingKind(entry), sign: '+', amount };
  if (amount !== entry.amount) return { kind: m.history_sent_home(), sign: '−', amount };
  const names = payeeNames(entry, nameOf).join(', ');
  return { kind: names === '' ? m.history_sent() : m.history_sent_to({ name: names }), sign: '−', amount };
}

function incomingKind({ direction, perhapsChange }: HistoryEntry): string {
  if (direction === 'mined') return m.history_mined();
  return perhapsChange ? m.history_perhaps_change() : m.history_received();
}
