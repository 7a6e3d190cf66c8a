import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountParts, decimalsOf, formatAmount, parseAmount, readAmount } from '../../src/app/services/amount.ts';

const AMOUNT = fc.bigInt({ min: 1n, max: 0xffff_ffff_ffff_ffffn });

describe('amounts on the page', () => {
  it('T20 what is written is read back unchanged, to the atomic unit', () => {
    fc.assert(
      fc.property(AMOUNT, (amount) => {
        expect(parseAmount(formatAmount(amount)).value).toBe(amount);
      }),
    );
  });

  it('shows every digit, however it is cut for the eye', () => {
    fc.assert(
      fc.property(AMOUNT, (amount) => {
        const { whole, fraction, tail } = amountParts(amount);
        expect(parseAmount(`${whole.replaceAll('\u202f', '')}.${fraction}${tail}`).value).toBe(amount);
      }),
    );
  });

  it('is as wide in a column as the longest has decimals, two at least', () => {
    expect(decimalsOf([])).toBe(2);
    expect(decimalsOf([10n ** 13n, 5n * 10n ** 11n])).toBe(2);
    expect(decimalsOf([10n ** 13n, 8_748_190_400_000n])).toBe(7);
    expect(decimalsOf([1n])).toBe(12);
  });

  it('never dims the digits a small amount is made of', () => {
    expect(amountParts(30_680_000n)).toEqual({ whole: '0', fraction: '00003068', tail: '' });
    expect(amountParts(1n)).toEqual({ whole: '0', fraction: '000000000001', tail: '' });
    expect(amountParts(14_283_915_662_114n)).toEqual({ whole: '14', fraction: '2839', tail: '15662114' });
  });

  it.each([
    ['', 'amount-missing'],
    ['  ', 'amount-missing'],
    ['.', 'amount-format'],
    ['1,5', 'amount-format'],
    ['-1', 'amount-format'],
    ['1e3', 'amount-format'],
    ['0x10', 'amount-format'],
    ['0.1234567890123', 'amount-decimals'],
    ['0', 'amount-zero'],
    ['0.000000000000', 'amount-zero'],
    ['18446744.073709551616', 'amount-overflow'],
  ] as const)('refuses %j with %s', (text, problem) => {
    expect(parseAmount(text)).toEqual({ problem });
  });

  it('T20 numbers: takes a comma for the decimal sign, as keypads have it, and refuses what can be read in two ways', () => {
    for (const [text, value] of [
      ['1,5', 1_500_000_000_000n],
      ['1.5', 1_500_000_000_000n],
      [',5', 500_000_000_000n],
      ['0,125', 125_000_000_000n],
      ['1.234', 1_234_000_000_000n],
      ['1,2340', 1_234_000_000_000n],
      ['1234,567', 1_234_567_000_000_000n],
      ['18446744,073709551615', 0xffff_ffff_ffff_ffffn],
      ['٧٫٥', 7_500_000_000_000n],
      ['۱٫۲۵', 1_250_000_000_000n],
      ['１２．３', 12_300_000_000_000n],
      ['０，５', 500_000_000_000n],
    ] as const) {
      expect(readAmount(text), text).toEqual({ value });
    }
    for (const [text, problem] of [
      ['1,234', 'amount-two-ways'],
      ['123,000', 'amount-two-ways'],
      ['1,234.5', 'amount-marks'],
      ['1.234,5', 'amount-marks'],
      ['1,234,567', 'amount-marks'],
      ['1.234.567', 'amount-marks'],
      ['١,٢٣٤', 'amount-two-ways'],
      ['١٬٢٣٤', 'amount-format'],
      ['1٫2٫3', 'amount-marks'],
      ['１，２３４', 'amount-two-ways'],
      ['10²', 'amount-format'],
      ['1⒈5', 'amount-format'],
      ['1🄁5', 'amount-format'],
      ['½', 'amount-format'],
      ['𝟙𝟚', 'amount-format'],
      ['①', 'amount-format'],
      [',', 'amount-format'],
      ['1,5-', 'amount-format'],
      ['-1,2.3', 'amount-format'],
      ['', 'amount-missing'],
      ['0,0', 'amount-zero'],
    ] as const) {
      expect(readAmount(text), text).toEqual({ problem });
    }
  });

  it('takes the largest amount there is', () => {
    expect(parseAmount('18446744.073709551615').value).toBe(0xffff_ffff_ffff_ffffn);
  });
});
