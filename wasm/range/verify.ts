/**
 * Batch verification of Bulletproofs+ range proofs (Chung, Han, Ju, Kim, Seo, eprint 2020/735, section 6.1; the reference's
 * bulletproof_plus_VERIFY): every proof's equation, with a random weight, in one sum that must be the identity. All inputs are public.
 */
import { ENCODINGS, compress } from '../curve/encoding';
import { setBase } from '../curve/base';
import { timesEight } from '../curve/hash-to-point';
import { RECODED, TABLE, buildTable, multiplyVartime, recode } from '../curve/multiply';
import { POINT, addCachedT, copyPointLane, sumLanes, toCached } from '../curve/point';
import { LANES } from '../field/index';
import { alloc, mark, release } from '../memory';
import { scalarAdd, scalarInvert, scalarMul, scalarMulAdd, scalarNegate, scalarSub } from '../scalar';
import { TABLED, prepareTables, sumGenerators } from './generator-sum';
import { AMOUNT_BASE, GENERATORS_G, GENERATORS_H, prepareGenerators } from './generators';
import { SCALAR_ONE, challengeOfPair, challengesYZ, decodeVectors, divideCommitments, transcriptBegin } from './transcript';

// A proof as the host writes it: a header of 16 bytes (outputs, rounds: i32 each), then fields of 32 bytes.
const WEIGHT: usize = 16;
const R1: usize = 48;
const S1: usize = 80;
const D1: usize = 112;
/** A1, B, A, then the L, then the R, then the commitments. */
const POINTS: usize = 144;

const CHALLENGE_Y: usize = memory.data(32, 16);
const CHALLENGE_Z: usize = memory.data(32, 16);
const CHALLENGE_E: usize = memory.data(32, 16);
const T0: usize = memory.data(32, 16);
const T1: usize = memory.data(32, 16);
const T2: usize = memory.data(32, 16);
const Y_INVERSE: usize = memory.data(32, 16);
const Y_MN: usize = memory.data(32, 16);
const Y_MN1: usize = memory.data(32, 16);
const EE: usize = memory.data(32, 16);
const ZZ: usize = memory.data(32, 16);
const MINUS_WEIGHT_EE: usize = memory.data(32, 16);
const STEP_G: usize = memory.data(32, 16);
const STEP_H: usize = memory.data(32, 16);
const WINDOW: usize = memory.data(32, 16);
const SHIFT: usize = memory.data(32, 16);
const MINUS_SHIFT: usize = memory.data(32, 16);
const SUM_Y: usize = memory.data(32, 16);
const SUM_D: usize = memory.data(32, 16);
/** At most ten rounds: 1024 bits. */
const CHALLENGES: usize = memory.data(32 * 10, 16);
const INVERSES: usize = memory.data(32 * 10, 16);
const RUNNING: usize = memory.data(32 * 12, 16);
const DIVIDED: usize = memory.data(32 * 16, 16);
const DIVIDED_POINTS: usize = memory.data(16 * POINT, 16);

// The batch: scalars of G and H, of the generators, and the points of the proofs with theirs.
let scalarG: usize, scalarH: usize, scalarsG: usize, scalarsH: usize, products: usize;
let ownPoints: usize, ownScalars: usize, owned: i32;

/** Adds lane `lane` of a point vector to the proofs' points; its scalar is to be written at the returned address. */
function own(p: usize, lane: i32): usize {
  copyPointLane(ownPoints + <usize>(owned / LANES) * POINT, owned % LANES, p, lane);
  owned++;
  return ownScalars + ((<usize>(owned - 1)) << 5);
}

/** Challenges of one proof, and the inverses of the rounds' and of y by one inversion. False if one is zero. */
function replay(proof: usize, rounds: i32, outputs: i32): bool {
  const points = proof + POINTS,
    lefts = points + 96,
    rights = lefts + ((<usize>rounds) << 5);
  transcriptBegin(DIVIDED, outputs);
  if (!challengesYZ(CHALLENGE_Y, CHALLENGE_Z, points + 64)) return false;
  for (let j: usize = 0; j < <usize>rounds; j++) {
    if (!challengeOfPair(CHALLENGES + 32 * j, lefts + 32 * j, rights + 32 * j)) return false;
  }
  if (!challengeOfPair(CHALLENGE_E, points, points + 32)) return false;
  memory.copy(RUNNING, CHALLENGE_Y, 32);
  for (let j: usize = 0; j < <usize>rounds; j++) scalarMul(RUNNING + 32 * (j + 1), RUNNING + 32 * j, CHALLENGES + 32 * j);
  scalarInvert(T0, RUNNING + ((<usize>rounds) << 5));
  for (let j = <usize>rounds; j > 0; j--) {
    scalarMul(INVERSES + 32 * (j - 1), T0, RUNNING + 32 * (j - 1));
    scalarMul(T0, T0, CHALLENGES + 32 * (j - 1));
  }
  memory.copy(Y_INVERSE, T0, 32);
  return true;
}

