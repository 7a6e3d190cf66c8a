import { expect, test } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import * as crypto from '../../src/crypto/index.ts';
import { inBothFields } from './both-fields.ts';
import { seededRandom } from './seeded.ts';

inBothFields('public spend keys of subaddresses', () => {
  const random = seededRandom(12);

  test.each([1, 3, 64, 131])('%i at once are those made one by one', (count) => {
    const view = crypto.randomScalar(random);
    const spend = crypto.scalarMulBase(crypto.randomScalar(random));
    const from = { major: 2 ** 32 - 1, minor: 250 };
    const keys = crypto.subaddressSpendKeys(view, spend, from, count);
    expect(keys.length).toBe(32 * count);
    for (let i = 0; i < count; i++) {
      const offset = crypto.subaddressSecretKey(view, { major: from.major, minor: from.minor + i });
      const expected = crypto.pointAdd(crypto.scalarMulBase(offset), spend);
      expect(bytesToHex(keys.subarray(32 * i, 32 * i + 32)), `${i}`).toBe(bytesToHex(expected));
    }
  });

  test('of no point there are none', () => {
    const noPoint = new Uint8Array(32).fill(0xff);
    const view = crypto.randomScalar(random);
    expect(() => crypto.subaddressSpendKeys(view, noPoint, { major: 0, minor: 0 }, 1)).toThrow(
      expect.objectContaining({ code: 'bad-point' }),
    );
  });
});
