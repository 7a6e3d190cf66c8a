import type { HistoryEntry, SubaddressView } from '../../wallet/index.ts';

/**
 * Most unused addresses in a row after the last used one. A wallet restored from its seed looks 200 addresses ahead of the last used one
 * (wallet2.h, SUBADDRESS_LOOKAHEAD_MINOR) and would not find a payment to a later one.
 */
export const MAX_UNUSED_ADDRESSES = 199;

/** Minor indices of an account's addresses that have received a payment, unconfirmed ones included. */
function usedMinors(addresses: readonly SubaddressView[], history: readonly HistoryEntry[]): ReadonlySet<number> {
  const major = addresses[0]?.index.major;
  const waiting = history.filter(({ direction, account }) => direction !== 'out' && account === major);
  return new Set([
    ...addresses.filter(({ used }) => used).map(({ index }) => index.minor),
    ...waiting.flatMap(({ subaddresses }) => subaddresses.map(({ minor }) => minor)),
  ]);
}

/**
 * The address to show to the next payer: the newest without a label or a payment, neither pinned nor hidden; undefined when a new one has to
 * be made.
 * @param addresses of one account @param history recent entries, unconfirmed ones included
 */
export function unusedAddress(
  addresses: readonly SubaddressView[],
  history: readonly HistoryEntry[],
): SubaddressView | undefined {
  const used = usedMinors(addresses, history);
  return addresses.findLast(
    ({ index, label, display }) => index.minor > 0 && label === '' && display === 'usual' && !used.has(index.minor),
  );
}

/** Whether a wallet restored from its seed would still find one more address of this account. */
export function canAddAddress(addresses: readonly SubaddressView[]): boolean {
  const lastUsed = Math.max(0, ...addresses.filter(({ used }) => used).map(({ index }) => index.minor));
  return addresses.length - 1 - lastUsed < MAX_UNUSED_ADDRESSES;
}
