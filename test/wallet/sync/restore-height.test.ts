import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heightForDate } from '../../../src/wallet/sync/restore-height.ts';

const DAY = 86_400;

describe('T23 restore height: a date', () => {
  it('becomes a height whose block is at least a day before it, on chains of any pace', async () => {
    const gap = fc.oneof(fc.integer({ min: 1, max: DAY / 8 }), fc.integer({ min: 1, max: 10 * DAY }));
    const chain = fc.array(gap, { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        chain,
        // Beside a block: far from every block nothing can be missed.
        fc.nat({ max: 59 }),
        fc.nat({ max: DAY }),
        async (gaps, block, later) => {
          let time = 0;
          const times = gaps.map((gap) => (time += gap));
          const date = times[block % times.length]! + later;
          const source = { height: async () => times.length, timestampAt: async (height: number) => times[height]! };
          const from = await heightForDate(source, date);
          const missed = times.slice(0, from).filter((mined) => mined > date - DAY);
          expect(missed).toEqual([]);
        },
      ),
    );
  });
});
