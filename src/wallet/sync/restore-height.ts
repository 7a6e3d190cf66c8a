import type { Height } from '../../protocol/index.ts';

/** Seconds subtracted from a date: clocks of miners and people differ, and a date has a time zone. */
export const DATE_MARGIN = 2 * 24 * 60 * 60;

/** Daemon calls that finding a height needs: a block's timestamp in unix seconds, and the number of blocks. */
export interface HeaderSource {
  height(): Promise<Height>;
  timestampAt(height: Height): Promise<number>;
}

/**
 * Height from which to scan so that nothing received since `date` is missed (T23): the first block two days before it. Asks the daemon,
 * because estimates from block times are wrong on every chain but the main one.
 * @param date unix seconds
 */
export async function heightForDate(source: HeaderSource, date: number): Promise<Height> {
  const wanted = date - DATE_MARGIN;
  let low = 0;
  let high = (await source.height()) - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await source.timestampAt(middle)) < wanted) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
