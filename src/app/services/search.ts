import type { HistoryEntry } from '../../wallet/index.ts';
import { formatAmount } from './amount.ts';
import { type NameOf, namesPaid } from './told.ts';

/** Whether its note, a name it was paid to, its id or an amount of it is what is looked for. @param wanted in small letters */
export const matches = (entry: HistoryEntry, wanted: string, nameOf: NameOf): boolean =>
  [entry.note, ...namesPaid(entry, nameOf)].some((text) => text.toLowerCase().includes(wanted)) ||
  entry.txHash.startsWith(wanted) ||
  amountsOf(entry).some((amount) => formatAmount(amount).startsWith(wanted.replace(',', '.')));

/** Amounts by which a person may look for an entry: the whole, each destination, and the whole with its fee. */
const amountsOf = ({ amount, fee, destinations }: HistoryEntry): readonly bigint[] => [
  amount,
  ...destinations.map((destination) => destination.amount),
  ...(fee === undefined ? [] : [fee, amount + fee]),
];
