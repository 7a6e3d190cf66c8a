import { ed25519 } from '@noble/curves/ed25519.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, hexToBytes } from '../../src/base/index.ts';
import * as crypto from '../../src/crypto/index.ts';
import { GROUP_ORDER, scalarFromBigint, scalarToBigint } from '../support/scalars.ts';
import { inBothFields } from './both-fields.ts';
import { elligator } from './oracle/elligator.ts';

const Point = ed25519.Point;
const mod = (value: bigint): bigint => ((value % GROUP_ORDER) + GROUP_ORDER) % GROUP_ORDER;

/** Any 256-bit integer, the edges of the group order and of the word among them. */
const anyScalar = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc
    .constantFrom(0n, 1n, GROUP_ORDER - 1n, GROUP_ORDER, GROUP_ORDER + 1n, 2n ** 252n, 2n ** 256n - 1n, 2n ** 255n)
    .map(integerBytes),
);
const canonicalScalar = anyScalar.map((bytes) => scalarFromBigint(scalarToBigint(bytes)));
/** A point of the prime subgroup, now and then with a small-order part or the identity. */
const anyPoint = fc.tuple(fc.bigInt(0n, GROUP_ORDER - 1n), fc.nat({ max: 7 })).map(([k, t]) =>
  Point.BASE.multiplyUnsafe(k)
    .add(TORSION.multiplyUnsafe(BigInt(t)))
    .toBytes(),
);
const TORSION = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');

function integerBytes(value: bigint): Uint8Array {
  return hexToBytes(value.toString(16).padStart(64, '0')).reverse();
}

/** The oracle's k·P for any 256-bit k: noble takes canonical scalars only. */
function times(k: bigint, p: InstanceType<typeof Point>): InstanceType<typeof Point> {
  if (k < GROUP_ORDER) return p.multiplyUnsafe(k);
  return times(k / 256n, p)
    .multiplyUnsafe(256n)
    .add(p.multiplyUnsafe(k % 256n));
}

const hex = (bytes: Uint8Array): string => bytesToHex(bytes);

inBothFields('scalars', () => {
  test('agree with integers modulo the group order', () => {
    fc.assert(
      fc.property(anyScalar, anyScalar, anyScalar, (a, b, c) => {
        const [x, y, z] = [scalarToBigint(a), scalarToBigint(b), scalarToBigint(c)];
        expect(scalarToBigint(crypto.scalarAdd(a, b))).toBe(mod(x + y));
        expect(scalarToBigint(crypto.scalarSub(a, b))).toBe(mod(x - y));
        expect(scalarToBigint(crypto.scalarMul(a, b))).toBe(mod(x * y));
        expect(scalarToBigint(crypto.scalarMulAdd(a, b, c))).toBe(mod(x * y + z));
        expect(scalarToBigint(crypto.scalarNegate(a))).toBe(mod(-x));
        expect(scalarToBigint(crypto.reduce32(a))).toBe(mod(x));
        expect(scalarToBigint(crypto.reduce64(concatBytes(a, b)))).toBe(mod(x + (y << 256n)));
        expect(crypto.isCanonicalScalar(a)).toBe(x < GROUP_ORDER);
        if (mod(x) !== 0n) expect(mod(scalarToBigint(crypto.scalarInvert(a)) * x)).toBe(1n);
      }),
      { numRuns: 300 },
    );
  });

  test('zero has no inverse', () => {
    expect(() => crypto.scalarInvert(new Uint8Array(32))).toThrow(expect.objectContaining({ code: 'bad-scalar' }));
  });
});

