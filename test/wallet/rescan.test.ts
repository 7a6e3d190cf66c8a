import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/crypto/index.ts';
import { keyImagesImported } from '../../src/wallet/projection/index.ts';
import { rescanFrom } from '../../src/wallet/rescan.ts';
import type { WalletState } from '../../src/wallet/state/state.ts';

const TIP = 3_000_000;
const RESTORED = 2_900_000;
const state = { height: TIP, description: { restoreHeight: RESTORED }, attributes: new Map() } as unknown as WalletState;
const from = (first: number, trusted = false) => rescanFrom(first, { state, trusted, random: systemRandom });

describe('T24 the height from which blocks are scanned again for an output', () => {
  it('is its block for a trusted daemon', () => {
    expect(from(TIP - 12, true)).toBe(TIP - 12);
  });

  it('does not reveal its block to another: it lies up to a day, or eight times its age, before it', () => {
    for (const age of [1, 12, 720, 5000]) {
      const ages = Array.from({ length: 400 }, () => TIP - from(TIP - age));
      const least = Math.max(age, 720);
      expect(Math.min(...ages)).toBeGreaterThanOrEqual(least);
      expect(Math.max(...ages)).toBeLessThanOrEqual(8 * least);
      // Half of them at twice its age or less, as of an age that is uniform up to the first block's.
      const close = ages.filter((one) => one <= 2 * least).length;
      expect(close).toBeGreaterThan(400 * 0.45);
      expect(close).toBeLessThan(400 * 0.7);
    }
  });

  it('is never below the restore height, nor above the output', () => {
    expect(from(RESTORED + 1)).toBe(RESTORED);
    expect(from(RESTORED)).toBe(RESTORED);
    expect(from(RESTORED - 5)).toBe(RESTORED - 5);
  });

  it('is used when key images become known', () => {
    const told = keyImagesImported({ state, trusted: false, random: systemRandom }, [{} as never], [TIP - 12, TIP - 40]);
    expect(told[1]).toMatchObject({ type: 'RestoreHeightSet' });
    expect((told[1] as { height: number }).height).toBeLessThanOrEqual(TIP - 720);
  });
});
