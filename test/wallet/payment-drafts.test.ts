import { expect, it } from 'vitest';
import { type PaymentDraft, paymentDraftsOf, paymentDraftsSaved } from '../../src/wallet/payment-drafts.ts';

const PAYMENT: PaymentDraft = {
  recipients: [{ address: '4…', amount: '1,5', message: 'a stranger’s words' }],
  ...{ note: 'rent', account: 1, priority: 2, sweep: false, older: true },
};

/** What a wallet makes of one of its own settings. */
const told = (event: ReturnType<typeof paymentDraftsSaved>) =>
  paymentDraftsOf({ attributes: new Map(event.type === 'AttributeSet' ? [[event.key, event.value]] : []) });

it('payment drafts are stored as they were typed, in order, and can be removed', () => {
  const others = [
    { ...PAYMENT, sweep: true },
    { ...PAYMENT, feeFromAmount: true },
  ];
  expect(told(paymentDraftsSaved([PAYMENT, ...others]))).toEqual([PAYMENT, ...others]);
  expect(told(paymentDraftsSaved([]))).toEqual([]);
  expect(paymentDraftsOf({ attributes: new Map() })).toEqual([]);
});

it('coins that were chosen are kept; a version that knows of none takes nothing in their place', () => {
  const coins = { keyImages: ['a1', 'b2'], amount: 3n * 10n ** 18n, addresses: 2 };
  const chosen: PaymentDraft = { ...PAYMENT, sweep: true, coins };
  const split: PaymentDraft = { ...chosen, coins: { ...coins, split: { coins: 4, address: '4Own' } } };
  expect(told(paymentDraftsSaved([chosen, split]))).toEqual([chosen, split]);
  const event = paymentDraftsSaved([chosen]);
  expect(event.type === 'AttributeSet' && event.value).toContain('"sweep":false');
});

it('what another version wrote in a way of its own is no payment, and no error; the others are there', () => {
  const kept = (value: string) => paymentDraftsOf({ attributes: new Map([['begun-payments', value]]) });
  for (const value of ['{', '7', '[7]', '[{"recipients":[{"address":1}]}]']) expect(kept(value)).toEqual([]);
  const of = (fields: object): string => JSON.stringify({ ...PAYMENT, ...fields });
  const odd = [of({ priority: 'soon' }), of({ recipients: [] }), of({ account: -1 }), of({ coins: { keyImages: 'all' } })];
  expect(kept(`[${[...odd, of({ unheardOf: [1] })].join()}]`)).toEqual([PAYMENT]);
});
