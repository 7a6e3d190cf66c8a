/**
 * Bulletproofs+ range proofs: the prover (Chung, Han, Ju, Kim, Seo, eprint 2020/735; the reference's bulletproof_plus_PROVE).
 *
 * Amounts, masks and nonces are secret: where they are multiplied by points, tables are read whole and every digit is added (curve/multiply.ts),
 * and bits select under masks. Challenges are public: generators are folded in variable time. Folding G' = e⁻¹·G0 + t·G1 would cost two
 * multiplications; G0 + e·t·G1 costs one, and their common factor e⁻¹ is kept separately in FACTOR_G (the same for H).
 */
import { compress } from '../curve/encoding';
import { setBase } from '../curve/base';
import { RECODED, TABLE, buildTable, multiply, recode } from '../curve/multiply';
import {
  POINT,
  addCachedT,
  copyPointIf,
  copyPointLane,
  mask,
  negatePointIf,
  setIdentity,
  sumLanes,
  toCached,
} from '../curve/point';
import { ALL_LANES, LANES } from '../field/index';
import { alloc } from '../memory';
import { scalarAdd, scalarInvert, scalarMul, scalarMulAdd, scalarReduce32, scalarSub } from '../scalar';
import { AMOUNT_BASE, GENERATORS_G, GENERATORS_H, prepareGenerators } from './generators';
import {
  INVERSE_EIGHT,
  SCALAR_ONE,
  challengeOfPair,
  challengesYZ,
  divideCommitments,
  multiplyPublic,
  transcriptBegin,
} from './transcript';

const CHALLENGE_Y: usize = memory.data(32, 16);
const CHALLENGE_Z: usize = memory.data(32, 16);
const ZZ: usize = memory.data(32, 16);
const CHALLENGE_E: usize = memory.data(32, 16);
const E_INVERSE: usize = memory.data(32, 16);
const T0: usize = memory.data(32, 16);
const T1: usize = memory.data(32, 16);
const T2: usize = memory.data(32, 16);
const BLINDING: usize = memory.data(32, 16);
const FACTOR_G: usize = memory.data(32, 16);
const FACTOR_H: usize = memory.data(32, 16);
const DIVIDED: usize = memory.data(32 * 16, 16);
const DIVIDED_POINTS: usize = memory.data(16 * POINT, 16);
const ENCODED: usize = memory.data(2 * 32 * LANES, 16);
const BASE: usize = memory.data(POINT, 16);
const SUM: usize = memory.data(2 * POINT, 16);
const CHOSEN: usize = memory.data(POINT, 16);
const FIRST: usize = memory.data(POINT, 16);
const SECOND: usize = memory.data(POINT, 16);

// In the arena: vectors a and b, powers of y (size + 2) and of 1/y, 32 bytes per scalar; folded generators; the terms of one sum.
let a: usize, b: usize, yPowers: usize, yInverses: usize;
let foldedG: usize, foldedH: usize;
let termPoints: usize, termScalars: usize, termTables: usize, termRecoded: usize, terms: i32;

@inline
function at(scalars: usize, i: i32): usize {
  return scalars + ((<usize>i) << 5);
}

/** Divides up the arena for proofs of `size` bits. False if the memory cannot grow. */
function workspace(size: usize): bool {
  const most = size + 2 + <usize>LANES;
  const vectors = most / <usize>LANES + 1;
  a = alloc(32 * (4 * size + 2));
  foldedG = alloc(2 * size * (POINT / <usize>LANES));
  termScalars = alloc(32 * most);
  termPoints = alloc(vectors * POINT);
  termTables = alloc(vectors * TABLE);
  termRecoded = alloc(vectors * RECODED);
  if (a == 0 || foldedG == 0 || termScalars == 0 || termPoints == 0 || termTables == 0 || termRecoded == 0) return false;
  b = a + 32 * size;
  yPowers = b + 32 * size;
  yInverses = yPowers + 32 * (size + 2);
  foldedH = foldedG + size * (POINT / <usize>LANES);
  memory.copy(foldedG, GENERATORS_G, size * (POINT / <usize>LANES));
  memory.copy(foldedH, GENERATORS_H, size * (POINT / <usize>LANES));
  return true;
}

