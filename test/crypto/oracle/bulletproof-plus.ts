import { ed25519 } from '@noble/curves/ed25519.js';
import { asciiToBytes, equalBytes, varintBytes } from '../../../src/base/index.ts';
import {
  type BulletproofPlusProof,
  CryptoError,
  commit,
  H,
  hashToEc,
  hashToScalar,
  hedgedScalar,
  isCanonicalScalar,
  isPoint,
  keccak256,
  MAX_OUTPUTS,
  type Random,
  type RangeProofItem,
  randomScalar,
  scalarInvert,
} from '../../../src/crypto/index.ts';
import { GROUP_ORDER, scalarFromBigint, scalarToBigint } from '../../support/scalars.ts';

type NoblePoint = InstanceType<typeof ed25519.Point>;
const Point = ed25519.Point;
const BITS = 64;

const mod = (value: bigint): bigint => {
  const residue = value % GROUP_ORDER;
  return residue < 0n ? residue + GROUP_ORDER : residue;
};
const inverse = (value: bigint): bigint => scalarToBigint(scalarInvert(scalarFromBigint(value)));
const INV_EIGHT = 0x600000000000000000000000000000007d39db37d1cdad06106e529e2dc2f79n;
const GENERATOR_DOMAIN = asciiToBytes('bulletproof_plus');
const INITIAL_TRANSCRIPT = asciiToBytes('bulletproof_plus_transcript');

const H_POINT = Point.fromBytes(H as Uint8Array);
const generators: { G: NoblePoint; H: NoblePoint }[] = [];

/** Generator pairs 0 … n − 1 (`get_exponent`, bulletproofs_plus.cc), made when first needed. */
function generatorPairs(n: number): readonly { G: NoblePoint; H: NoblePoint }[] {
  const make = (index: number) => Point.fromBytes(hashToEc(keccak256(H as Uint8Array, GENERATOR_DOMAIN, varintBytes(index))));
  while (generators.length < n) {
    const i = generators.length;
    generators.push({ H: make(2 * i), G: make(2 * i + 1) });
  }
  return generators;
}

class Transcript {
  private state: Uint8Array;

  constructor(commitmentsOver8: readonly Uint8Array[]) {
    this.state = hashToScalar(hashToEc(keccak256(INITIAL_TRANSCRIPT)), hashToScalar(...commitmentsOver8));
  }

  challenge(...points: readonly Uint8Array[]): bigint {
    this.state = hashToScalar(this.state, ...points);
    return this.nonZero();
  }

  rehash(): bigint {
    this.state = hashToScalar(this.state);
    return this.nonZero();
  }

  private nonZero(): bigint {
    const value = scalarToBigint(this.state);
    if (value === 0n) throw new CryptoError('bad-scalar', 'expected a challenge other than zero');
    return value;
  }
}

function sum(terms: readonly (readonly [bigint, NoblePoint])[]): NoblePoint {
  return terms.reduce((total, [scalar, point]) => total.add(point.multiplyUnsafe(mod(scalar))), Point.ZERO);
}

function powers(x: bigint, n: number): bigint[] {
  const list = [1n];
  while (list.length < n) list.push(mod(list[list.length - 1]! * x));
  return list;
}

/** Σ aᵢ·bᵢ·y^(i+1). */
function weightedInnerProduct(a: readonly bigint[], b: readonly bigint[], yPowers: readonly bigint[]): bigint {
  return mod(a.reduce((total, value, i) => total + value * b[i]! * yPowers[i + 1]!, 0n));
}

function roundsFor(outputs: number): number {
  return 6 + Math.ceil(Math.log2(outputs));
}

/** d[64j + i] = z^(2(j+1))·2^i. */
function windowed(z: bigint, aggregated: number): bigint[] {
  const d: bigint[] = [];
  let zPower = 1n;
  for (let j = 0; j < aggregated; j++) {
    zPower = mod(zPower * z * z);
    for (let i = 0n; i < BITS; i++) d.push(mod(zPower << i));
  }
  return d;
}

/**
 * Proves that each amount lies in 0 … 2^64−1 (Bulletproofs+: Chung, Han, Ju, Kim, Seo, eprint 2020/735;
 * `bulletproof_plus_PROVE`, bulletproofs_plus.cc).
 * @param amounts one to sixteen
 * @param masks the masks of their commitments, in the same order
 * @returns the proof in the wire's form, and the commitments to the amounts (outPk)
 * @throws CryptoError `bad-argument`, `bad-scalar`, `weak-randomness`
 */
