import type { HistoryEntry } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';

/** An entry of the history in words: its kind, and by how much it changes the balance. */
export interface Told {
  readonly kind: string;
  readonly sign: '+' | '−';
  /** Atomic units. */
  readonly amount: bigint;
}

/** Name of an address in the address book; undefined when it is not there. */
export type NameOf = (address: string) => string | undefined;

/** Names from the address book of those who were paid, each once. */
export const namesPaid = ({ destinations }: HistoryEntry, nameOf: NameOf): readonly string[] => [
  ...new Set(destinations.flatMap(({ address }) => nameOf(address) ?? [])),
];

/** Atomic units: what an entry is told with. */
export const amountTold = ({ direction, amount, fee }: HistoryEntry): bigint =>
  direction === 'out' && amount === 0n && fee !== undefined ? fee : amount;

/** An entry as it is told. A payment that came back whole cost its fee. */
export function tellEntry(entry: HistoryEntry, nameOf: NameOf): Told {
  const amount = amountTold(entry);
  if (entry.direction !== 'out') return { kind: incomingKind(entry), sign: '+', amount };
  if (amount !== entry.amount) return { kind: m.history_sent_home(), sign: '−', amount };
  const names = namesPaid(entry, nameOf).join(', ');
  return { kind: names === '' ? m.history_sent() : m.history_sent_to({ name: names }), sign: '−', amount };
}

function incomingKind({ direction, perhapsChange }: HistoryEntry): string {
  if (direction === 'mined') return m.history_mined();
  return perhapsChange ? m.history_perhaps_change() : m.history_received();
}