/** Adds lane i of the vectors at `points` to the current sum; its scalar is to be written at the returned address. */
function term(points: usize, i: i32): usize {
  copyPointLane(termPoints + <usize>(terms / LANES) * POINT, terms % LANES, points + <usize>(i / LANES) * POINT, i % LANES);
  terms++;
  return at(termScalars, terms - 1);
}

/** d = the sum of the terms, in every lane. Constant time. Starts a new sum. */
function sumTerms(d: usize): void {
  while (terms % LANES != 0) memory.fill(term(BASE, 0), 0, 32);
  const n = terms / LANES;
  for (let v = 0; v < n; v++) {
    buildTable(termTables + <usize>v * TABLE, termPoints + <usize>v * POINT);
    for (let lane = 0; lane < LANES; lane++) recode(termRecoded + <usize>v * RECODED, lane, at(termScalars, v * LANES + lane));
  }
  multiply(d, termTables, termRecoded, n);
  sumLanes(d, d);
  terms = 0;
}

/** Whether bit i of the amounts (8 bytes each, one after the other) is set: 1 or 0. */
@inline
function bit(amounts: usize, i: i32): i32 {
  return (<i32>load<u8>(amounts + <usize>(i >> 3)) >> (i & 7)) & 1;
}

/** A = (sum of G_i where bit i is set and of -H_i elsewhere + alpha·G) / 8. */
function commitToBits(out: usize, amounts: usize, alpha: usize, size: i32): void {
  setIdentity(SUM);
  for (let v = 0; v < size / LANES; v++) {
    let bits = 0;
    for (let lane = 0; lane < LANES; lane++) bits |= bit(amounts, v * LANES + lane) << lane;
    negatePointIf(CHOSEN, GENERATORS_H + <usize>v * POINT, mask(ALL_LANES));
    copyPointIf(CHOSEN, GENERATORS_G + <usize>v * POINT, mask(bits));
    toCached(CHOSEN, CHOSEN);
    addCachedT(SUM, SUM, CHOSEN);
  }
  sumLanes(FIRST, SUM);
  memory.copy(term(BASE, 0), alpha, 32);
  memory.copy(term(FIRST, 0), SCALAR_ONE, 32);
  sumTerms(SUM);
  multiplyPublic(SUM, SUM, INVERSE_EIGHT);
  compress(ENCODED, SUM, 1);
  memory.copy(out, ENCODED, 32);
}

/** Powers of y up to y^(size + 1), and of its inverse. */
function powersOfY(size: i32): void {
  memory.copy(yPowers, SCALAR_ONE, 32);
  for (let i = 1; i < size + 2; i++) scalarMul(at(yPowers, i), at(yPowers, i - 1), CHALLENGE_Y);
  scalarInvert(T0, CHALLENGE_Y);
  memory.copy(yInverses, SCALAR_ONE, 32);
  for (let i = 1; i < size; i++) scalarMul(at(yInverses, i), at(yInverses, i - 1), T0);
}

/** a = bits - z, b = bits - 1 + z + d·y^(size - i), with d = z^(2(j + 1))·2^(i mod 64) for output j = i / 64. */
function innerVectors(amounts: usize, size: i32): void {
  scalarMul(ZZ, CHALLENGE_Z, CHALLENGE_Z);
  memory.copy(T1, SCALAR_ONE, 32);
  for (let i = 0; i < size; i++) {
    if ((i & 63) == 0) {
      scalarMul(T1, T1, ZZ);
      memory.copy(T2, T1, 32);
    } else scalarAdd(T2, T2, T2);
    memory.fill(T0, 0, 32);
    store<u8>(T0, <u8>bit(amounts, i));
    scalarSub(at(a, i), T0, CHALLENGE_Z);
    scalarSub(T0, T0, SCALAR_ONE);
    scalarAdd(T0, T0, CHALLENGE_Z);
    scalarMulAdd(at(b, i), T2, at(yPowers, size - i), T0);
  }
}

/** BLINDING = alpha + sum over outputs of z^(2(j + 1))·y^(size + 1)·mask j. */
function startBlinding(alpha: usize, masks: usize, outputs: i32, size: i32): void {
  scalarReduce32(BLINDING, alpha);
  memory.copy(T0, at(yPowers, size + 1), 32);
  for (let j = 0; j < outputs; j++) {
    scalarMul(T0, T0, ZZ);
    scalarMulAdd(BLINDING, T0, at(masks, j), BLINDING);
  }
}