export function oracleProve(
  amounts: readonly bigint[],
  masks: readonly Uint8Array[],
  random: Random,
): { proof: BulletproofPlusProof; commitments: Uint8Array[] } {
  const count = amounts.length;
  if (count < 1 || count > MAX_OUTPUTS || masks.length !== count) {
    throw new CryptoError('bad-argument', 'expected one to sixteen amounts, and a mask for each');
  }
  if (!masks.every(isCanonicalScalar)) throw new CryptoError('bad-scalar', 'expected canonical masks');
  const commitments = amounts.map((amount, i) => commit(amount, masks[i]!));
  const gamma = masks.map(scalarToBigint);
  const over8 = amounts.map((amount, i) =>
    sum([
      [amount * INV_EIGHT, H_POINT],
      [gamma[i]! * INV_EIGHT, Point.BASE],
    ]).toBytes(),
  );
  const secret = (label: string) => scalarToBigint(hedgedScalar(random, `bulletproof+ ${label}`, ...masks, ...over8));
  const aggregated = 1 << (roundsFor(count) - 6);
  const size = aggregated * BITS;
  const pairs = generatorPairs(size);
  const bits = Array.from({ length: size }, (_, i) => ((amounts[i >> 6] ?? 0n) >> BigInt(i & 63)) & 1n);

  const t = new Transcript(over8);
  const alpha = secret('alpha');
  const A = sum([
    ...bits.map((bit, i): [bigint, NoblePoint] => (bit ? [INV_EIGHT, pairs[i]!.G] : [-INV_EIGHT, pairs[i]!.H])),
    [alpha * INV_EIGHT, Point.BASE],
  ]).toBytes();
  const y = t.challenge(A);
  const z = t.rehash();
  const yPowers = powers(y, size + 2);
  const yInverses = powers(inverse(y), size);
  const d = windowed(z, aggregated);

  let a = bits.map((bit) => mod(bit - z));
  let b = bits.map((bit, i) => mod(bit - 1n + z + d[i]! * yPowers[size - i]!));
  let blinding = gamma.reduce((total, g, j) => mod(total + z ** BigInt(2 * (j + 1)) * yPowers[size + 1]! * g), alpha);
  let gs = pairs.slice(0, size).map((pair) => pair.G);
  let hs = pairs.slice(0, size).map((pair) => pair.H);
  const L: Uint8Array[] = [];
  const R: Uint8Array[] = [];

  for (let half = size / 2; half >= 1; half /= 2) {
    const [a0, a1, b0, b1] = [a.slice(0, half), a.slice(half), b.slice(0, half), b.slice(half)];
    const [g0, g1, h0, h1] = [gs.slice(0, half), gs.slice(half), hs.slice(0, half), hs.slice(half)];
    const up = yPowers[half]!;
    const down = yInverses[half]!;
    const cL = weightedInnerProduct(a0, b1, yPowers);
    const cR = weightedInnerProduct(
      a1.map((value) => mod(value * up)),
      b0,
      yPowers,
    );
    const dL = secret(`dL ${half}`);
    const dR = secret(`dR ${half}`);
    const cross = (x: bigint[], factor: bigint, g: NoblePoint[], w: bigint[], h: NoblePoint[], c: bigint, r: bigint) =>
      sum([
        ...x.map((value, i): [bigint, NoblePoint] => [value * factor * INV_EIGHT, g[i]!]),
        ...w.map((value, i): [bigint, NoblePoint] => [value * INV_EIGHT, h[i]!]),
        [c * INV_EIGHT, H_POINT],
        [r * INV_EIGHT, Point.BASE],
      ]).toBytes();
    const left = cross(a0, down, g1, b1, h0, cL, dL);
    const right = cross(a1, up, g0, b0, h1, cR, dR);
    L.push(left);
    R.push(right);
    const e = t.challenge(left, right);
    const eInverse = inverse(e);
    gs = g0.map((g, i) =>
      sum([
        [eInverse, g],
        [down * e, g1[i]!],
      ]),
    );
    hs = h0.map((h, i) =>
      sum([
        [e, h],
        [eInverse, h1[i]!],
      ]),
    );
    a = a0.map((value, i) => mod(value * e + mod(a1[i]! * up) * eInverse));
    b = b0.map((value, i) => mod(value * eInverse + b1[i]! * e));
    blinding = mod(blinding + dL * mod(e * e) + dR * mod(eInverse * eInverse));
  }

  const [r, s, delta, eta] = [secret('r'), secret('s'), secret('delta'), secret('eta')];
  const A1 = sum([
    [r * INV_EIGHT, gs[0]!],
    [s * INV_EIGHT, hs[0]!],
    [delta * INV_EIGHT, Point.BASE],
    [mod(r * y) * b[0]! * INV_EIGHT + mod(s * y) * a[0]! * INV_EIGHT, H_POINT],
  ]).toBytes();
  const B = sum([
    [eta * INV_EIGHT, Point.BASE],
    [mod(r * y) * mod(s * INV_EIGHT), H_POINT],
  ]).toBytes();
  const e = t.challenge(A1, B);
  const proof = {
    A,
    A1,
    B,
    r1: scalarFromBigint(r + a[0]! * e),
    s1: scalarFromBigint(s + b[0]! * e),
    d1: scalarFromBigint(eta + delta * e + blinding * mod(e * e)),
    L,
    R,
  };
  return { proof, commitments };
}

