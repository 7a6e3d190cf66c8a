import fc from 'fast-check';
import { expect, it } from 'vitest';
import { priceInCoins } from '../../src/app/services/price.ts';
import { tillPayment } from '../../src/app/services/till.ts';
import type { HistoryEntry } from '../../src/wallet/index.ts';

const COIN = 10n ** 12n;
const entry = (amount: bigint, confirmations: number, more: object = {}): HistoryEntry =>
  ({
    amount,
    confirmations,
    height: confirmations > 0 ? 100 : undefined,
    state: 'received',
    doubleSpendSeen: false,
    ...more,
  }) as HistoryEntry;

it('T20 a price is never less in coins than it is in money, and no more than a millionth above', () => {
  expect(priceInCoins(3n * COIN, 150n * COIN)).toBe(20_000_000_000n);
  const some = fc.bigInt({ min: 1n, max: 10n ** 18n });
  fc.assert(
    fc.property(some, some, (price, rate) => {
      const coins = priceInCoins(price, rate);
      expect(coins * rate).toBeGreaterThanOrEqual(price * COIN);
      expect((coins - 1_000_001n) * rate).toBeLessThan(price * COIN);
    }),
  );
});

it('what is at the till is told as it is: part of it, seen, in a block, safe; a coin spent twice is never paid', () => {
  const state = (...entries: HistoryEntry[]) => tillPayment(entries, COIN, 10).state;
  expect(state()).toBe('waiting');
  expect(state(entry(COIN / 2n, 0))).toBe('part');
  expect(state(entry(COIN / 2n, 12), entry(COIN / 2n, 0))).toBe('seen');
  expect(state(entry(COIN, 1))).toBe('in-block');
  expect(state(entry(COIN, 10))).toBe('safe');
  expect(state(entry(COIN, 0, { state: 'failed' }))).toBe('waiting');
  expect(state(entry(2n * COIN, 0, { doubleSpendSeen: true }))).toBe('double-spend');
  expect(tillPayment([entry(3n, 2), entry(4n, 5)], 0n, 10)).toEqual({ state: 'in-block', paid: 7n, confirmations: 2 });
});
