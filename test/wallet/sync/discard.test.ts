import { expect, test } from 'vitest';
import { discard } from '../../../src/wallet/sync/discard.ts';

test('a large reply is gone at once, a small one is left to the collector', () => {
  const large = new ArrayBuffer(8 * 1024 * 1024);
  const small = new ArrayBuffer(1024);
  discard(large);
  discard(small);
  expect(large.byteLength).toBe(0);
  expect(small.byteLength).toBe(1024);
});
