/**
 * The field of the module being compiled: `fma.ts` with relaxed SIMD, otherwise `ext.ts`. Both have one interface, so that all code above is
 * written once. An element vector holds LANES elements; limb i is at byte 16·i, its lane l at + LANE·l.
 *
 * Limb sizes ("reduced" and "sum") are defined in the two modules; other code follows the stricter rule: a product takes at most one sum.
 */
import * as ext from './ext';
import * as fma from './fma';

/** Bytes of an element vector. */
export const FE: usize = ASC_FEATURE_RELAXED_SIMD ? 80 : 160;
/** Elements in a vector. */
export const LANES: i32 = ASC_FEATURE_RELAXED_SIMD ? 2 : 4;
/** Bytes of one lane of one limb. */
export const LANE: usize = ASC_FEATURE_RELAXED_SIMD ? 8 : 4;
/** One bit for each lane. */
export const ALL_LANES: i32 = (1 << LANES) - 1;

/** d = a·b, reduced; one of a, b may be a sum. d may be a or b. */
@inline
export function mul(d: usize, a: usize, b: usize): void {
  if (ASC_FEATURE_RELAXED_SIMD) fma.mul(d, a, b);
  else ext.mul(d, a, b);
}
/** d = a², reduced; a reduced. */
@inline
export function sqr(d: usize, a: usize): void {
  if (ASC_FEATURE_RELAXED_SIMD) fma.sqr(d, a);
  else ext.sqr(d, a);
}
/** d = a + b, a sum; a and b reduced. */
@inline
export function add(d: usize, a: usize, b: usize): void {
  if (ASC_FEATURE_RELAXED_SIMD) fma.add(d, a, b);
  else ext.add(d, a, b);
}
/** At most a sum. */
@inline
export function sub(d: usize, a: usize, b: usize): void {
  if (ASC_FEATURE_RELAXED_SIMD) fma.sub(d, a, b);
  else ext.sub(d, a, b);
}
/** d = a + b, reduced; a and b reduced. */
@inline
export function addReduced(d: usize, a: usize, b: usize): void {
  if (ASC_FEATURE_RELAXED_SIMD) fma.addReduced(d, a, b);
  else ext.addReduced(d, a, b);
}
/** d = a - b, reduced; a and b reduced. */
@inline
export function subReduced(d: usize, a: usize, b: usize): void {
  if (ASC_FEATURE_RELAXED_SIMD) fma.subReduced(d, a, b);
  else ext.subReduced(d, a, b);
}
/** d = -a in the lanes where the mask is all ones, a elsewhere; a reduced, d at most a sum. */
@inline
export function negateIf(d: usize, a: usize, mask: v128): void {
  if (ASC_FEATURE_RELAXED_SIMD) fma.negateIf(d, a, mask);
  else ext.negateIf(d, a, mask);
}
/** Bit l of `bits` as lane l: all ones or all zeros. */
@inline
export function laneMask(bits: i32): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? fma.laneMask(bits) : ext.laneMask(bits);
}
/** E, F, G, H of doubling a point, reduced, to t, t + FE, …; p holds X, Y, Z, reduced. */
@inline
export function doublingTerms(t: usize, p: usize): void {
  if (ASC_FEATURE_RELAXED_SIMD) fma.doublingTerms(t, p);
  else ext.doublingTerms(t, p);
}
/** E, F, G, H of P ± Q, to t, t + FE, …; p holds X, Y, Z, T, q holds Y - X, Y + X, 2Z, 2dT, all reduced. */
@inline
export function additionTerms(t: usize, p: usize, q: usize, minus: bool): void {
  if (ASC_FEATURE_RELAXED_SIMD) fma.additionTerms(t, p, q, minus);
  else ext.additionTerms(t, p, q, minus);
}
/** Like `additionTerms` for an affine Q: q holds Y - X, Y + X, 2dT. */
@inline
export function mixedTerms(t: usize, p: usize, q: usize, minus: bool): void {
  if (ASC_FEATURE_RELAXED_SIMD) fma.mixedTerms(t, p, q, minus);
  else ext.mixedTerms(t, p, q, minus);
}
@inline
function setLimbs(d: usize, lane: i32, f0: u64, f1: u64, f2: u64, f3: u64, f4: u64): void {
  if (ASC_FEATURE_RELAXED_SIMD) fma.setLimbs(d, lane, f0, f1, f2, f3, f4);
  else ext.setLimbs(d, lane, f0, f1, f2, f3, f4);
}
@inline
function limbOf(a: usize, lane: i32, i: i32): i64 {
  return ASC_FEATURE_RELAXED_SIMD ? fma.limbOf(a, lane, i) : ext.limbOf(a, lane, i);
}

/** d = a. */
@inline
export function copy(d: usize, a: usize): void {
  for (let at: usize = 0; at < FE; at += 16) v128.store(d + at, v128.load(a + at));
}