inBothFields('points', () => {
  test('agree with noble-curves, small-order parts and any scalar included', () => {
    fc.assert(
      fc.property(anyPoint, anyPoint, anyScalar, anyScalar, (p, q, a, b) => {
        const [P, Q] = [Point.fromBytes(p), Point.fromBytes(q)];
        const [x, y] = [scalarToBigint(a), scalarToBigint(b)];
        expect(hex(crypto.pointAdd(p, q))).toBe(P.add(Q).toHex());
        expect(hex(crypto.pointSub(p, q))).toBe(P.subtract(Q).toHex());
        expect(hex(crypto.pointMul8(p))).toBe(P.multiplyUnsafe(8n).toHex());
        const product = times(x, P).toHex();
        expect(hex(crypto.scalarMulPoint(a, p))).toBe(product);
        expect(hex(crypto.scalarMulPointVartime(a, p))).toBe(product);
        expect(hex(crypto.scalarMulBase(a))).toBe(times(x, Point.BASE).toHex());
        const sum = times(x, P).add(times(y, Q)).toHex();
        expect(hex(crypto.multiScalarMulVartime([a, b], [p, q]))).toBe(sum);
        expect(hex(crypto.multiScalarMulSecret([a, b], [p, q]))).toBe(sum);
        expect(crypto.isInMainSubgroup(p)).toBe(P.isTorsionFree());
      }),
      { numRuns: 25 },
    );
  });

  test('decode what noble decodes strictly, and nothing else', () => {
    const decodes = (bytes: Uint8Array): boolean => {
      try {
        return Point.fromBytes(bytes, false) !== undefined;
      } catch {
        return false;
      }
    };
    const odd = fc.constantFrom(
      ...[0n, 1n, 2n ** 255n - 20n, 2n ** 255n - 19n, 2n ** 255n - 18n, 2n ** 255n + 1n, 2n ** 256n - 20n, 2n ** 256n - 1n],
    );
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ minLength: 32, maxLength: 32 }), odd.map(integerBytes)), (bytes) => {
        expect(crypto.isPoint(bytes)).toBe(decodes(bytes));
      }),
      { numRuns: 300 },
    );
    expect(crypto.isPoint(new Uint8Array(31))).toBe(false);
  });

  test('hash to a point as the map in affine terms says', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (hash) => {
        expect(hex(crypto.hashToPointElligator(hash))).toBe(hex(elligator(hash)));
      }),
      { numRuns: 60 },
    );
  });

  test('what is no point is refused by name', () => {
    const bad = integerBytes(2n);
    expect(crypto.isPoint(bad)).toBe(false);
    for (const call of [
      () => crypto.pointAdd(bad, crypto.IDENTITY),
      () => crypto.pointMul8(bad),
      () => crypto.scalarMulPoint(crypto.SCALAR_ONE, bad),
      () => crypto.multiScalarMulVartime([crypto.SCALAR_ONE], [bad]),
    ]) {
      expect(call).toThrow(expect.objectContaining({ code: 'bad-point' }));
    }
    expect(crypto.generateKeyDerivation(bad, crypto.SCALAR_ONE)).toBeUndefined();
  });
});

inBothFields('commitments and amounts', () => {
  test('the second generator is 8 times the point that Keccak of the first encodes', () => {
    expect(hex(crypto.pointMul8(crypto.keccak256(crypto.G)))).toBe(hex(crypto.H));
  });

  test('a commitment is mask·G + amount·H and adds up', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), canonicalScalar, (amount, mask) => {
        const expected = times(scalarToBigint(mask), Point.BASE).add(Point.fromBytes(crypto.H).multiplyUnsafe(amount));
        expect(hex(crypto.commit(amount, mask))).toBe(expected.toHex());
        expect(hex(crypto.zeroCommit(amount))).toBe(hex(crypto.commit(amount, crypto.SCALAR_ONE)));
      }),
      { numRuns: 20 },
    );
    expect(() => crypto.commit(2n ** 64n, crypto.SCALAR_ONE)).toThrow(expect.objectContaining({ code: 'out-of-range' }));
  });

  test('compact amounts come back, and the older form decodes what its equations say', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), canonicalScalar, canonicalScalar, (amount, key, mask) => {
        expect(crypto.decodeAmount8(key, crypto.encodeAmount8(key, amount))).toBe(amount);
        const first = crypto.hashToScalar(key);
        const encoded = {
          mask: crypto.scalarAdd(mask, first),
          amount: crypto.scalarAdd(scalarFromBigint(amount), crypto.hashToScalar(first)),
        };
        expect(crypto.decodeEcdhLegacy(key, encoded)).toEqual({ mask, amount });
      }),
      { numRuns: 30 },
    );
  });
});

inBothFields('Keccak', () => {
  test('agrees with noble-hashes across block edges and chunk splits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 300 }), (data, cut) => {
        const expected = hex(keccak_256(data));
        expect(hex(crypto.keccak256(data))).toBe(expected);
        expect(hex(crypto.keccak256(data.subarray(0, cut), data.subarray(cut)))).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });
});

describe('bytes', () => {
  test('hexadecimal digits come back, and others are refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(hexToBytes(bytesToHex(bytes))).toEqual(bytes);
        expect(hexToBytes(bytesToHex(bytes).toUpperCase())).toEqual(bytes);
      }),
    );
    for (const text of ['0', '0g', 'zz', '0x', ' 0', '００']) {
      expect(() => hexToBytes(text)).toThrow(expect.objectContaining({ code: 'bad-hex' }));
    }
  });
});
