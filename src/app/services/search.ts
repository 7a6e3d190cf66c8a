import type { HistoryEntry, SubaddressIndex } from '../../wallet/index.ts';
import { formatAmount } from './amount.ts';
import { type ContactNameOf, payeeNames } from './entry-text.ts';

/** An address of the wallet's own, and what it is called; undefined where it is not known. */
export type OwnAddress = (index: SubaddressIndex) => { readonly address: string; readonly label: string } | undefined;

/** Letters from which on a part of an address is looked for: fewer are in most of them. */
const PART_OF_ADDRESS = 5;

/**
 * Whether its note, a name it was paid to or came to, its id, an address or an amount of it is what is looked for.
 * @param wanted in small letters
 */
export const matches = (entry: HistoryEntry, wanted: string, nameOf: ContactNameOf, own: OwnAddress): boolean =>
  [entry.note, ...payeeNames(entry, nameOf), ...entry.subaddresses.map((index) => own(index)?.label ?? '')].some((text) =>
    text.toLowerCase().includes(wanted),
  ) ||
  entry.txHash.startsWith(wanted) ||
  (wanted.length >= PART_OF_ADDRESS && addressesOf(entry, own).some((address) => address.toLowerCase().includes(wanted))) ||
  amountsOf(entry).some((amount) => formatAmount(amount).startsWith(wanted.replace(',', '.')));

/** Whether a name or its address is what is looked for. @param wanted in small letters, an address in one piece */
export const isCalled = (name: string, address: string, wanted: string): boolean =>
  name.toLowerCase().includes(wanted) || (wanted.length >= PART_OF_ADDRESS && address.toLowerCase().includes(wanted));

/** Entries from which on a list is looked through by typing. */
export const WORTH_SEARCHING = 7;

/** Those that it paid, and those of ours that it paid to. */
const addressesOf = ({ direction, destinations, subaddresses }: HistoryEntry, own: OwnAddress): readonly string[] => [
  ...destinations.map(({ address }) => address),
  ...(direction === 'out' ? [] : subaddresses.flatMap((index) => own(index)?.address ?? [])),
];

/** Amounts by which a person may look for an entry: the whole, each destination, and the whole with its fee. */
const amountsOf = ({ amount, fee, destinations }: HistoryEntry): readonly bigint[] => [
  amount,
  ...destinations.map((destination) => destination.amount),
  ...(fee === undefined ? [] : [fee, amount + fee]),
];