/** The proof's own points, times 8, with their scalars: B, A1, A, L, R and the commitments. False if one is not a point. */
function ownTerms(proof: usize, rounds: i32, outputs: i32): bool {
  const count = 3 + 2 * rounds;
  const back = mark();
  const vectors = alloc(<usize>(count + LANES) * POINT);
  if (vectors == 0 || !decodeVectors(vectors, proof + POINTS, count)) {
    release(back);
    return false;
  }
  for (let v = 0; v * LANES < count; v++) timesEight(vectors + <usize>v * POINT, vectors + <usize>v * POINT);
  scalarNegate(T0, proof + WEIGHT);
  scalarMul(T1, T0, CHALLENGE_E);
  scalarMul(MINUS_WEIGHT_EE, T1, CHALLENGE_E);
  for (let i = 0; i < count; i++) {
    const scalar = own(vectors + <usize>(i / LANES) * POINT, i % LANES);
    if (i == 0) memory.copy(scalar, T1, 32);
    else if (i == 1) memory.copy(scalar, T0, 32);
    else if (i == 2) memory.copy(scalar, MINUS_WEIGHT_EE, 32);
    else {
      const x = i - 3 < rounds ? CHALLENGES + ((<usize>(i - 3)) << 5) : INVERSES + ((<usize>(i - 3 - rounds)) << 5);
      scalarMul(T2, x, x);
      scalarMul(scalar, T2, MINUS_WEIGHT_EE);
    }
  }
  release(back);
  scalarMul(T0, MINUS_WEIGHT_EE, Y_MN1);
  for (let j = 0; j < outputs; j++) {
    scalarMul(T0, T0, ZZ);
    memory.copy(own(DIVIDED_POINTS + <usize>(j / LANES) * POINT, j % LANES), T0, 32);
  }
  return true;
}

/** y^size, y^(size + 1), z², e²; the sums of y … y^size and of the windowed vector d. */
function powersAndSums(size: i32): void {
  memory.copy(Y_MN, CHALLENGE_Y, 32);
  memory.copy(SUM_Y, CHALLENGE_Y, 32); // y + y² + … : doubling the length each time
  for (let length = 1; length < size; length *= 2) {
    scalarMulAdd(SUM_Y, SUM_Y, Y_MN, SUM_Y);
    scalarMul(Y_MN, Y_MN, Y_MN);
  }
  scalarMul(Y_MN1, Y_MN, CHALLENGE_Y);
  scalarMul(ZZ, CHALLENGE_Z, CHALLENGE_Z);
  scalarMul(EE, CHALLENGE_E, CHALLENGE_E);
  memory.copy(SUM_D, ZZ, 32); // z² + z⁴ + …, times 2^64 - 1
  memory.copy(T0, ZZ, 32);
  for (let outputs = 1; outputs < size / 64; outputs *= 2) {
    scalarMulAdd(SUM_D, SUM_D, T0, SUM_D);
    scalarMul(T0, T0, T0);
  }
  memory.fill(T0, 0, 32);
  store<u64>(T0, 0xffffffffffffffff);
  scalarMul(SUM_D, SUM_D, T0);
}

/** Adds weight·d1 to G's scalar and weight·(r1·y·s1 + e²·(y^(size + 1)·z·sum(d) + (z² - z)·sum(y))) to H's. */
function baseTerms(proof: usize): void {
  scalarMulAdd(scalarG, proof + WEIGHT, proof + D1, scalarG);
  scalarSub(T0, ZZ, CHALLENGE_Z);
  scalarMul(T0, T0, SUM_Y);
  scalarMul(T1, Y_MN1, CHALLENGE_Z);
  scalarMulAdd(T0, T1, SUM_D, T0);
  scalarMul(T0, T0, EE);
  scalarMul(T1, proof + R1, CHALLENGE_Y);
  scalarMulAdd(T0, T1, proof + S1, T0);
  scalarMulAdd(scalarH, T0, proof + WEIGHT, scalarH);
}

