import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError, decodeValue } from '../../src/storage/codec/decode.ts';
import { encodeValue } from '../../src/storage/codec/encode.ts';
import { decodeEvents, encodeEvents } from '../../src/storage/codec/events.ts';
import type { Value } from '../../src/storage/codec/tags.ts';
import { created, noted, synced } from './samples.ts';

const hex = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const leaf = fc.oneof(
  fc.constantFrom<Value>(undefined, null, true, false, '', -0, 0, 127, 128, -1, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 53, 1e300),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n, -(2n ** 64n)),
  fc.string({ unit: 'binary' }),
  hex,
  hex.map((text) => text.toUpperCase()),
  fc.uint8Array(),
);
/** Names that mean something to an engine or to this encoding, and one that only looks like two of them. */
const names = fc.constantFrom('height', 'id', '__proto__', 'major', 'minor', 'major,minor');
const { value } = fc.letrec<{ value: Value; array: Value; object: Value }>((tie) => ({
  value: fc.oneof({ maxDepth: 6 }, leaf, tie('array'), tie('object')),
  array: fc.array(tie('value'), { maxLength: 8 }),
  object: fc.dictionary(fc.oneof(fc.string(), names), tie('value'), {
    maxKeys: 6,
    noNullPrototype: true,
  }),
}));

describe('the value encoding', () => {
  it('gives back every value as it was', () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(decodeValue(encodeValue(given))).toStrictEqual(given);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses a count that the bytes cannot hold before it makes room for it', () => {
    const started = performance.now();
    expect(() => decodeValue(Uint8Array.of(12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f))).toThrow(DecodeError);
    expect(() => decodeValue(new Uint8Array(100_000).fill(12))).toThrow(DecodeError);
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('refuses an integer that does not end', () => {
    expect(() => decodeValue(encodeValue(1n << 500n))).not.toThrow();
    expect(() => decodeValue(encodeValue(1n << 600n))).toThrow(DecodeError);
  });

  it('gives back events, and refuses a record of anything else', () => {
    const events = [created, noted(1), synced(3, 4)];
    expect(decodeEvents(encodeEvents(events))).toStrictEqual(events);
    for (const other of [1, {}, [1], [{}], [{ type: 1 }], [[]]]) {
      expect(() => decodeEvents(encodeValue(other))).toThrow(DecodeError);
    }
  });
});