function wellFormed({ proof, commitments }: RangeProofItem): boolean {
  const count = commitments.length;
  return (
    count >= 1 &&
    count <= MAX_OUTPUTS &&
    proof.L.length === roundsFor(count) &&
    proof.R.length === proof.L.length &&
    [proof.r1, proof.s1, proof.d1].every(isCanonicalScalar) &&
    [proof.A, proof.A1, proof.B, ...proof.L, ...proof.R, ...commitments].every(isPoint)
  );
}

/** One proof's share of the batch equation: weighted terms that sum to the neutral element when the proof holds. */
function terms({ proof, commitments }: RangeProofItem, weight: bigint): [bigint, NoblePoint][] {
  const decode = (bytes: Uint8Array) => Point.fromBytes(bytes);
  const points = commitments.map(decode);
  const t = new Transcript(points.map((point) => point.multiplyUnsafe(INV_EIGHT).toBytes()));
  const y = t.challenge(proof.A);
  const z = t.rehash();
  const rounds = proof.L.map((left, j) => t.challenge(left, proof.R[j]!));
  const e = t.challenge(proof.A1, proof.B);
  const [r1, s1, d1] = [scalarToBigint(proof.r1), scalarToBigint(proof.s1), scalarToBigint(proof.d1)];
  const size = 1 << rounds.length;
  const yPowers = powers(y, size + 2);
  const yInverses = powers(inverse(y), size);
  const d = windowed(z, size / BITS);
  const inverses = rounds.map(inverse);
  const ee = mod(e * e);
  const list: [bigint, NoblePoint][] = [];
  const over8 = (scalar: bigint, point: Uint8Array) => list.push([8n * mod(scalar), decode(point)]);

  points.forEach((point, j) => {
    list.push([mod(-ee * z ** BigInt(2 * (j + 1))) * yPowers[size + 1]! * weight, point]);
  });
  over8(-weight, proof.B);
  over8(-weight * e, proof.A1);
  over8(-weight * ee, proof.A);
  rounds.forEach((x, j) => {
    over8(mod(-weight * ee) * mod(x * x), proof.L[j]!);
    over8(mod(-weight * ee) * mod(inverses[j]! * inverses[j]!), proof.R[j]!);
  });
  list.push([weight * d1, Point.BASE]);
  const sumY = yPowers.slice(1, size + 1).reduce((total, value) => total + value, 0n);
  const sumD = d.reduce((total, value) => total + value, 0n);
  list.push([
    mod(r1 * y) * s1 * weight + mod(ee * weight) * mod(yPowers[size + 1]! * mod(z * sumD) + (z * z - z) * sumY),
    H_POINT,
  ]);
  const pairs = generatorPairs(size);
  const products = rounds.reduce((list2, x, j) => list2.flatMap((value) => [mod(value * inverses[j]!), mod(value * x)]), [1n]);
  for (let i = 0; i < size; i++) {
    const g = mod(e * r1) * mod(yInverses[i]! * products[i]!) + ee * z;
    const h = mod(e * s1) * products[size - 1 - i]! - ee * z - mod(ee * d[i]!) * yPowers[size - i]!;
    list.push([mod(g) * weight, pairs[i]!.G], [mod(h) * weight, pairs[i]!.H]);
  }
  return list;
}

/**
 * Whether all proofs hold, checked together under random weights (`bulletproof_plus_VERIFY`, bulletproofs_plus.cc). An empty
 * batch holds.
 * @throws CryptoError `weak-randomness`
 */
export function oracleVerify(items: readonly RangeProofItem[], random: Random): boolean {
  if (!items.every(wellFormed)) return false;
  const all = items.flatMap((item) => terms(item, scalarToBigint(randomScalar(random))));
  return equalBytes(sum(all).toBytes(), Point.ZERO.toBytes());
}