/** products[i] = the product over rounds of the challenge (bit of i set, first round highest) or its inverse. */
function challengeProducts(rounds: i32): void {
  memory.copy(products, SCALAR_ONE, 32);
  for (let j = 0; j < rounds; j++) {
    const x = CHALLENGES + ((<usize>j) << 5),
      inverse = INVERSES + ((<usize>j) << 5);
    for (let i = (1 << j) - 1; i >= 0; i--) {
      const from = products + ((<usize>i) << 5),
        to = products + ((<usize>i) << 6);
      scalarMul(T0, from, inverse);
      scalarMul(to + 32, from, x);
      memory.copy(to, T0, 32);
    }
  }
}

/** Adds the proof's scalars to those of the generators. */
function generatorTerms(proof: usize, size: i32): void {
  scalarMul(STEP_G, CHALLENGE_E, proof + R1);
  scalarMul(STEP_G, STEP_G, proof + WEIGHT);
  scalarMul(STEP_H, CHALLENGE_E, proof + S1);
  scalarMul(STEP_H, STEP_H, proof + WEIGHT);
  scalarMul(SHIFT, EE, CHALLENGE_Z);
  scalarMul(SHIFT, SHIFT, proof + WEIGHT);
  scalarNegate(MINUS_SHIFT, SHIFT);
  // T1 = -weight·e²·y^(size - i), T2 = that times z^(2(j + 1)), WINDOW = T2 · 2^(i mod 64).
  scalarMul(T1, MINUS_WEIGHT_EE, Y_MN);
  memory.copy(WINDOW, ZZ, 32);
  for (let i = 0; i < size; i++) {
    const g = scalarsG + ((<usize>i) << 5),
      h = scalarsH + ((<usize>i) << 5);
    if (i > 0 && (i & 63) == 0) {
      scalarMul(ZZ_J, ZZ_J, ZZ);
      memory.copy(WINDOW, ZZ_J, 32);
    } else if (i == 0) memory.copy(ZZ_J, ZZ, 32);
    else scalarAdd(WINDOW, WINDOW, WINDOW);
    scalarMulAdd(T0, STEP_G, products + ((<usize>i) << 5), SHIFT);
    scalarAdd(g, g, T0);
    scalarMulAdd(T0, STEP_H, products + ((<usize>(size - 1 - i)) << 5), MINUS_SHIFT);
    scalarMulAdd(T0, T1, WINDOW, T0);
    scalarAdd(h, h, T0);
    scalarMul(STEP_G, STEP_G, Y_INVERSE);
    scalarMul(T1, T1, Y_INVERSE);
  }
}

const ZZ_J: usize = memory.data(32, 16);

/** Adds one proof to the batch. False when it is malformed. */
function addProof(proof: usize): bool {
  const outputs = load<i32>(proof),
    rounds = load<i32>(proof, 4);
  const commitments = proof + POINTS + 96 + ((<usize>rounds) << 6);
  if (!divideCommitments(DIVIDED, DIVIDED_POINTS, commitments, outputs)) return false;
  if (!replay(proof, rounds, outputs)) return false;
  powersAndSums(1 << rounds);
  if (!ownTerms(proof, rounds, outputs)) return false;
  baseTerms(proof);
  challengeProducts(rounds);
  generatorTerms(proof, 1 << rounds);
  return true;
}

/** Vector `k` of the final sum: its table, and its LANES scalars recoded. */
function addVector(tables: usize, recoded: usize, k: i32, p: usize, scalars: usize): void {
  buildTable(tables + <usize>k * TABLE, p);
  for (let lane = 0; lane < LANES; lane++) recode(recoded + <usize>k * RECODED, lane, scalars + ((<usize>lane) << 5));
}

const TOTAL: usize = memory.data(POINT, 16);
const PART: usize = memory.data(POINT, 16);
const ENCODED: usize = memory.data(32 * LANES, 16);

