import type { HistoryEntry } from '../../wallet/index.ts';
import { formatAmount } from './amount.ts';
import { isoTime } from './iso-time.ts';

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

/** Extra column with each payment's worth in money on its day. */
export interface FiatColumn {
  readonly currency: string;
  /** @param amount atomic units @param seconds Unix time @returns 10^-12 of the money; undefined where the price of that day is not known */
  worthThen(amount: bigint, seconds: number): bigint | undefined;
}

/**
 * The history as comma-separated values (RFC 4180), newest first: dates in UTC, amounts in whole coins with every digit.
 * Addresses are the numbers of ours in the account, destinations those of others with what each got.
 */
export function historyCsv(entries: readonly HistoryEntry[], fiat?: FiatColumn): string {
  const rows = entries.map((entry) => [
    isoTime(entry.timestamp * 1000),
    entry.direction,
    entry.state,
    `${entry.direction === 'out' ? '-' : ''}${formatAmount(entry.amount)}`,
    entry.fee === undefined ? '' : formatAmount(entry.fee),
    entry.height === undefined ? '' : String(entry.height),
    entry.txHash,
    String(entry.account),
    entry.subaddresses.map(({ minor }) => minor).join(' '),
    entry.paymentId ?? '',
    asText(entry.destinations.map(({ address, amount }) => `${address} ${formatAmount(amount)}`).join('; ')),
    asText(entry.note),
    ...(fiat === undefined ? [] : [moneyText(fiat.worthThen(entry.amount, entry.timestamp))]),
  ]);
  const columns = [...COLUMNS, ...(fiat === undefined ? [] : [asText(`worth then in ${fiat.currency}`)])];
  return csvOf([columns, ...rows]);
}

/** Two decimals, as amounts are written for machines; empty where the price of that day is not known. */
const moneyText = (worth: bigint | undefined): string =>
  worth === undefined ? '' : (Number(worth / 10n ** 8n) / 10_000).toFixed(2);

/**
 * A note may have been written by a stranger, in a payment request: no spreadsheet is to run it as a formula. One that parts cells elsewhere than
 * at commas sees a cell begin inside of it, and in some languages wide signs count as well.
 */
export const asText = (text: string): string => text.replace(/(?<=^|[;\r\n])(?=\s*[=+\-@＝＋－＠])/g, "'");

/** Rows of cells as RFC 4180 writes them. What a stranger may have written goes through {@link asText} first. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