/**
 * One of L, R into d: the sum of left[i]·factorLeft·gs[i], right[i]·factorRight·hs[i], (sum of left·right·y^(i + 1)·weight)/8·H and blinding/8·G,
 * over `half` scalars of a and of b and the generators from numbers g and h on.
 */
function crossTerm(
  d: usize,
  left: usize,
  g: i32,
  right: usize,
  h: i32,
  half: i32,
  shift: usize,
  weight: usize,
  blinding: usize,
): void {
  scalarMul(T0, shift, INVERSE_EIGHT);
  scalarMul(T0, T0, FACTOR_G);
  for (let i = 0; i < half; i++) scalarMul(term(foldedG, g + i), at(left, i), T0);
  scalarMul(T0, INVERSE_EIGHT, FACTOR_H);
  for (let i = 0; i < half; i++) scalarMul(term(foldedH, h + i), at(right, i), T0);
  memory.fill(T1, 0, 32);
  for (let i = 0; i < half; i++) {
    scalarMul(T2, at(left, i), at(right, i));
    scalarMulAdd(T1, T2, at(yPowers, i + 1), T1);
  }
  scalarMul(T1, T1, weight);
  scalarMul(term(AMOUNT_BASE, 0), T1, INVERSE_EIGHT);
  scalarMul(term(BASE, 0), blinding, INVERSE_EIGHT);
  sumTerms(d);
}

/** The first `half` of the folded generators become P_i + scalar·P_(i + half). */
function fold(folded: usize, scalar: usize, half: i32): void {
  for (let v = 0; v * LANES < half; v++) {
    for (let lane = 0; lane < LANES; lane++) {
      const low = v * LANES + lane < half ? v * LANES + lane : 0,
        high = low + half;
      copyPointLane(FIRST, lane, folded + <usize>(low / LANES) * POINT, low % LANES);
      copyPointLane(SECOND, lane, folded + <usize>(high / LANES) * POINT, high % LANES);
    }
    multiplyPublic(SECOND, SECOND, scalar);
    toCached(SECOND, SECOND);
    addCachedT(folded + <usize>v * POINT, FIRST, SECOND);
  }
}

/** The scalars and generators of the next round, from the challenge CHALLENGE_E. */
function foldAll(half: i32): void {
  scalarInvert(E_INVERSE, CHALLENGE_E);
  const up = at(yPowers, half),
    down = at(yInverses, half);
  scalarMul(T0, CHALLENGE_E, CHALLENGE_E);
  scalarMul(T0, T0, down);
  fold(foldedG, T0, half);
  scalarMul(T0, E_INVERSE, E_INVERSE);
  fold(foldedH, T0, half);
  scalarMul(FACTOR_G, FACTOR_G, E_INVERSE);
  scalarMul(FACTOR_H, FACTOR_H, CHALLENGE_E);
  scalarMul(T0, up, E_INVERSE);
  for (let i = 0; i < half; i++) {
    scalarMul(T1, at(a, half + i), T0);
    scalarMulAdd(at(a, i), at(a, i), CHALLENGE_E, T1);
    scalarMul(T1, at(b, half + i), CHALLENGE_E);
    scalarMulAdd(at(b, i), at(b, i), E_INVERSE, T1);
  }
}

/** BLINDING += dL·e² + dR·e⁻². */
function growBlinding(dL: usize, dR: usize): void {
  scalarMul(T0, CHALLENGE_E, CHALLENGE_E);
  scalarMulAdd(BLINDING, dL, T0, BLINDING);
  scalarMul(T0, E_INVERSE, E_INVERSE);
  scalarMulAdd(BLINDING, dR, T0, BLINDING);
}

// The proof as written: A1, B, A, then the L, then the R; then r1, s1, d1 (32 bytes each).
/** A1 and B, from the last generators and the nonces r, s, delta, eta. */
function lastPoints(out: usize, r: usize, s: usize, delta: usize, eta: usize): void {
  scalarMul(T0, r, FACTOR_G);
  scalarMul(term(foldedG, 0), T0, INVERSE_EIGHT);
  scalarMul(T0, s, FACTOR_H);
  scalarMul(term(foldedH, 0), T0, INVERSE_EIGHT);
  scalarMul(term(BASE, 0), delta, INVERSE_EIGHT);
  scalarMul(T0, r, b);
  scalarMulAdd(T0, s, a, T0);
  scalarMul(T0, T0, CHALLENGE_Y);
  scalarMul(term(AMOUNT_BASE, 0), T0, INVERSE_EIGHT);
  sumTerms(SUM);
  scalarMul(term(BASE, 0), eta, INVERSE_EIGHT);
  scalarMul(T0, r, CHALLENGE_Y);
  scalarMul(T0, T0, s);
  scalarMul(term(AMOUNT_BASE, 0), T0, INVERSE_EIGHT);
  sumTerms(SUM + POINT);
  compress(ENCODED, SUM, 2);
  memory.copy(out, ENCODED, 32);
  memory.copy(out + 32, ENCODED + 32 * LANES, 32);
}

