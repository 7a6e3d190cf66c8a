import type { HistoryEntry } from '../../wallet/index.ts';
import { writeDate } from '../language/formats.ts';

/** Entries of one calendar month, under its name. */
export interface Month {
  readonly name: string;
  readonly entries: readonly HistoryEntry[];
}

/** Runs of entries of one month each, in their order. */
export function byMonth(entries: readonly HistoryEntry[]): readonly Month[] {
  const months: { name: string; entries: HistoryEntry[] }[] = [];
  for (const entry of entries) {
    const name = writeDate(entry.timestamp * 1000, 'month');
    const last = months.at(-1);
    if (last?.name === name) last.entries.push(entry);
    else months.push({ name, entries: [entry] });
  }
  return months;
}
