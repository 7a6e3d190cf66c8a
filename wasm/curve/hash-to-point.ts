/**
 * The map from 32 bytes to a point used for key images: Elligator 2's square root case split on the Montgomery curve with A = 486662, as in the
 * reference's ge_fromfe_frombytes_vartime (explained in "Understanding ge_fromfe_frombytes_vartime", Shen Noether).
 *
 * With u the bytes modulo p (all 256 bits), w = 2u² + 1 and s = w² - 2A²u²: where w/s is a square,
 * x = |u·sqrt(2A(A + 2)·w/s)| and z = -2Au²; elsewhere x = -|sqrt(A(A + 2)·w/s)| and z = -A. The point is (x·(z + w) : z - w : z + w).
 * "|…|" is the even root. Constant time; the hashed bytes are public.
 */
import { ALL_LANES, FE, LANES, addReduced, copyIf, laneMask, mul, setBytes, setConstant, sqr, subReduced } from '../field/index';
import { setOdd, sqrtRatio2 } from '../field/power';
import { ONE, POINT, Y, Z, double, doubleT } from './point';

const ROOT_SQUARE: usize = memory.data(FE, 16); // sqrt(2A(A + 2))
const ROOT_OTHER: usize = memory.data(FE, 16); // sqrt(-sqrt(-1)·A(A + 2))
const MINUS_A: usize = memory.data(FE, 16);
const MINUS_2A2: usize = memory.data(FE, 16); // -2A²
const TOP_BIT: usize = memory.data(FE, 16); // 2^255 = 19

/** Writes this file's constants; once per instance. */
export function initHashToPoint(): void {
  setConstant(ROOT_SQUARE, 0xd2de6483607c9ae0, 0x51de03460456f7df, 0x91d451b7c0165fbe, 0x4d061e0a045a2cf6);
  setConstant(ROOT_OTHER, 0x581b7d8717302c66, 0x4024ff4ea5964229, 0xb89546403f0da2ed, 0x674a110d14c208ef);
  setConstant(MINUS_A, 0xfffffffffff892e7, 0xffffffffffffffff, 0xffffffffffffffff, 0x7fffffffffffffff);
  setConstant(MINUS_2A2, 0xffffff91b67bc7a5, 0xffffffffffffffff, 0xffffffffffffffff, 0x7fffffffffffffff);
  setConstant(TOP_BIT, 19, 0, 0, 0);
}

const U: usize = memory.data(2 * FE, 16);
const U2: usize = memory.data(2 * FE, 16);
const W: usize = memory.data(2 * FE, 16);
const S: usize = memory.data(2 * FE, 16);
const ROOT: usize = memory.data(2 * FE, 16);
const SCALE: usize = memory.data(FE, 16);
const TRIAL: usize = memory.data(FE, 16);

/** U, U2 = u², W, S of the LANES hashes of vector k. */
function prepare(hashes: usize, k: usize): void {
  const u = U + k * FE,
    u2 = U2 + k * FE,
    w = W + k * FE,
    s = S + k * FE;
  let tops = 0;
  for (let lane = 0; lane < LANES; lane++) {
    const hash = hashes + <usize>((k * LANES + lane) << 5);
    setBytes(u, lane, hash);
    tops |= (<i32>(load<u8>(hash, 31) >> 7)) << lane;
  }
  addReduced(TRIAL, u, TOP_BIT);
  copyIf(u, TRIAL, laneMask(tops));
  sqr(u2, u);
  addReduced(w, u2, u2);
  addReduced(w, w, ONE);
  sqr(s, w);
  mul(TRIAL, u2, MINUS_2A2);
  addReduced(s, s, TRIAL);
}

/** The point of vector k from ROOT and the lanes where w/s is a square. */
function assemble(p: usize, k: usize, square: i32): void {
  const root = ROOT + k * FE;
  const other = laneMask(~square & ALL_LANES);
  mul(SCALE, U + k * FE, ROOT_SQUARE);
  copyIf(SCALE, ROOT_OTHER, other);
  mul(root, root, SCALE);
  setOdd(root, ~square & ALL_LANES);
  // z, into SCALE: -2Au² or -A.
  addReduced(SCALE, U2 + k * FE, U2 + k * FE);
  mul(SCALE, SCALE, MINUS_A);
  copyIf(SCALE, MINUS_A, other);
  addReduced(p + Z, SCALE, W + k * FE);
  subReduced(p + Y, SCALE, W + k * FE);
  mul(p, p + Z, root);
}

/** Maps 2·LANES hashes of 32 bytes to the two points at p (no T). */
export function hashToPoint2(p: usize, hashes: usize): void {
  prepare(hashes, 0);
  prepare(hashes, 1);
  const square = sqrtRatio2(ROOT, W, S);
  assemble(p, 0, square & ALL_LANES);
  assemble(p + POINT, 1, square >> LANES);
}

/** d = 8p: into the prime-order subgroup. */
export function timesEight(d: usize, p: usize): void {
  double(d, p);
  double(d, d);
  doubleT(d, d);
}
