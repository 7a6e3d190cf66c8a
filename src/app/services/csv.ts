import type { HistoryEntry } from '../../wallet/index.ts';
import { formatAmount } from './amount.ts';

const COLUMNS = [
  'date',
  'direction',
  'state',
  'amount',
  'fee',
  'block',
  'transaction',
  'account',
  'addresses',
  'payment id',
  'destinations',
  'note',
] as const;

/**
 * The history as comma-separated values (RFC 4180), newest first: dates in UTC, amounts in whole coins with every digit.
 * Addresses are the numbers of ours in the account, destinations those of others with what each got.
 */
export function historyCsv(entries: readonly HistoryEntry[]): string {
  const rows = entries.map((entry) => [
    new Date(entry.timestamp * 1000).toISOString(),
    entry.direction,
    entry.state,
    `${entry.direction === 'out' ? '-' : ''}${formatAmount(entry.amount)}`,
    entry.fee === undefined ? '' : formatAmount(entry.fee),
    entry.height === undefined ? '' : String(entry.height),
    entry.txHash,
    String(entry.account),
    entry.subaddresses.map(({ minor }) => minor).join(' '),
    entry.paymentId ?? '',
    entry.destinations.map(({ address, amount }) => `${address} ${formatAmount(amount)}`).join('; '),
    asText(entry.note),
  ]);
  return [COLUMNS, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

/** A note may have been written by a stranger, in a payment request: no spreadsheet is to run it as a formula. */
const asText = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
