import type { Contact, HistoryEntry } from '../../wallet/index.ts';

/** Who is at hand for the next payment. */
export interface AtHand {
  /** Of the address book, those paid last before the others. */
  readonly contacts: readonly Contact[];
  /** Addresses paid last that have no name there, the latest first. */
  readonly others: readonly string[];
}

/**
 * Whom this wallet paid before: what it sent to itself and what failed counts for nobody.
 * @param history the newest first
 * @param most of each
 */
export function atHand(history: readonly HistoryEntry[], contacts: readonly Contact[], most: number): AtHand {
  const paid = [...new Set(history.filter(wentOut).flatMap(({ destinations }) => destinations.map(({ address }) => address)))];
  const place = ({ address }: Contact): number => (paid.includes(address) ? paid.indexOf(address) : paid.length);
  const named = new Set(contacts.map(({ address }) => address));
  return {
    contacts: [...contacts].sort((one, other) => place(one) - place(other)).slice(0, most),
    others: paid.filter((address) => !named.has(address)).slice(0, most),
  };
}

const wentOut = ({ direction, state, amount }: HistoryEntry): boolean => direction === 'out' && state !== 'failed' && amount > 0n;