/** r1 = r + a·e, s1 = s + b·e, d1 = eta + delta·e + blinding·e². */
function lastScalars(out: usize, r: usize, s: usize, delta: usize, eta: usize): void {
  scalarMulAdd(out, a, CHALLENGE_E, r);
  scalarMulAdd(out + 32, b, CHALLENGE_E, s);
  scalarMul(T0, CHALLENGE_E, CHALLENGE_E);
  scalarMulAdd(T1, delta, CHALLENGE_E, eta);
  scalarMulAdd(out + 64, BLINDING, T0, T1);
}

/** Overwrites the secrets outside the arena. */
function wipeStatic(): void {
  memory.fill(T0, 0, 32);
  memory.fill(T1, 0, 32);
  memory.fill(T2, 0, 32);
  memory.fill(BLINDING, 0, 32);
  memory.fill(SUM, 0, 2 * POINT);
  memory.fill(CHOSEN, 0, POINT);
  memory.fill(FIRST, 0, POINT);
}

/**
 * Proves 2^rounds bits of `outputs` amounts. `nonces`: alpha, r, s, delta, eta, then dL and dR of each round, 32 bytes each; `amounts`: 2^rounds /
 * 8 bytes; `masks` and `commitments`: 32 bytes per output. Writes A1, B, A, the L, the R, r1, s1, d1 to `out`. Returns 0 if a challenge is zero, a
 * commitment is not a point or the memory cannot grow. All secrets are in the arena above the caller's mark: the caller wipes and releases it.
 */
export function rangeProve(
  out: usize,
  amounts: usize,
  masks: usize,
  commitments: usize,
  outputs: i32,
  rounds: i32,
  nonces: usize,
): i32 {
  const size = 1 << rounds;
  prepareGenerators(size);
  if (!workspace(<usize>size) || !divideCommitments(DIVIDED, DIVIDED_POINTS, commitments, outputs)) return 0;
  setBase(BASE);
  terms = 0;
  memory.copy(FACTOR_G, SCALAR_ONE, 32);
  memory.copy(FACTOR_H, SCALAR_ONE, 32);
  const lefts = out + 96,
    rights = lefts + ((<usize>rounds) << 5),
    scalars = rights + ((<usize>rounds) << 5);
  transcriptBegin(DIVIDED, <usize>outputs);
  commitToBits(out + 64, amounts, nonces, size);
  if (!challengesYZ(CHALLENGE_Y, CHALLENGE_Z, out + 64)) return 0;
  powersOfY(size);
  innerVectors(amounts, size);
  startBlinding(nonces, masks, outputs, size);
  for (let round = 0, half = size >> 1; half > 0; round++, half >>= 1) {
    const dL = at(nonces, 5 + 2 * round),
      dR = dL + 32;
    const up = at(yPowers, half),
      down = at(yInverses, half);
    crossTerm(SUM, a, half, at(b, half), 0, half, down, SCALAR_ONE, dL);
    crossTerm(SUM + POINT, at(a, half), 0, b, half, half, up, up, dR);
    compress(ENCODED, SUM, 2);
    memory.copy(at(lefts, round), ENCODED, 32);
    memory.copy(at(rights, round), ENCODED + 32 * LANES, 32);
    if (!challengeOfPair(CHALLENGE_E, at(lefts, round), at(rights, round))) return 0;
    foldAll(half);
    growBlinding(dL, dR);
  }
  const r = nonces + 32,
    s = nonces + 64,
    delta = nonces + 96,
    eta = nonces + 128;
  lastPoints(out, r, s, delta, eta);
  const good = challengeOfPair(CHALLENGE_E, out, out + 32);
  lastScalars(scalars, r, s, delta, eta);
  wipeStatic();
  return good ? 1 : 0;
}
