import { SPENDABLE_AGE } from '../../../workers/chain-limits.ts';
import type { OutputView } from '../../wallet/index.ts';
import { formatNumber } from '../language/formats.ts';
import { m } from '../language/messages.ts';
import { FIRST_UNLOCK_TIME, formatDateTime } from './history.ts';

/** In words: whether a coin can be spent, or what holds it. */
export interface CoinState {
  readonly text: string;
  readonly tone: 'good' | 'plain' | 'warn';
}

const HELD: Readonly<Record<NonNullable<OutputView['hold']>, (coin: OutputView) => CoinState>> = {
  spent: () => ({ text: m.coins_spent(), tone: 'plain' }),
  pending: () => ({ text: m.coins_pending(), tone: 'warn' }),
  frozen: () => ({ text: m.coins_frozen(), tone: 'warn' }),
  locked: (coin) => ({ text: lockedText(coin), tone: 'plain' }),
  'no-key-image': () => ({ text: m.coins_no_image(), tone: 'plain' }),
};

/** State of a coin. */
export const coinState = (coin: OutputView): CoinState =>
  coin.hold === undefined ? { text: m.coins_free(), tone: 'good' } : HELD[coin.hold](coin);

function lockedText({ height, unlockTime }: OutputView): string {
  if (unlockTime >= FIRST_UNLOCK_TIME) return m.coins_locked_time({ time: formatDateTime(Number(unlockTime)) });
  return m.coins_locked_until({ height: formatNumber(Math.max(height + SPENDABLE_AGE, Number(unlockTime))) });
}

/** How many addresses of ours a spend of these coins would show to be one person's (T11); 1 when there is nothing to show. */
export const linkedAddresses = (coins: readonly OutputView[]): number =>
  new Set(coins.map(({ subaddress }) => `${subaddress.major}/${subaddress.minor}`)).size;
