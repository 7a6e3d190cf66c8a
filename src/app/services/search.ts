import type { HistoryEntry, OutputView, SubaddressIndex } from '../../wallet/index.ts';
import { formatAmount } from './amount.ts';
import { type ContactNameOf, payeeNames } from './entry-text.ts';

/** Looks up an address of this wallet and its label; undefined if unknown. */
export type OwnAddressLookup = (index: SubaddressIndex) => { readonly address: string; readonly label: string } | undefined;

/** Fewest characters to search addresses for: shorter texts are contained in most addresses. */
const PART_OF_ADDRESS = 5;

/**
 * Whether an entry's note, contact names, labels, transaction id, addresses or amounts match a search.
 * @param wanted in lower case
 */
export const matchesSearch = (entry: HistoryEntry, wanted: string, nameOf: ContactNameOf, own: OwnAddressLookup): boolean =>
  [entry.note, ...payeeNames(entry, nameOf), ...entry.subaddresses.map((index) => own(index)?.label ?? '')].some((text) =>
    text.toLowerCase().includes(wanted),
  ) ||
  entry.txHash.startsWith(wanted) ||
  (wanted.length >= PART_OF_ADDRESS && addressesOf(entry, own).some((address) => address.toLowerCase().includes(wanted))) ||
  amountsOf(entry).some((amount) => formatAmount(amount).startsWith(wanted.replace(',', '.')));

/** Whether a name or its address matches a search. @param wanted in lower case; an address without whitespace */
export const matchesNameOrAddress = (name: string, address: string, wanted: string): boolean =>
  name.toLowerCase().includes(wanted) || (wanted.length >= PART_OF_ADDRESS && address.toLowerCase().includes(wanted));

/** Whether a coin's name, that of its address, its amount or one of its ids matches a search. @param wanted in lower case */
export const matchesCoin = ({ name, amount, txHash, keyImage = '', key }: OutputView, address: string, wanted: string): boolean =>
  [name, address].some((text) => text.toLowerCase().includes(wanted)) ||
  [txHash, keyImage, key].some((digits) => digits.startsWith(wanted)) ||
  formatAmount(amount).startsWith(wanted.replace(',', '.'));

/** Lists with at least this many entries get a search field. */
export const SEARCHABLE_FROM = 7;

/** Destination addresses, or our own receiving addresses. */
const addressesOf = ({ direction, destinations, subaddresses }: HistoryEntry, own: OwnAddressLookup): readonly string[] => [
  ...destinations.map(({ address }) => address),
  ...(direction === 'out' ? [] : subaddresses.flatMap((index) => own(index)?.address ?? [])),
];

/** Amounts to search: the total, each destination, the fee, and the total with the fee. */
const amountsOf = ({ amount, fee, destinations }: HistoryEntry): readonly bigint[] => [
  amount,
  ...destinations.map((destination) => destination.amount),
  ...(fee === undefined ? [] : [fee, amount + fee]),
];