/** Whether the whole sum is the identity. */
function sumIsIdentity(size: i32): bool {
  setBase(TOTAL);
  memory.copy(own(TOTAL, 0), scalarG, 32);
  memory.copy(own(AMOUNT_BASE, 0), scalarH, 32);
  while (owned % LANES != 0) own(TOTAL, 0);
  const tabled = size <= TABLED;
  const wide = tabled ? 0 : size / LANES,
    ownVectors = owned / LANES,
    n = 2 * wide + ownVectors;
  const tables = alloc(<usize>n * TABLE),
    recoded = alloc(<usize>n * RECODED);
  if (tables == 0 || recoded == 0) return false;
  for (let v = 0; v < wide; v++) {
    const at = <usize>v * POINT,
      scalar = <usize>v * ENCODINGS;
    addVector(tables, recoded, 2 * v, GENERATORS_G + at, scalarsG + scalar);
    addVector(tables, recoded, 2 * v + 1, GENERATORS_H + at, scalarsH + scalar);
  }
  for (let v = 0; v < ownVectors; v++) {
    addVector(tables, recoded, 2 * wide + v, ownPoints + <usize>v * POINT, ownScalars + <usize>v * ENCODINGS);
  }
  multiplyVartime(TOTAL, tables, recoded, n);
  if (tabled) {
    if (!prepareTables(size) || !sumGenerators(PART, scalarsG, scalarsH, size)) return false;
    toCached(PART, PART);
    addCachedT(TOTAL, TOTAL, PART);
  }
  sumLanes(TOTAL, TOTAL);
  compress(ENCODED, TOTAL, 1);
  return load<u64>(ENCODED) == 1 && (load<u64>(ENCODED, 8) | load<u64>(ENCODED, 16) | load<u64>(ENCODED, 24)) == 0;
}

/** At most sixteen amounts of 64 bits in one proof. */
const MOST_OUTPUTS: i32 = 16;

/**
 * Whether every header respects the bounds from which all sizes here follow: one to sixteen outputs, and 6 + log2 of their padded count rounds,
 * within those of the batch.
 */
function withinBounds(proofs: usize, count: i32, rounds: i32, points: i32): bool {
  let proof = proofs,
    total: i32 = 0;
  for (let i = 0; i < count; i++) {
    const outputs = load<i32>(proof),
      its = load<i32>(proof, 4);
    if (outputs < 1 || outputs > MOST_OUTPUTS) return false;
    let needed = 6;
    while (1 << (needed - 6) < outputs) needed++;
    if (its != needed || its > rounds) return false;
    total += 3 + 2 * its + outputs;
    proof += POINTS + 96 + ((<usize>its) << 6) + ((<usize>outputs) << 5);
  }
  return total == points && rounds <= 10;
}

/**
 * 1 if all `count` consecutive proofs at `proofs` are valid, else 0. `rounds` is the maximum of all proofs, `points` the total number of points (A,
 * A1, B, L, R and commitments); bounds are checked before they determine any size. The host ensures that scalars are canonical and weights random.
 */
export function rangeVerify(proofs: usize, count: i32, rounds: i32, points: i32): i32 {
  if (!withinBounds(proofs, count, rounds, points)) return 0;
  const back = mark();
  const size = 1 << rounds;
  prepareGenerators(size);
  const scalars = (<usize>(2 + 3 * size)) << 5;
  const padded = <usize>(points + 2 + LANES);
  scalarG = alloc(scalars);
  ownScalars = alloc(padded << 5);
  ownPoints = alloc(padded * (POINT / <usize>LANES));
  let good = scalarG != 0 && ownScalars != 0 && ownPoints != 0;
  if (good) {
    memory.fill(scalarG, 0, scalars);
    memory.fill(ownScalars, 0, padded << 5);
    memory.fill(ownPoints, 0, padded * (POINT / <usize>LANES));
    scalarH = scalarG + 32;
    scalarsG = scalarH + 32;
    scalarsH = scalarsG + ((<usize>size) << 5);
    products = scalarsH + ((<usize>size) << 5);
    owned = 0;
    let proof = proofs;
    for (let i = 0; i < count && good; i++) {
      good = addProof(proof);
      proof += POINTS + 96 + ((<usize>load<i32>(proof, 4)) << 6) + ((<usize>load<i32>(proof)) << 5);
    }
    good = good && sumIsIdentity(size);
  }
  release(back);
  return good ? 1 : 0;
}
