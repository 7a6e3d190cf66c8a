import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasFusedMultiplyAdd } from '../../src/crypto/field-module.ts';
import { type Kernels, loadKernels } from '../../src/crypto/kernels.ts';
import { vectorLines } from './vector-lines.ts';

const Point = ed25519.Point;
type Point = InstanceType<typeof Point>;
const L = Point.Fn.ORDER;
const P = 2n ** 255n - 19n;
const ORDER_EIGHT = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
const TORSION = Array.from({ length: 8 }, (_, i) => times(ORDER_EIGHT, BigInt(i)));

/** Any multiple of any point, with noble's additions alone. */
function times(point: Point, scalar: bigint): Point {
  let sum = Point.ZERO;
  for (let bit = 256n; bit >= 0n; bit--) {
    sum = sum.double();
    if ((scalar >> bit) & 1n) sum = sum.add(point);
  }
  return sum;
}

const littleEndian = (value: bigint): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
const join = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const split = (bytes: Uint8Array): string[] =>
  Array.from({ length: bytes.length / 32 }, (_, i) => hex(bytes.subarray(32 * i, 32 * i + 32)));

const scalars = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 1n, 2n, 15n, 16n, 17n, L - 1n, L, L + 1n, 2n ** 252n, 2n ** 255n - 1n, 2n ** 256n - 2n, 2n ** 256n - 1n),
);
/** Points of every coset of the prime-order subgroup. */
const points = fc
  .tuple(fc.bigInt({ min: 0n, max: L - 1n }), fc.constantFrom(...TORSION))
  .map(([scalar, torsion]) => times(Point.BASE, scalar).add(torsion));
const pairs = fc.array(fc.tuple(scalars, points), { minLength: 1, maxLength: 9 });

it('this engine has both field modules, so both are tested', () => {
  expect(hasFusedMultiplyAdd()).toBe(true);
});

