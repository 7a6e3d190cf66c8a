import type { Contact, HistoryEntry } from '../../wallet/index.ts';

/** Payees suggested for the next payment. */
export interface SuggestedPayees {
  /** Contacts, most recently paid first. */
  readonly contacts: readonly Contact[];
  /** Recently paid addresses that are not in the address book, latest first. */
  readonly others: readonly string[];
}

/**
 * Suggests payees from the history; failed payments and payments to ourselves are ignored.
 * @param history newest first
 * @param most number of contacts, and of other addresses
 */
export function suggestedPayees(history: readonly HistoryEntry[], contacts: readonly Contact[], most: number): SuggestedPayees {
  const paid = [...new Set(history.filter(wentOut).flatMap(({ destinations }) => destinations.map(({ address }) => address)))];
  const place = ({ address }: Contact): number => (paid.includes(address) ? paid.indexOf(address) : paid.length);
  const named = new Set(contacts.map(({ address }) => address));
  return {
    contacts: [...contacts].sort((one, other) => place(one) - place(other)).slice(0, most),
    others: paid.filter((address) => !named.has(address)).slice(0, most),
  };
}

/** When each address was last paid, Unix seconds; failed payments and payments to ourselves are ignored. @param history newest first */
export function lastPaidTimes(history: readonly HistoryEntry[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { destinations, timestamp } of history.filter(wentOut))
    for (const { address } of destinations) if (!times.has(address)) times.set(address, timestamp);
  return times;
}

const wentOut = ({ direction, state, amount }: HistoryEntry): boolean => direction === 'out' && state !== 'failed' && amount > 0n;
