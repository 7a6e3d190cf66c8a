import { requireLength, wipe } from '../base/index.ts';
import { CryptoError } from './errors.ts';
import { kernels } from './load.ts';

/**
 * Integers modulo the order of the prime subgroup, l = 2^252 + 27742317777372353535851937790883648493, as 32 little-endian bytes. Inputs
 * may be any 256-bit integer, results are canonical (below the order). Constant time unless stated otherwise. Other lengths: CryptoError
 * `bad-length`.
 */

/** Scalar 0, 32 bytes. */
export const SCALAR_ZERO: Readonly<Uint8Array> = new Uint8Array(32);
/** Scalar 1, 32 bytes. */
export const SCALAR_ONE: Readonly<Uint8Array> = Uint8Array.of(1, ...new Uint8Array(31));

/** Whether all 32 bytes are zero. */
export function scalarIsZero(scalar: Uint8Array): boolean {
  requireLength(scalar, 32);
  let bits = 0;
  for (const value of scalar) bits |= value;
  return bits === 0;
}

/** Puts the operands into the kernels' memory one after the other, runs, reads 32 bytes and wipes. */
function compute(operands: readonly Uint8Array[], run: (out: number, at: number) => void): Uint8Array {
  const machine = kernels();
  return machine.scratch(() => {
    const out = machine.alloc(32 * operands.length + 64);
    const memory = machine.bytes;
    for (const [i, operand] of operands.entries()) memory.set(operand, out + 32 * (i + 1));
    run(out, out + 32);
    return machine.take(out, 32);
  });
}

/** Whether these are 32 bytes that hold an integer below the group order (`sc_check`); never throws. */
export function isCanonicalScalar(scalar: Uint8Array): boolean {
  if (scalar.length !== 32) return false;
  const machine = kernels();
  return machine.scratch(() => machine.exports.scalarIsCanonical(machine.put(scalar)) === 1);
}

/** A 32-byte integer modulo the group order, 32 bytes (`sc_reduce32`). */
export function reduce32(bytes: Uint8Array): Uint8Array {
  return compute([requireLength(bytes, 32)], kernels().exports.scalarReduce32);
}

/** A 64-byte integer modulo the group order, 32 bytes (`sc_reduce`). */
export function reduce64(bytes: Uint8Array): Uint8Array {
  requireLength(bytes, 64);
  const low = bytes.slice(0, 32);
  const high = bytes.slice(32);
  const residue = compute([low, high], kernels().exports.scalarReduce64);
  wipe(low, high);
  return residue;
}

function binary(a: Uint8Array, b: Uint8Array, run: (out: number, a: number, b: number) => void): Uint8Array {
  return compute([requireLength(a, 32), requireLength(b, 32)], (out, at) => run(out, at, at + 32));
}

/** a + b (`sc_add`). */
export function scalarAdd(a: Uint8Array, b: Uint8Array): Uint8Array {
  return binary(a, b, kernels().exports.scalarAdd);
}

/** a − b (`sc_sub`). */
export function scalarSub(a: Uint8Array, b: Uint8Array): Uint8Array {
  return binary(a, b, kernels().exports.scalarSub);
}

/** a·b (`sc_mul`). */
export function scalarMul(a: Uint8Array, b: Uint8Array): Uint8Array {
  return binary(a, b, kernels().exports.scalarMul);
}

/** a·b + c (`sc_muladd`). */
export function scalarMulAdd(a: Uint8Array, b: Uint8Array, c: Uint8Array): Uint8Array {
  const operands = [requireLength(a, 32), requireLength(b, 32), requireLength(c, 32)];
  return compute(operands, (out, at) => kernels().exports.scalarMulAdd(out, at, at + 32, at + 64));
}

/** k − c·s (`sc_mulsub`): the response to a challenge. */
export function scalarMulSub(c: Uint8Array, s: Uint8Array, k: Uint8Array): Uint8Array {
  return scalarMulAdd(scalarNegate(c), s, k);
}

/** -a modulo the group order, 32 bytes. @param a 32 bytes */
export function scalarNegate(a: Uint8Array): Uint8Array {
  return compute([requireLength(a, 32)], kernels().exports.scalarNegate);
}

/**
 * 1/a, by Fermat's little theorem.
 * @throws CryptoError `bad-scalar` for zero
 */
export function scalarInvert(a: Uint8Array): Uint8Array {
  const inverse = compute([requireLength(a, 32)], kernels().exports.scalarInvert);
  if (scalarIsZero(inverse)) throw new CryptoError('bad-scalar', 'expected a scalar other than zero');
  return inverse;
}