describe.each(['fma', 'ext'] as const)('kernels, %s', (force) => {
  let kernels: Kernels;

  beforeAll(async () => {
    kernels = await loadKernels({ force });
  });

  type Operation = (at: { out: number; ok: number; a: number; b: number }) => void;

  /** Runs one operation over two arrays of 32-byte things; gives results and flags. */
  function run(a: readonly Uint8Array[], b: readonly Uint8Array[], results: number, operation: Operation) {
    return kernels.scratch(() => {
      const at = {
        a: kernels.put(join(a)),
        b: kernels.put(join(b)),
        out: kernels.alloc(32 * results),
        ok: kernels.alloc(a.length + 1),
      };
      operation(at);
      return { out: split(kernels.take(at.out, 32 * results)), ok: [...kernels.take(at.ok, a.length)] };
    });
  }

  it.each([false, true])('multiplies points by scalars of any size (vartime %s)', (vartime) => {
    fc.assert(
      fc.property(pairs, (list) => {
        const { out, ok } = run(
          list.map(([, point]) => point.toBytes()),
          list.map(([scalar]) => littleEndian(scalar)),
          list.length,
          (at) => kernels.exports.multiplyBatch(at.out, at.ok, at.b, at.a, list.length, Number(vartime)),
        );
        expect(out).toEqual(list.map(([scalar, point]) => times(point, scalar).toHex()));
        expect(ok.every((flag) => flag === 1)).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  it.each([false, true])('sums products (vartime %s)', (vartime) => {
    fc.assert(
      fc.property(pairs, (list) => {
        const { out } = run(
          list.map(([, point]) => point.toBytes()),
          list.map(([scalar]) => littleEndian(scalar)),
          1,
          (at) => expect(kernels.exports.multiplySum(at.out, at.b, at.a, list.length, Number(vartime))).toBe(1),
        );
        expect(out[0]).toBe(list.reduce((sum, [scalar, point]) => sum.add(times(point, scalar)), Point.ZERO).toHex());
      }),
      { numRuns: 15 },
    );
  });

  it('multiplies the base point', () => {
    fc.assert(
      fc.property(fc.array(scalars, { minLength: 1, maxLength: 9 }), (list) => {
        const { out } = run([], list.map(littleEndian), list.length, (at) =>
          kernels.exports.multiplyBaseBatch(at.out, at.b, list.length),
        );
        expect(out).toEqual(list.map((scalar) => times(Point.BASE, scalar).toHex()));
      }),
      { numRuns: 25 },
    );
  });

  it('adds, subtracts and multiplies by eight, small orders and equal points included', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(points, points), { minLength: 1, maxLength: 5 }), (list) => {
        const all = [
          ...list,
          ...list.map(([a]): [Point, Point] => [a, a]),
          ...list.map(([a]): [Point, Point] => [a, a.negate()]),
        ];
        const a = all.map(([point]) => point.toBytes());
        const b = all.map(([, point]) => point.toBytes());
        const sum = (minus: number) =>
          run(a, b, all.length, (at) => kernels.exports.addBatch(at.out, at.ok, at.a, at.b, all.length, minus)).out;
        expect(sum(0)).toEqual(all.map(([x, y]) => x.add(y).toHex()));
        expect(sum(1)).toEqual(all.map(([x, y]) => x.subtract(y).toHex()));
        const eight = run(a, [], all.length, (at) => kernels.exports.timesEightBatch(at.out, at.ok, at.a, all.length)).out;
        expect(eight).toEqual(all.map(([x]) => times(x, 8n).toHex()));
      }),
      { numRuns: 15 },
    );
  });

  it.each([0, 1, 2, 3, 5, 63, 64, 65, 127, 128, 129, 300])('derives batches of %i', (count) => {
    const secret = 0x1234567890abcdefn ** 3n;
    const few = Array.from({ length: 7 }, (_, i) => times(Point.BASE, BigInt(i + 1) ** 40n).add(TORSION[i]!));
    const expected = few.map((point) => times(point, 8n * secret).toHex());
    const bad = (i: number) => i % 11 === 10;
    const input = Array.from({ length: count }, (_, i) => (bad(i) ? littleEndian(2n) : few[i % 7]!.toBytes()));
    for (const derive of [kernels.exports.deriveBatch, kernels.exports.deriveBatchVartime]) {
      const { out, ok } = run(input, [littleEndian(secret)], count, (at) => derive(at.out, at.ok, at.b, at.a, count));
      expect(ok).toEqual(input.map((_, i) => (bad(i) ? 0 : 1)));
      // What is no point derives the identity, as wallet2 has it.
      expect(out).toEqual(input.map((_, i) => (bad(i) ? Point.ZERO.toHex() : expected[i % 7])));
    }
  });

  it('takes the encodings that the reference takes', () => {
    const sign = 1n << 255n;
    const cases: [bigint, boolean][] = [
      [1n, true],
      [1n | sign, false], // x = 0 with the sign bit
      [P - 1n, true],
      [(P - 1n) | sign, false],
      [0n, true], // order 4, both signs
      [sign, true],
      [2n, false], // no x
    ];
    for (let y = P; y < 2n ** 255n; y++) cases.push([y, false], [y | sign, false]);
    for (const point of TORSION)
      cases.push([Buffer.from(point.toBytes()).reduceRight((n, byte) => (n << 8n) | BigInt(byte), 0n), true]);
    const { ok } = run(
      cases.map(([value]) => littleEndian(value)),
      [],
      0,
      (at) => kernels.exports.checkPoints(at.ok, at.a, cases.length),
    );
    expect(ok).toEqual(cases.map(([, good]) => Number(good)));
  });

  it('decodes what noble decodes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { minLength: 1, maxLength: 40 }), (list) => {
        const decodes = (bytes: Uint8Array): number => {
          try {
            Point.fromBytes(bytes);
            return 1;
          } catch {
            return 0;
          }
        };
        const { ok } = run(list, [], 0, (at) => kernels.exports.checkPoints(at.ok, at.a, list.length));
        expect(ok).toEqual(list.map(decodes));
      }),
    );
  });

  it('every line of the vectors about points holds', () => {
    const lines = vectorLines('crypto.txt');
    const of = (name: string) => lines.filter(([first]) => first === name);
    const bytes = (list: string[][], column: number) => list.map((line) => fromHex(line[column]!));
    const checks = of('check_key');
    const keys = of('secret_key_to_public_key').filter((line) => line[2] === 'true');
    const maps = of('hash_to_point');
    const derivations = of('generate_key_derivation');
    expect(Math.min(checks.length, keys.length, maps.length, derivations.length)).toBeGreaterThan(10);
    expect(run(bytes(checks, 1), [], 0, (at) => kernels.exports.checkPoints(at.ok, at.a, checks.length)).ok).toEqual(
      checks.map((line) => Number(line[2] === 'true')),
    );
    expect(
      run(bytes(keys, 1), [], keys.length, (at) => kernels.exports.multiplyBaseBatch(at.out, at.a, keys.length)).out,
    ).toEqual(keys.map((line) => line[3]));
    expect(
      run(bytes(maps, 1), [], maps.length, (at) => kernels.exports.hashToPointBatch(at.out, at.a, maps.length, 0)).out,
    ).toEqual(maps.map((line) => line[2]));
    for (const [, key, secret, good, expected] of derivations) {
      const { out, ok } = run([fromHex(key!)], [fromHex(secret!)], 1, (at) =>
        kernels.exports.deriveBatch(at.out, at.ok, at.b, at.a, 1),
      );
      expect(ok).toEqual([Number(good === 'true')]);
      if (good === 'true') expect(out).toEqual([expected]);
    }
  });

  it('scratch wipes what it was given', () => {
    const at = kernels.scratch(() => kernels.put(new Uint8Array(64).fill(7)));
    expect(kernels.take(at, 64)).toEqual(new Uint8Array(64));
  });
});
