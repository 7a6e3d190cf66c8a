import { expect, it } from 'vitest';
import { type BegunPayment, begunKept, keptBegun } from '../../src/wallet/begun.ts';

const PAYMENT: BegunPayment = {
  recipients: [{ address: '4…', amount: '1,5', message: 'a stranger’s words' }],
  ...{ note: 'rent', account: 1, priority: 2, sweep: false, older: true },
};

/** What a wallet makes of one of its own settings. */
const told = (event: ReturnType<typeof begunKept>) =>
  keptBegun({ attributes: new Map(event.type === 'AttributeSet' ? [[event.key, event.value]] : []) });

it('payments that were begun are kept as they were typed, in order, and forgotten', () => {
  const other = { ...PAYMENT, sweep: true };
  expect(told(begunKept([PAYMENT, other]))).toEqual([PAYMENT, other]);
  expect(told(begunKept([]))).toEqual([]);
  expect(keptBegun({ attributes: new Map() })).toEqual([]);
});

it('coins that were chosen are kept; a version that knows of none takes nothing in their place', () => {
  const coins = { keyImages: ['a1', 'b2'], amount: 3n * 10n ** 18n, addresses: 2 };
  const chosen: BegunPayment = { ...PAYMENT, sweep: true, coins };
  const split: BegunPayment = { ...chosen, coins: { ...coins, split: { coins: 4, address: '4Own' } } };
  expect(told(begunKept([chosen, split]))).toEqual([chosen, split]);
  const event = begunKept([chosen]);
  expect(event.type === 'AttributeSet' && event.value).toContain('"sweep":false');
});

it('what another version wrote in a way of its own is no payment, and no error', () => {
  const key = 'begun-payments';
  for (const value of ['{', '7', '[7]', '[{"recipients":[{"address":1}]}]'])
    expect(keptBegun({ attributes: new Map([[key, value]]) })).toEqual([]);
});
