import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { language } from '../../../src/app/language/language.svelte.ts';
import { fiat } from '../../../src/app/managers/fiat.svelte.ts';
import { Recipient } from '../../../src/app/managers/recipient.svelte.ts';
import { formatAmount } from '../../../src/app/services/amount.ts';

const COIN = 10n ** 12n;

beforeEach(() => fiat.useHand('EUR', 150n * COIN));

it('T20 what is typed in money is that much in coins or the part of a millionth more, by whole numbers alone', () => {
  const recipient = new Recipient();
  recipient.switchUnit();
  recipient.type('10');
  expect(recipient.amount).toBe('0.066667');
  recipient.type('9007199254740993,01');
  expect(recipient.parsed).toEqual({ problem: 'amount-overflow' });
  const some = fc.bigInt({ min: 1n, max: 10n ** 18n });
  fc.assert(
    fc.property(some, some, (money, price) => {
      fiat.useHand('EUR', price);
      recipient.type(formatAmount(money));
      const { value, problem } = recipient.parsed;
      if (problem === 'amount-overflow') return;
      expect(value! * price).toBeGreaterThanOrEqual(money * COIN);
      expect((value! - 1_000_001n) * price).toBeLessThan(money * COIN);
    }),
  );
});

it('turning to money and back changes no amount, and what is wrong in the field is said of what stands there', () => {
  const recipient = new Recipient();
  recipient.type('0.123456789012');
  recipient.switchUnit();
  expect(recipient.typed).toBe('18.51');
  expect(recipient.parsed.value).toBe(123_456_789_012n);
  recipient.switchUnit();
  expect(recipient.typed).toBe('0.123456789012');
  recipient.switchUnit();
  recipient.type('7.5x');
  expect(recipient.parsed).toEqual({ problem: 'amount-format' });
  recipient.switchUnit();
  expect(recipient.parsed).toEqual({ problem: 'amount-missing' });
});

it('money of which a coin costs millions is typed like any other, and more of it than there are coins is refused', () => {
  fiat.useHand('IDR', 5_000_000n * COIN);
  const recipient = new Recipient();
  recipient.switchUnit();
  recipient.type('20000000');
  expect(recipient.parsed.value).toBe(4n * COIN);
  for (const text of [`1${'0'.repeat(15)}`, '9'.repeat(10_000)]) {
    recipient.type(text);
    expect(recipient.parsed).toEqual({ problem: 'amount-overflow' });
  }
});

it('an amount too small for a cent is not lost from the field', () => {
  const recipient = new Recipient();
  recipient.type('0.000001');
  recipient.switchUnit();
  expect([recipient.typed, recipient.parsed.value]).toEqual(['0', 1_000_000n]);
});

it('an amount typed in money stays what it came to when the price changes, and is one in coins when the money is gone', () => {
  const recipient = new Recipient();
  recipient.switchUnit();
  recipient.type('15');
  fiat.useHand('EUR', 300n * COIN);
  expect([recipient.typed, recipient.parsed.value]).toEqual(['15', COIN / 10n]);
  recipient.type('30');
  expect(recipient.parsed.value, 'by the price of now').toBe(COIN / 10n);
  fiat.useHand('CHF', 100n * COIN);
  expect([recipient.money, recipient.typed]).toEqual([undefined, '0.1']);
  recipient.type('0.2');
  fiat.useHand('EUR', 300n * COIN);
  expect([recipient.money, recipient.typed]).toEqual([undefined, '0.2']);
  recipient.switchUnit();
  fiat.turnOff();
  expect([recipient.money, recipient.typed, recipient.parsed.value]).toEqual([undefined, '0.2', COIN / 5n]);
  recipient.switchUnit();
  expect(recipient.money, 'nothing to turn to').toBeUndefined();
});

it('an amount from a request takes the place of what was typed in money', () => {
  const recipient = new Recipient();
  recipient.switchUnit();
  recipient.type('15');
  recipient.take(COIN);
  expect([recipient.typed, recipient.money]).toEqual(['1', undefined]);
});

it('an amount from elsewhere stands with the decimal sign of the language, and is read back as what it is', () => {
  language.code = 'de';
  const recipient = new Recipient();
  for (const [amount, typed] of [
    [COIN / 20n, '0,05'],
    [1234n * 10n ** 9n, '1,2340'],
    [12n * COIN, '12'],
    [1234567n * 10n ** 9n, '1234,567'],
  ] as const) {
    recipient.take(amount);
    expect([recipient.typed, recipient.parsed.value]).toEqual([typed, amount]);
  }
  recipient.take(COIN);
  recipient.switchUnit();
  recipient.type('0,5');
  expect(recipient.amount).toBe('0,003334');
  language.code = 'en';
});
