import { ed25519 } from '@noble/curves/ed25519.js';

const Fp = ed25519.Point.Fp;
/** The Montgomery coefficient of curve25519. */
const A = 486662n;
/** (p − 1) / 2, the exponent of Euler's criterion. */
const HALF = (Fp.ORDER - 1n) / 2n;

function isSquare(value: bigint): boolean {
  return !Fp.eql(Fp.pow(value, HALF), Fp.ORDER - 1n);
}

/**
 * The map of src/crypto/crypto-ops.c, `ge_fromfe_frombytes_vartime`, in affine terms. With u the 256-bit integer modulo p and
 * w = 2u² + 1, q = w/(w² − 2A²u²): where 2A(A+2)·q is a square, x is u times its even root and z = −2Au²; otherwise x is the odd
 * root of A(A+2)·q and z = −A. Then y = (z − w)/(z + w).
 */
export function elligator(hash: Uint8Array): Uint8Array {
  let u = 0n;
  for (let i = 31; i >= 0; i--) u = (u << 8n) | BigInt(hash[i]!);
  u = Fp.create(u);
  const v = Fp.mul(2n, Fp.sqr(u));
  const w = Fp.add(v, 1n);
  const q = Fp.div(w, Fp.sub(Fp.sqr(w), Fp.mul(Fp.mul(A, A), v)));
  const even = Fp.mul(Fp.mul(2n * A, A + 2n), q);
  const square = isSquare(even);
  let x = square ? Fp.mul(u, Fp.sqrt(even)) : Fp.sqrt(Fp.mul(Fp.mul(A, A + 2n), q));
  const z = square ? Fp.mul(Fp.neg(A), v) : Fp.neg(A);
  if ((x & 1n) !== (square ? 0n : 1n)) x = Fp.neg(x);
  const y = Fp.div(Fp.sub(z, w), Fp.add(z, w));
  return ed25519.Point.fromAffine({ x, y }).toBytes();
}
