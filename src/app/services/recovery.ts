import type { RestorePointView } from '../../wallet/index.ts';
import { formatNumber, writeDate } from '../language/formats.ts';
import { m } from '../language/messages.ts';

/** The first block of the public chain. */
export const GENESIS_DAY = '2014-04-18';

/** Why a day cannot be searched from. At noon it is that day everywhere. */
export const dayText = (): string => m.err_date({ first: writeDate(Date.parse(`${GENESIS_DAY}T12:00:00`), 'date') });

/** Restore point to write down beside words or seed, so that restoring need not scan the whole chain (T23). */
export function restoreFromText({ date, height }: RestorePointView, wordsTellMonth: boolean): string {
  const day = date === undefined ? undefined : writeDate(date * 1000, 'date');
  if (wordsTellMonth && day !== undefined) return m.seed_from_words({ date: day });
  if (height === undefined) return m.seed_from_date({ date: day ?? '?' });
  const block = formatNumber(height);
  return day === undefined ? m.seed_from_height({ height: block }) : m.seed_from_both({ height: block, date: day });
}
