import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes, requireLength } from './bytes.ts';
import { elligator } from './elligator.ts';
import { CryptoError } from './errors.ts';
import { keccak256 } from './hash.ts';
import { GROUP_ORDER, scalarToBigint } from './scalar.ts';

type NoblePoint = InstanceType<typeof ed25519.Point>;
const Point = ed25519.Point;

/** The base point, 32 bytes. */
export const G: Readonly<Uint8Array> = hexToBytes(`58${'66'.repeat(31)}`);
/** The second generator, of amounts in commitments: 8 times the point that Keccak(G) encodes (rctTypes.h). */
export const H: Readonly<Uint8Array> = hexToBytes('8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94');
/** The neutral element, 32 bytes. */
export const IDENTITY: Readonly<Uint8Array> = hexToBytes(`01${'00'.repeat(31)}`);

function decodeOrUndefined(bytes: Uint8Array): NoblePoint | undefined {
  if (bytes.length !== 32) return undefined;
  try {
    return Point.fromBytes(bytes, false);
  } catch {
    return undefined;
  }
}

function decode(bytes: Uint8Array): NoblePoint {
  const point = decodeOrUndefined(bytes);
  if (point === undefined) throw new CryptoError('bad-point', 'expected 32 bytes that encode a point');
  return point;
}

function times(point: NoblePoint, scalar: Uint8Array): NoblePoint {
  const value = scalarToBigint(scalar);
  if (value < GROUP_ORDER) return point.multiplyUnsafe(value);
  return point
    .multiplyUnsafe(value >> 8n)
    .multiplyUnsafe(256n)
    .add(point.multiplyUnsafe(value & 255n));
}

/** Whether 32 bytes are the canonical encoding of a point of the curve, of any order (`check_key`). */
export function isPoint(bytes: Uint8Array): boolean {
  return decodeOrUndefined(bytes) !== undefined;
}

/** Whether 32 bytes encode a point of the prime subgroup; the neutral element is one. */
export function isInMainSubgroup(bytes: Uint8Array): boolean {
  return decodeOrUndefined(bytes)?.isTorsionFree() ?? false;
}

/** a + b. @throws CryptoError `bad-point` */
export function pointAdd(a: Uint8Array, b: Uint8Array): Uint8Array {
  return decode(a).add(decode(b)).toBytes();
}

/** a − b. @throws CryptoError `bad-point` */
export function pointSub(a: Uint8Array, b: Uint8Array): Uint8Array {
  return decode(a).subtract(decode(b)).toBytes();
}

/** 8·a. @throws CryptoError `bad-point` */
export function pointMul8(a: Uint8Array): Uint8Array {
  return decode(a).double().double().double().toBytes();
}

/** s·G, for secret s. */
export function scalarMulBase(s: Uint8Array): Uint8Array {
  return times(Point.BASE, s).toBytes();
}

/** s·P, for secret s. @throws CryptoError `bad-point` */
export function scalarMulPoint(s: Uint8Array, p: Uint8Array): Uint8Array {
  return times(decode(p), s).toBytes();
}

/** s·P in a time that depends on both: for public values only. @throws CryptoError `bad-point` */
export function scalarMulPointVartime(s: Uint8Array, p: Uint8Array): Uint8Array {
  return times(decode(p), s).toBytes();
}

/**
 * Σ sᵢ·Pᵢ in a time that depends on all: for public values only.
 * @throws CryptoError `bad-point`; `bad-argument` when the numbers of scalars and points differ
 */
export function multiScalarMulVartime(scalars: readonly Uint8Array[], points: readonly Uint8Array[]): Uint8Array {
  if (scalars.length !== points.length) throw new CryptoError('bad-argument', 'expected as many scalars as points');
  let sum = Point.ZERO;
  for (let i = 0; i < scalars.length; i++) sum = sum.add(times(decode(points[i]!), scalars[i]!));
  return sum.toBytes();
}

/** The Elligator-like map of 32 hash bytes to a point (`ge_fromfe_frombytes_vartime`), without the multiplication by 8. */
export function hashToPointElligator(hash: Uint8Array): Uint8Array {
  return elligator(requireLength(hash, 32));
}

/** Hp(data): Keccak, then the map, then multiplication by 8 (`hash_to_ec`, `hash_to_p3`). */
export function hashToEc(data: Uint8Array): Uint8Array {
  return pointMul8(elligator(keccak256(requireLength(data, 32))));
}
