import { SPENDABLE_AGE } from '../../../workers/client.ts';
import type { OutputView } from '../../wallet/index.ts';
import { formatNumber } from '../language/formats.ts';
import { m } from '../language/messages.ts';
import { FIRST_UNLOCK_TIME, formatMoment } from './history.ts';

export interface CoinState {
  readonly text: string;
  readonly tone: 'good' | 'plain' | 'warn';
}

/** State of a coin. */
export function coinState(coin: OutputView): CoinState {
  switch (coin.hold) {
    case undefined:
      return { text: m.coins_free(), tone: 'good' };
    case 'spent':
      return { text: m.coins_spent(), tone: 'plain' };
    case 'pending':
      return { text: m.coins_pending(), tone: 'warn' };
    case 'frozen':
      return { text: m.coins_frozen(), tone: 'warn' };
    case 'locked':
      return { text: lockedText(coin), tone: 'plain' };
    case 'no-key-image':
      return { text: m.coins_no_image(), tone: 'plain' };
  }
}

function lockedText({ height, unlockTime }: OutputView): string {
  if (unlockTime >= FIRST_UNLOCK_TIME) return m.coins_locked_time({ time: formatMoment(Number(unlockTime)) });
  return m.coins_locked_until({ height: formatNumber(Math.max(height + SPENDABLE_AGE, Number(unlockTime))) });
}

/** How many addresses of ours a spend of these coins would show to be one person's (T11); 1 when there is nothing to show. */
export const linkedAddresses = (coins: readonly OutputView[]): number =>
  new Set(coins.map(({ subaddress }) => `${subaddress.major}/${subaddress.minor}`)).size;
