import { describe, expect, it, vi } from 'vitest';
import { spokenAmount, typedAmount, writeAmount, writeFacts, writeList, writeMoney } from '../../src/app/language/formats.ts';
import { language } from '../../src/app/language/language.svelte.ts';
import { amountParts } from '../../src/app/services/amount.ts';

describe('money in a sentence', () => {
  it('is rounded to its cents, and keeps them however large it is', () => {
    expect(writeMoney(1_234_565_000_000_000n, 'EUR')).toBe('€1,234.57');
    expect(writeMoney(4_999_999_999n, 'usd')).toBe('$0.00');
    expect(writeMoney(9_007_199_254_740_993_120_000_000_000n, 'beans')).toBe('9,007,199,254,740,993.12 beans');
  });
});

it('an amount in a sentence has its digits in the groups that it has elsewhere; one that is read aloud or typed has none', () => {
  const amount = 12_345_678_900_000_000n;
  expect(writeAmount(amount)).toBe(`${amountParts(amount).whole}.6789`);
  expect(writeAmount(amount)).toBe('12\u202f345.6789');
  expect(spokenAmount(amount)).toBe('12345.6789');
  expect(typedAmount(amount)).toBe('12345.6789');
});

it('names in a list each keep their own order, and what joins them runs as the language does', () => {
  expect(writeList(['Ada', 'Ben', 'Carl'])).toBe('Ada, Ben, and Carl');
  const arabic = vi.spyOn(language, 'writing', 'get').mockReturnValue({ locale: 'ar', rtl: true });
  expect(writeList(['Ben', 'Carl'])).toBe('\u2068Ben\u2069 و\u2068Carl\u2069');
  arabic.mockRestore();
});

it('short facts stand in one line that breaks behind the dot between two', () => {
  expect(writeFacts('', 'Shared', '', 'Testnet')).toBe('Shared\u00a0· Testnet');
});
