/**
 * Points of edwards25519, -x² + y² = 1 + d·x²y², a vector of them at a time.
 *
 * - **Point** (POINT bytes): X, Y, Z, T, one element vector each; x = X/Z, y = Y/Z, T = XY/Z. All reduced. "no T" means that T is left unchanged.
 * - **Cached** (POINT bytes): Y - X, Y + X, 2Z, 2dT: the second operand of an addition.
 * - **Affine cached** (AFFINE bytes): Y - X, Y + X, 2dT of a point with Z = 1.
 *
 * The addition is complete (d is not a square): it holds for equal points, the identity and points of small order.
 * Everything here is constant time. Formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited", 2008.
 */
import {
  FE,
  LANES,
  add,
  addReduced,
  additionTerms,
  copy,
  copyIf,
  copyLane,
  doublingTerms,
  laneMask,
  mixedTerms,
  mul,
  negateIf,
  setConstant,
  setZero,
  subReduced,
} from '../field/index';

export const POINT: usize = 4 * FE;
export const AFFINE: usize = 3 * FE;
export const Y: usize = FE;
export const Z: usize = 2 * FE;
export const T: usize = 3 * FE;

/** 1 in every lane. */
export const ONE: usize = memory.data(FE, 16);
/** d = -121665/121666, and 2d. */
export const D: usize = memory.data(FE, 16);
export const D2: usize = memory.data(FE, 16);

/** The identity in every lane, and the same cached. */
export const IDENTITY: usize = memory.data(POINT, 16);
export const IDENTITY_CACHED: usize = memory.data(POINT, 16);

/** Writes this file's constants; once per instance. */
export function initPoint(): void {
  setConstant(ONE, 1, 0, 0, 0);
  setConstant(D, 0x75eb4dca135978a3, 0x00700a4d4141d8ab, 0x8cc740797779e898, 0x52036cee2b6ffe73);
  setConstant(D2, 0xebd69b9426b2f159, 0x00e0149a8283b156, 0x198e80f2eef3d130, 0x2406d9dc56dffce7);
  setIdentity(IDENTITY);
  toCached(IDENTITY_CACHED, IDENTITY);
}

// E, F, G, H of the current formula.
const E: usize = memory.data(4 * FE, 16);
const F: usize = E + FE;
const G: usize = E + 2 * FE;
const H: usize = E + 3 * FE;

@inline
function finish(d: usize, withT: bool): void {
  mul(d, F, E);
  mul(d + Y, G, H);
  mul(d + Z, F, G);
  if (withT) mul(d + T, H, E);
}

/** d = 2p, no T. */
export function double(d: usize, p: usize): void {
  doublingTerms(E, p);
  finish(d, false);
}
/** d = 2p. */
export function doubleT(d: usize, p: usize): void {
  doublingTerms(E, p);
  finish(d, true);
}
/** d = p + q, no T; q cached. */
export function addCached(d: usize, p: usize, q: usize): void {
  additionTerms(E, p, q, false);
  finish(d, false);
}
/** d = p + q; q cached. */
export function addCachedT(d: usize, p: usize, q: usize): void {
  additionTerms(E, p, q, false);
  finish(d, true);
}
/** d = p - q, no T; q cached. */
export function subCached(d: usize, p: usize, q: usize): void {
  additionTerms(E, p, q, true);
  finish(d, false);
}
/** d = p - q; q cached. */
export function subCachedT(d: usize, p: usize, q: usize): void {
  additionTerms(E, p, q, true);
  finish(d, true);
}
/** d = p + q; q affine cached. */
export function addAffineT(d: usize, p: usize, q: usize): void {
  mixedTerms(E, p, q, false);
  finish(d, true);
}
/** d = p - q; q affine cached. */
export function subAffineT(d: usize, p: usize, q: usize): void {
  mixedTerms(E, p, q, true);
  finish(d, true);
}

/** d = p, cached. */
export function toCached(d: usize, p: usize): void {
  mul(d + T, p + T, D2);
  add(d + Z, p + Z, p + Z);
  subReduced(E, p + Y, p);
  addReduced(d + Y, p + Y, p);
  copy(d, E);
}

/** d = the identity in every lane. */
export function setIdentity(d: usize): void {
  setZero(d);
  copy(d + Y, ONE);
  copy(d + Z, ONE);
  setZero(d + T);
}

/** d = -p in the lanes where the mask is all ones, p elsewhere. */
export function negatePointIf(d: usize, p: usize, mask: v128): void {
  negateIf(E, p, mask);
  subReduced(d, E, ZERO);
  copy(d + Y, p + Y);
  copy(d + Z, p + Z);
  negateIf(E, p + T, mask);
  subReduced(d + T, E, ZERO);
}

/** Zero, the initial value of static memory. */
const ZERO: usize = memory.data(FE, 16);

/** d = p in the lanes where the mask is all ones, d elsewhere. */
export function copyPointIf(d: usize, p: usize, mask: v128): void {
  for (let at: usize = 0; at < POINT; at += FE) copyIf(d + at, p + at, mask);
}

/** Copies lane `from` of the point (or cached point) p to lane `to` of d. */
export function copyPointLane(d: usize, to: i32, p: usize, from: i32): void {
  for (let at: usize = 0; at < POINT; at += FE) copyLane(d + at, to, p + at, from);
}

const OTHER: usize = memory.data(POINT, 16);

/** d = the sum of p's lanes, in every lane. */
export function sumLanes(d: usize, p: usize): void {
  memory.copy(d, p, POINT);
  for (let step = 1; step < LANES; step <<= 1) {
    for (let lane = 0; lane < LANES; lane++) copyPointLane(OTHER, lane, d, lane ^ step);
    toCached(OTHER, OTHER);
    addCachedT(d, d, OTHER);
  }
}

/** Bit l of `bits` as a mask of lane l, all ones or all zeros. */
@inline
export function mask(bits: i32): v128 {
  return laneMask(bits);
}
