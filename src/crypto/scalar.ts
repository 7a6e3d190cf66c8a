import { requireLength } from './bytes.ts';
import { CryptoError } from './errors.ts';

/** The order of the prime subgroup, l = 2^252 + 27742317777372353535851937790883648493. */
export const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** Scalar 0, 32 bytes. */
export const SCALAR_ZERO: Readonly<Uint8Array> = new Uint8Array(32);
/** Scalar 1, 32 bytes. */
export const SCALAR_ONE: Readonly<Uint8Array> = scalarFromBigint(1n);

function read(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]!);
  return value;
}

function write(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32);
  let rest = value;
  for (let i = 0; i < 32; i++) {
    bytes[i] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
}

/** The residue of `value` (negative ones too) as 32 little-endian bytes. Not for secrets: bigint arithmetic takes its time. */
export function scalarFromBigint(value: bigint): Uint8Array {
  const residue = value % GROUP_ORDER;
  return write(residue < 0n ? residue + GROUP_ORDER : residue);
}

/** The integer that 32 little-endian bytes hold, not reduced. */
export function scalarToBigint(scalar: Uint8Array): bigint {
  return read(requireLength(scalar, 32));
}

/** Whether the 32 bytes hold an integer below the group order (`sc_check`). */
export function isCanonicalScalar(scalar: Uint8Array): boolean {
  return scalar.length === 32 && read(scalar) < GROUP_ORDER;
}

/** Whether all 32 bytes are zero. */
export function scalarIsZero(scalar: Uint8Array): boolean {
  requireLength(scalar, 32);
  let bits = 0;
  for (const value of scalar) bits |= value;
  return bits === 0;
}

/** A 32-byte integer modulo the group order (`sc_reduce32`). */
export function reduce32(bytes: Uint8Array): Uint8Array {
  return write(read(requireLength(bytes, 32)) % GROUP_ORDER);
}

/** A 64-byte integer modulo the group order (`sc_reduce`). */
export function reduce64(bytes: Uint8Array): Uint8Array {
  return write(read(requireLength(bytes, 64)) % GROUP_ORDER);
}

/** a + b. */
export function scalarAdd(a: Uint8Array, b: Uint8Array): Uint8Array {
  return scalarFromBigint(scalarToBigint(a) + scalarToBigint(b));
}

/** a − b. */
export function scalarSub(a: Uint8Array, b: Uint8Array): Uint8Array {
  return scalarFromBigint(scalarToBigint(a) - scalarToBigint(b));
}

/** a·b. */
export function scalarMul(a: Uint8Array, b: Uint8Array): Uint8Array {
  return scalarFromBigint(scalarToBigint(a) * scalarToBigint(b));
}

/** a·b + c. */
export function scalarMulAdd(a: Uint8Array, b: Uint8Array, c: Uint8Array): Uint8Array {
  return scalarFromBigint(scalarToBigint(a) * scalarToBigint(b) + scalarToBigint(c));
}

/** −a. */
export function scalarNegate(a: Uint8Array): Uint8Array {
  return scalarFromBigint(-scalarToBigint(a));
}

/**
 * 1/a, by Fermat's little theorem.
 * @throws CryptoError `bad-scalar` for zero
 */
export function scalarInvert(a: Uint8Array): Uint8Array {
  let base = scalarToBigint(a) % GROUP_ORDER;
  if (base === 0n) throw new CryptoError('bad-scalar', 'expected a scalar other than zero');
  let result = 1n;
  for (let exponent = GROUP_ORDER - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % GROUP_ORDER;
    base = (base * base) % GROUP_ORDER;
  }
  return write(result);
}