/** d = 0 in every lane. */
export function setZero(d: usize): void {
  for (let at: usize = 0; at < FE; at += 16) v128.store(d + at, i64x2.splat(0));
}

/** d = a in the lanes where the mask is all ones, d elsewhere. */
export function copyIf(d: usize, a: usize, mask: v128): void {
  for (let at: usize = 0; at < FE; at += 16) v128.store(d + at, v128.bitselect(v128.load(a + at), v128.load(d + at), mask));
}

/** Copies lane `from` of a to lane `to` of d. */
export function copyLane(d: usize, to: i32, a: usize, from: i32): void {
  const into = d + <usize>to * LANE;
  const out = a + <usize>from * LANE;
  for (let at: usize = 0; at < FE; at += 16) {
    if (LANE == 8) store<u64>(into + at, load<u64>(out + at));
    else store<u32>(into + at, load<u32>(out + at));
  }
}

const M51: u64 = 0x7ffffffffffff;

/** Lane `lane` of d = the 255 low bits of four little-endian words, modulo p. */
export function setWords(d: usize, lane: i32, w0: u64, w1: u64, w2: u64, w3: u64): void {
  setLimbs(
    d,
    lane,
    w0 & M51,
    ((w0 >> 51) | (w1 << 13)) & M51,
    ((w1 >> 38) | (w2 << 26)) & M51,
    ((w2 >> 25) | (w3 << 39)) & M51,
    (w3 >> 12) & M51,
  );
}

/** Lane `lane` of d = the 255 low bits of 32 bytes, modulo p. */
export function setBytes(d: usize, lane: i32, bytes: usize): void {
  setWords(d, lane, load<u64>(bytes), load<u64>(bytes, 8), load<u64>(bytes, 16), load<u64>(bytes, 24));
}

/** Every lane of d = the constant. */
export function setConstant(d: usize, w0: u64, w1: u64, w2: u64, w3: u64): void {
  for (let lane = 0; lane < LANES; lane++) setWords(d, lane, w0, w1, w2, w3);
}

// The canonical value of the last lane read, four words.
let word0: u64, word1: u64, word2: u64, word3: u64;

/** Reads lane `lane` of a (a sum at most) in 0 … p - 1 into the four words. Constant time. */
function canonical(a: usize, lane: i32): void {
  const m = <i64>M51;
  let x0 = limbOf(a, lane, 0),
    x1 = limbOf(a, lane, 1),
    x2 = limbOf(a, lane, 2),
    x3 = limbOf(a, lane, 3),
    x4 = limbOf(a, lane, 4);
  // Two passes: below 2^255 + 2^10, then every limb but the lowest in place.
  for (let pass = 0; pass < 2; pass++) {
    x1 += x0 >> 51;
    x0 &= m;
    x2 += x1 >> 51;
    x1 &= m;
    x3 += x2 >> 51;
    x2 &= m;
    x4 += x3 >> 51;
    x3 &= m;
    x0 += 19 * (x4 >> 51);
    x4 &= m;
  }
  // q = 1 when x >= p, which is when x + 19 reaches 2^255.
  let q = (x0 + 19) >> 51;
  q = (x1 + q) >> 51;
  q = (x2 + q) >> 51;
  q = (x3 + q) >> 51;
  q = (x4 + q) >> 51;
  x0 += 19 * q;
  x1 += x0 >> 51;
  x0 &= m;
  x2 += x1 >> 51;
  x1 &= m;
  x3 += x2 >> 51;
  x2 &= m;
  x4 += x3 >> 51;
  x3 &= m;
  x4 &= m;
  word0 = x0 | (x1 << 51);
  word1 = (x1 >> 13) | (x2 << 38);
  word2 = (x2 >> 26) | (x3 << 25);
  word3 = (x3 >> 39) | (x4 << 12);
}

/** Writes lane `lane` of a (a sum at most) as 32 little-endian bytes, canonical. */
export function toBytes(bytes: usize, a: usize, lane: i32): void {
  canonical(a, lane);
  store<u64>(bytes, word0);
  store<u64>(bytes, word1, 8);
  store<u64>(bytes, word2, 16);
  store<u64>(bytes, word3, 24);
}

/** Bit l is 1 when lane l of a (a sum at most) is zero. Constant time. */
export function zeroLanes(a: usize): i32 {
  let bits = 0;
  for (let lane = 0; lane < LANES; lane++) {
    canonical(a, lane);
    const any = word0 | word1 | word2 | word3;
    bits |= (<i32>(((any | -any) >> 63) ^ 1)) << lane;
  }
  return bits;
}

/** Bit l is the lowest bit of lane l of a (a sum at most): "negative", as the reference says. */
export function oddLanes(a: usize): i32 {
  let bits = 0;
  for (let lane = 0; lane < LANES; lane++) {
    canonical(a, lane);
    bits |= (<i32>(word0 & 1)) << lane;
  }
  return bits;
}
