import { describe, expect, it } from 'vitest';
import {
  adjustPriority,
  backlogWeight,
  checkRate,
  estimateSize,
  estimateWeight,
  feeForWeight,
  justifiedRates,
  PUBLIC_PER_BYTE_LIMIT,
  rateForPriority,
} from '../../../src/wallet/spend/fees.ts';

const fees = [20_000n, 80_000n, 320_000n, 4_000_000n];

import { ERA } from './fixtures.ts';

describe('fees', () => {
  it('are weight times rate rounded up to the quantization', () => {
    const rate = { perByte: 20_000n, quantization: 10_000n };
    expect(feeForWeight(rate, 2_218)).toBe(44_360_000n);
    expect(feeForWeight({ ...rate, perByte: 20_001n }, 2_218)).toBe(44_370_000n);
  });

  it('estimates as the reference: 2 in 2 out, and three outputs with their clawback', () => {
    // 2 inputs: 7 + 2·71 + 2·38, 1, 14+6 elements of 32 and 3, 2·(512+64), 2 tags, 64, 16, 64, 4.
    expect(estimateSize(ERA, 2, 2, 0)).toBe(7 + 142 + 76 + 1 + 643 + 1152 + 2 + 64 + 16 + 64 + 4);
    expect(estimateWeight(ERA, 2, 2, 0)).toBe(estimateSize(ERA, 2, 2, 0));
    expect(estimateWeight(ERA, 1, 3, 0) - estimateSize(ERA, 1, 3, 0)).toBe(Math.floor(((320 * 4 - 704) * 4) / 5));
  });

  it('T1 a fee past 64 bits is refused, not wrapped; a rate that is none is refused whatever the person accepts', () => {
    const most = 2n ** 64n - 1n;
    expect(feeForWeight({ perByte: most / 2_000n, quantization: 1n }, 2_000)).toBe((most / 2_000n) * 2_000n);
    const code = (name: string) => expect.objectContaining({ code: name });
    expect(() => feeForWeight({ perByte: most / 2_000n + 1n, quantization: 1n }, 2_000)).toThrow(code('amount-overflow'));
    expect(() => feeForWeight({ perByte: most / 2_000n, quantization: 10_000_000n }, 2_000)).toThrow(code('amount-overflow'));
    const tail = { era: ERA, recentReward: 600_000_000_000n, absolutePerByte: undefined };
    for (const rate of [
      { perByte: 20_000n, quantization: 0n },
      { perByte: 0n, quantization: 10_000n },
      { perByte: most + 1n, quantization: 10_000n },
      { perByte: 20_000n, quantization: most + 1n },
    ]) {
      expect(() => checkRate(rate, 1, tail, true)).toThrow(code('fee-unavailable'));
    }
  });

  it('priority 1 to 4 take the four rates, 0 the lowest, an old daemon its one rate', () => {
    expect(([0, 1, 2, 3, 4] as const).map((priority) => rateForPriority(fees, priority))).toEqual([fees[0], ...fees]);
    expect(rateForPriority([7n], 3)).toBe(7n);
    expect(() => rateForPriority([], 1)).toThrow(expect.objectContaining({ code: 'fee-unavailable' }));
  });

  it('T21 automatic priority: slow unless the pool holds a block or the last ten are four fifths full', () => {
    const calm = { backlogWeight: 299_999, fullRewardZone: 300_000, recentWeights: new Array<number>(10).fill(240_000) };
    expect(adjustPriority(0, calm)).toBe(1);
    expect(adjustPriority(0, { ...calm, backlogWeight: 300_000 })).toBe(2);
    expect(adjustPriority(0, { ...calm, recentWeights: new Array<number>(10).fill(243_000) })).toBe(2);
    expect(adjustPriority(3, { ...calm, backlogWeight: 9e9 })).toBe(3);
    expect(adjustPriority(0, undefined)).toBe(0);
    const pool = [
      { weight: 1_000, fee: 20_000_000n },
      { weight: 1_000, fee: 19_999_999n },
      { weight: 0, fee: 1n },
    ];
    expect(backlogWeight(pool, 20_000n)).toBe(1_000);
  });

  it('T1 rates are bounded by what the reward justifies and absolutely, unless the person accepts', () => {
    const tail = { era: ERA, recentReward: 600_000_000_000n, absolutePerByte: PUBLIC_PER_BYTE_LIMIT[0] };
    expect(justifiedRates(ERA, 600_000_000_000n)).toEqual([20_000n, 80_000n, 320_000n, 4_000_000n]);
    const rate = (perByte: bigint) => ({ perByte, quantization: 10_000n });
    const code = expect.objectContaining({ code: 'fee-too-high' });
    checkRate(rate(20_000n), 1, tail, false);
    expect(() => checkRate(rate(60_001n), 1, tail, false)).toThrow(code);
    expect(() => checkRate(rate(2n ** 63n), 4, { ...tail, absolutePerByte: undefined }, false)).toThrow(code);
    const lyingReward = { era: ERA, recentReward: 2n ** 60n, absolutePerByte: PUBLIC_PER_BYTE_LIMIT[3] };
    expect(() => checkRate(rate(1_785_000_000n), 4, lyingReward, false)).toThrow(code);
    expect(() => checkRate({ perByte: 20_000n, quantization: 2n ** 40n }, 1, tail, false)).toThrow(code);
    checkRate(rate(60_001n), 1, tail, true);
  });
});
