import { expect, it } from 'vitest';
import { toBlockHash, toKeyImage, toOutputKey, toTxHash } from '../../src/protocol/index.ts';

it.each([toTxHash, toBlockHash, toKeyImage, toOutputKey])('$name takes 32 bytes, no more and no fewer', (toId) => {
  expect(toId(new Uint8Array(32).fill(0xab))).toBe('ab'.repeat(32));
  for (const length of [0, 31, 33, 64])
    expect(() => toId(new Uint8Array(length)), String(length)).toThrow(
      expect.objectContaining({ code: 'bad-length', data: { expected: 32, found: length } }),
    );
});
