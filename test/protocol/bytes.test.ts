import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToLatin1, latin1ToBytes } from '../../src/base/index.ts';
import { ByteReader, ByteWriter, ProtocolError, varintLength } from '../../src/protocol/index.ts';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const code = (code: string) => expect.objectContaining({ code });

describe('varints', () => {
  it('every 64-bit integer is read as it was written, as bigint and as number', () => {
    fc.assert(
      fc.property(fc.oneof(u64, fc.bigInt({ min: 0n, max: 300n })), (value) => {
        const bytes = new ByteWriter().varint(value).finish();
        expect(bytes).toHaveLength(varintLength(value));
        expect(new ByteReader(bytes).varint()).toBe(value);
        if (value <= BigInt(Number.MAX_SAFE_INTEGER)) {
          expect(new ByteWriter().varint(Number(value)).finish()).toEqual(bytes);
          expect(new ByteReader(bytes).varintNumber()).toBe(Number(value));
        }
      }),
    );
  });

  it.each([
    ['cut short', [0x80], 'truncated', 64],
    ['a zero at the end', [0x81, 0x00], 'bad-varint', 64],
    ['65 bits', [...Array(9).fill(0xff), 0x03], 'bad-varint', 64],
    ['256 in 8 bits', [0x80, 0x02], 'bad-varint', 8],
  ])('refuses one that is %s', (_name, bytes, expected, bits) => {
    expect(() => new ByteReader(Uint8Array.from(bytes)).varint(bits)).toThrow(code(expected));
  });

  it('takes 255 in 8 bits and 2^64−1 in 64', () => {
    expect(new ByteReader(Uint8Array.of(0xff, 0x01)).varint(8)).toBe(255n);
    expect(new ByteReader(Uint8Array.from([...Array(9).fill(0xff), 0x01])).varint()).toBe(2n ** 64n - 1n);
  });

  it('refuses to write what is no 64-bit integer', () => {
    for (const value of [-1, 1.5, -1n, 2n ** 64n, Number.NaN])
      expect(() => new ByteWriter().varint(value)).toThrow(ProtocolError);
  });
});

describe('the reader', () => {
  it('refuses lengths beyond the end before it allocates', () => {
    const reader = new ByteReader(new Uint8Array(10));
    for (const count of [11, 2 ** 40, Number.MAX_SAFE_INTEGER, Number.NaN])
      expect(() => reader.bytes(count)).toThrow(code('truncated'));
    expect(() => reader.keys(2 ** 48)).toThrow(code('truncated'));
    expect(reader.offset).toBe(0);
  });

  it('gives copies that outlive the buffer', () => {
    for (const buffer of [Uint8Array.of(1, 2, 3), Buffer.from([1, 2, 3])]) {
      const copy = new ByteReader(buffer).bytes(3);
      buffer.fill(0);
      expect(copy).toEqual(Uint8Array.of(1, 2, 3));
    }
  });

  it('reads fixed integers little-endian, and stops at its end', () => {
    const bytes = new ByteWriter().u8(1).u16(0x0203).u32(0x04050607).u64(0x08090a0b0c0d0e0fn).i64(-2n).f64(0.5).finish();
    const reader = new ByteReader(bytes);
    expect([reader.u8(), reader.u16(), reader.u32(), reader.u64(), reader.i64(), reader.f64()]).toEqual([
      1,
      0x0203,
      0x04050607,
      0x08090a0b0c0d0e0fn,
      -2n,
      0.5,
    ]);
    reader.expectEnd('the sample');
    expect(() => new ByteReader(bytes, 0, 3).u32()).toThrow(code('truncated'));
  });
});

it('byte strings travel in texts and back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 9000 }), (bytes) => {
      expect(latin1ToBytes(bytesToLatin1(bytes))).toEqual(bytes);
    }),
  );
  expect(() => latin1ToBytes('€')).toThrow(code('out-of-range'));
});
