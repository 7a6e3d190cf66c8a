import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { release } from '../../src/protocol/release.ts';

const MEGABYTE = 2 ** 20;

test('a buffer that is released is detached, and its memory is back without a collector', async () => {
  release(new ArrayBuffer(1));
  // Node closes things behind its first turn.
  await setImmediate();
  await setImmediate();
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 256; i++) {
    const { buffer } = new Uint8Array(MEGABYTE).fill(i);
    release(buffer);
    expect(buffer.byteLength).toBe(0);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * MEGABYTE);
});
