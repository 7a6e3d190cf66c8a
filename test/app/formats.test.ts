import { describe, expect, it } from 'vitest';
import { writeMoney } from '../../src/app/language/formats.ts';

describe('money in a sentence', () => {
  it('is rounded to its cents, and keeps them however large it is', () => {
    expect(writeMoney(1_234_565_000_000_000n, 'EUR')).toBe('€1,234.57');
    expect(writeMoney(4_999_999_999n, 'usd')).toBe('$0.00');
    expect(writeMoney(9_007_199_254_740_993_120_000_000_000n, 'beans')).toBe('9,007,199,254,740,993.12 beans');
  });
});
