import type { HistoryEntry, SubaddressView } from '../../wallet/index.ts';

/**
 * Unused addresses in a row beyond the last used one. A wallet that is restored from its words looks so far ahead (wallet2.h,
 * SUBADDRESS_LOOKAHEAD_MINOR is 200, counted from the last used): a payment to a later one it would not find.
 */
export const MOST_UNUSED = 199;

/** Addresses of an account that something came to, or is on its way to. */
function usedMinors(addresses: readonly SubaddressView[], history: readonly HistoryEntry[]): ReadonlySet<number> {
  const major = addresses[0]?.index.major;
  const waiting = history.filter(({ direction, account }) => direction !== 'out' && account === major);
  return new Set([
    ...addresses.filter(({ used }) => used).map(({ index }) => index.minor),
    ...waiting.flatMap(({ subaddresses }) => subaddresses.map(({ minor }) => minor)),
  ]);
}

/**
 * The address to offer to the next payer: the newest that nobody was given by name and nothing came to; undefined where a new one is to be
 * made. @param addresses of one account @param history what came lately
 */
export function freshAddress(addresses: readonly SubaddressView[], history: readonly HistoryEntry[]): SubaddressView | undefined {
  const used = usedMinors(addresses, history);
  return addresses.findLast(({ index, label }) => index.minor > 0 && label === '' && !used.has(index.minor));
}

/** Whether one more address of an account is still found by a wallet that is restored from its words. */
export function mayMakeAddress(addresses: readonly SubaddressView[]): boolean {
  const lastUsed = Math.max(0, ...addresses.filter(({ used }) => used).map(({ index }) => index.minor));
  return addresses.length - 1 - lastUsed < MOST_UNUSED;
}
