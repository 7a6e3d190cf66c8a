// biome-ignore-all format: a row of partial products is a line
/**
 * Integers modulo p = 2^255 - 19, four at a time, on 32×32 → 64 bit vector multiplication (plain SIMD): for engines without a fused multiply-add.
 *
 * An element vector is 10 limbs of 26 and 25 bits in turn, limb i in the i32x4 at byte 16·i, one element a lane. Limbs are unsigned,
 * weight 2^ceil(25.5·i). Two sizes of limb, with e = 26 for even and 25 for odd limbs:
 *
 * - **reduced**: limb < 2^e + 2^17, the result of every product and every carry pass;
 * - **sum**: limb < 2·(2^e + 2^17), one addition of two reduced elements.
 *
 * A product may take sums on both sides (the FMA module is stricter; curve code keeps to the stricter rule): 19 times an even limb
 * of a sum is below 2^31.3, 4 times a limb below 2^29; a column is at most ten products of 2·2^27 by 19·2^27, below 2^62.6.
 *
 * Subtraction adds 4p (limb by limb, each at least 2^27.9 or 2^26.9, so no limb goes below zero) and carries.
 */

export const FE: usize = 160;
export const LANES: i32 = 4;
export const LANE: usize = 4;
export const LIMBS: i32 = 10;

const M26: v128 = i64x2.splat(0x3ffffff);
const M25: v128 = i64x2.splat(0x1ffffff);
const MASK26: v128 = i32x4.splat(0x3ffffff);
const MASK25: v128 = i32x4.splat(0x1ffffff);
/** 4p, limb by limb, in every lane. */
const FOUR_P: usize = memory.data<u32>([
  0xfffffb4, 0xfffffb4, 0xfffffb4, 0xfffffb4, 0x7fffffc, 0x7fffffc, 0x7fffffc, 0x7fffffc,
  0xffffffc, 0xffffffc, 0xffffffc, 0xffffffc, 0x7fffffc, 0x7fffffc, 0x7fffffc, 0x7fffffc,
  0xffffffc, 0xffffffc, 0xffffffc, 0xffffffc, 0x7fffffc, 0x7fffffc, 0x7fffffc, 0x7fffffc,
  0xffffffc, 0xffffffc, 0xffffffc, 0xffffffc, 0x7fffffc, 0x7fffffc, 0x7fffffc, 0x7fffffc,
  0xffffffc, 0xffffffc, 0xffffffc, 0xffffffc, 0x7fffffc, 0x7fffffc, 0x7fffffc, 0x7fffffc,
], 16);

@inline
function plus(a: v128, b: v128): v128 {
  return i64x2.add(a, b);
}
@inline
function sum5(a: v128, b: v128, c: v128, d: v128, e: v128): v128 {
  return plus(plus(plus(plus(a, b), c), d), e);
}
@inline
function times19(a: v128): v128 {
  return plus(plus(i64x2.shl(a, 4), i64x2.shl(a, 1)), a);
}
/** 64-bit products of lanes 0 and 1, or of 2 and 3. */
@inline
function x(a: v128, b: v128, high: bool): v128 {
  return high ? i64x2.extmul_high_i32x4_u(a, b) : i64x2.extmul_low_i32x4_u(a, b);
}
@inline
function by19(a: v128): v128 {
  return i32x4.mul(a, i32x4.splat(19));
}
@inline
function twice(a: v128): v128 {
  return i32x4.add(a, a);
}

const LOW: usize = memory.data(160, 16);

/** Columns of lanes 0 and 1 are stored at LOW; those of lanes 2 and 3 join them to form four lanes at d. */
@inline
function store1(d: usize, at: usize, column: v128, high: bool): void {
  if (high) v128.store(d + at, v128.shuffle<i32>(v128.load(LOW + at), column, 0, 2, 4, 6));
  else v128.store(LOW + at, column);
}
@inline
function store5(d: usize, at: usize, a: v128, b: v128, c: v128, e: v128, f: v128, high: bool): void {
  store1(d, at, a, high);
  store1(d, at + 16, b, high);
  store1(d, at + 32, c, high);
  store1(d, at + 48, e, high);
  store1(d, at + 64, f, high);
}

/** Carries ten columns into limbs, reduced, and stores them: two parallel chains, from columns 0 and 4, that meet at the ends. */
@inline
function storeCarried(
  d: usize, h0: v128, h1: v128, h2: v128, h3: v128, h4: v128, h5: v128, h6: v128, h7: v128, h8: v128, h9: v128, high: bool,
): void {
  let c: v128;
  c = i64x2.shr_u(h0, 26); h0 = v128.and(h0, M26); h1 = plus(h1, c);
  c = i64x2.shr_u(h4, 26); h4 = v128.and(h4, M26); h5 = plus(h5, c);
  c = i64x2.shr_u(h1, 25); h1 = v128.and(h1, M25); h2 = plus(h2, c);
  c = i64x2.shr_u(h5, 25); h5 = v128.and(h5, M25); h6 = plus(h6, c);
  c = i64x2.shr_u(h2, 26); h2 = v128.and(h2, M26); h3 = plus(h3, c);
  c = i64x2.shr_u(h6, 26); h6 = v128.and(h6, M26); h7 = plus(h7, c);
  c = i64x2.shr_u(h3, 25); h3 = v128.and(h3, M25); h4 = plus(h4, c);
  c = i64x2.shr_u(h7, 25); h7 = v128.and(h7, M25); h8 = plus(h8, c);
  c = i64x2.shr_u(h4, 26); h4 = v128.and(h4, M26); h5 = plus(h5, c);
  c = i64x2.shr_u(h8, 26); h8 = v128.and(h8, M26); h9 = plus(h9, c);
  c = i64x2.shr_u(h9, 25); h9 = v128.and(h9, M25); h0 = plus(h0, times19(c));
  c = i64x2.shr_u(h0, 26); h0 = v128.and(h0, M26); h1 = plus(h1, c);
  store5(d, 0, h0, h1, h2, h3, h4, high);
  store5(d, 80, h5, h6, h7, h8, h9, high);
}

/**
 * Ten carried columns of a·b for two lanes. If limbs i and j are both odd, their weights multiply to twice the weight of limb i + j (d is 2f); i +
 * j past 9 wraps around 19 times (n is 19g).
 */
@inline
function productHalf(d: usize, a: usize, b: usize, high: bool): void {
  const f0 = v128.load(a, 0), f1 = v128.load(a, 16), f2 = v128.load(a, 32), f3 = v128.load(a, 48), f4 = v128.load(a, 64);
  const f5 = v128.load(a, 80), f6 = v128.load(a, 96), f7 = v128.load(a, 112), f8 = v128.load(a, 128), f9 = v128.load(a, 144);
  const g0 = v128.load(b, 0), g1 = v128.load(b, 16), g2 = v128.load(b, 32), g3 = v128.load(b, 48), g4 = v128.load(b, 64);
  const g5 = v128.load(b, 80), g6 = v128.load(b, 96), g7 = v128.load(b, 112), g8 = v128.load(b, 128), g9 = v128.load(b, 144);
  const n1 = by19(g1), n2 = by19(g2), n3 = by19(g3), n4 = by19(g4), n5 = by19(g5), n6 = by19(g6), n7 = by19(g7), n8 = by19(g8), n9 = by19(g9);
  const d1 = twice(f1), d3 = twice(f3), d5 = twice(f5), d7 = twice(f7), d9 = twice(f9);
  const h0 = plus(
    sum5(x(f0, g0, high), x(d1, n9, high), x(f2, n8, high), x(d3, n7, high), x(f4, n6, high)),
    sum5(x(d5, n5, high), x(f6, n4, high), x(d7, n3, high), x(f8, n2, high), x(d9, n1, high)),
  );
  const h1 = plus(
    sum5(x(f0, g1, high), x(f1, g0, high), x(f2, n9, high), x(f3, n8, high), x(f4, n7, high)),
    sum5(x(f5, n6, high), x(f6, n5, high), x(f7, n4, high), x(f8, n3, high), x(f9, n2, high)),
  );
  const h2 = plus(
    sum5(x(f0, g2, high), x(d1, g1, high), x(f2, g0, high), x(d3, n9, high), x(f4, n8, high)),
    sum5(x(d5, n7, high), x(f6, n6, high), x(d7, n5, high), x(f8, n4, high), x(d9, n3, high)),
  );
  const h3 = plus(
    sum5(x(f0, g3, high), x(f1, g2, high), x(f2, g1, high), x(f3, g0, high), x(f4, n9, high)),
    sum5(x(f5, n8, high), x(f6, n7, high), x(f7, n6, high), x(f8, n5, high), x(f9, n4, high)),
  );
  const h4 = plus(
    sum5(x(f0, g4, high), x(d1, g3, high), x(f2, g2, high), x(d3, g1, high), x(f4, g0, high)),
    sum5(x(d5, n9, high), x(f6, n8, high), x(d7, n7, high), x(f8, n6, high), x(d9, n5, high)),
  );
  const h5 = plus(
    sum5(x(f0, g5, high), x(f1, g4, high), x(f2, g3, high), x(f3, g2, high), x(f4, g1, high)),
    sum5(x(f5, g0, high), x(f6, n9, high), x(f7, n8, high), x(f8, n7, high), x(f9, n6, high)),
  );
  const h6 = plus(
    sum5(x(f0, g6, high), x(d1, g5, high), x(f2, g4, high), x(d3, g3, high), x(f4, g2, high)),
    sum5(x(d5, g1, high), x(f6, g0, high), x(d7, n9, high), x(f8, n8, high), x(d9, n7, high)),
  );
  const h7 = plus(
    sum5(x(f0, g7, high), x(f1, g6, high), x(f2, g5, high), x(f3, g4, high), x(f4, g3, high)),
    sum5(x(f5, g2, high), x(f6, g1, high), x(f7, g0, high), x(f8, n9, high), x(f9, n8, high)),
  );
  const h8 = plus(
    sum5(x(f0, g8, high), x(d1, g7, high), x(f2, g6, high), x(d3, g5, high), x(f4, g4, high)),
    sum5(x(d5, g3, high), x(f6, g2, high), x(d7, g1, high), x(f8, g0, high), x(d9, n9, high)),
  );
  const h9 = plus(
    sum5(x(f0, g9, high), x(f1, g8, high), x(f2, g7, high), x(f3, g6, high), x(f4, g5, high)),
    sum5(x(f5, g4, high), x(f6, g3, high), x(f7, g2, high), x(f8, g1, high), x(f9, g0, high)),
  );
  storeCarried(d, h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, high);
}

/** The same for a², taking each pair of different limbs once, doubled (q is 4f). */
@inline
function squareHalf(d: usize, a: usize, high: bool): void {
  const f0 = v128.load(a, 0), f1 = v128.load(a, 16), f2 = v128.load(a, 32), f3 = v128.load(a, 48), f4 = v128.load(a, 64);
  const f5 = v128.load(a, 80), f6 = v128.load(a, 96), f7 = v128.load(a, 112), f8 = v128.load(a, 128), f9 = v128.load(a, 144);
  const n5 = by19(f5), n6 = by19(f6), n7 = by19(f7), n8 = by19(f8), n9 = by19(f9);
  const d0 = twice(f0), d1 = twice(f1), d2 = twice(f2), d3 = twice(f3), d4 = twice(f4);
  const d5 = twice(f5), d6 = twice(f6), d7 = twice(f7), d8 = twice(f8), d9 = twice(f9);
  const q1 = twice(d1), q3 = twice(d3), q5 = twice(d5), q7 = twice(d7);
  const h0 = plus(sum5(x(f0, f0, high), x(q1, n9, high), x(d2, n8, high), x(q3, n7, high), x(d4, n6, high)), x(d5, n5, high));
  const h1 = sum5(x(d0, f1, high), x(d2, n9, high), x(d3, n8, high), x(d4, n7, high), x(d5, n6, high));
  const h2 = plus(sum5(x(d0, f2, high), x(d1, f1, high), x(q3, n9, high), x(d4, n8, high), x(q5, n7, high)), x(f6, n6, high));
  const h3 = sum5(x(d0, f3, high), x(d1, f2, high), x(d4, n9, high), x(d5, n8, high), x(d6, n7, high));
  const h4 = plus(sum5(x(d0, f4, high), x(q1, f3, high), x(f2, f2, high), x(q5, n9, high), x(d6, n8, high)), x(d7, n7, high));
  const h5 = sum5(x(d0, f5, high), x(d1, f4, high), x(d2, f3, high), x(d6, n9, high), x(d7, n8, high));
  const h6 = plus(sum5(x(d0, f6, high), x(q1, f5, high), x(d2, f4, high), x(d3, f3, high), x(q7, n9, high)), x(f8, n8, high));
  const h7 = sum5(x(d0, f7, high), x(d1, f6, high), x(d2, f5, high), x(d3, f4, high), x(d8, n9, high));
  const h8 = plus(sum5(x(d0, f8, high), x(q1, f7, high), x(d2, f6, high), x(q3, f5, high), x(f4, f4, high)), x(d9, n9, high));
  const h9 = sum5(x(d0, f9, high), x(d1, f8, high), x(d2, f7, high), x(d3, f6, high), x(d4, f5, high));
  storeCarried(d, h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, high);
}

/** d = a·b, reduced; a and b may be sums. d may be a or b. */
export function mul(d: usize, a: usize, b: usize): void {
  productHalf(d, a, b, false);
  productHalf(d, a, b, true);
}

/** d = a², reduced; a may be a sum. */
export function sqr(d: usize, a: usize): void {
  squareHalf(d, a, false);
  squareHalf(d, a, true);
}

/** Carry of limb 9 into limb 0. */
@inline
function carryRound(ninth: v128): v128 {
  return by19(i32x4.shr_u(ninth, 25));
}
/** Stores an even and an odd limb with the carries into them, and returns the carry of the odd one. */
@inline
function carryPair(d: usize, at: usize, even: v128, odd: v128, c: v128): v128 {
  v128.store(d + at, i32x4.add(v128.and(even, MASK26), c));
  v128.store(d + at, i32x4.add(v128.and(odd, MASK25), i32x4.shr_u(even, 26)), 16);
  return i32x4.shr_u(odd, 25);
}

/** Limb of a - b + 4p. */
@inline
function difference(a: usize, b: usize, at: usize): v128 {
  return i32x4.sub(i32x4.add(v128.load(a + at), v128.load(FOUR_P + at)), v128.load(b + at));
}
/** d = a - b, reduced; a and b at most sums. */
export function sub(d: usize, a: usize, b: usize): void {
  let c = carryRound(difference(a, b, 144));
  c = carryPair(d, 0, difference(a, b, 0), difference(a, b, 16), c);
  c = carryPair(d, 32, difference(a, b, 32), difference(a, b, 48), c);
  c = carryPair(d, 64, difference(a, b, 64), difference(a, b, 80), c);
  c = carryPair(d, 96, difference(a, b, 96), difference(a, b, 112), c);
  carryPair(d, 128, difference(a, b, 128), difference(a, b, 144), c);
}

@inline
function sum(a: usize, b: usize, at: usize): v128 {
  return i32x4.add(v128.load(a + at), v128.load(b + at));
}
/** d = a + b, a sum; a and b reduced. */
export function add(d: usize, a: usize, b: usize): void {
  v128.store(d, sum(a, b, 0), 0); v128.store(d, sum(a, b, 16), 16);
  v128.store(d, sum(a, b, 32), 32); v128.store(d, sum(a, b, 48), 48);
  v128.store(d, sum(a, b, 64), 64); v128.store(d, sum(a, b, 80), 80);
  v128.store(d, sum(a, b, 96), 96); v128.store(d, sum(a, b, 112), 112);
  v128.store(d, sum(a, b, 128), 128); v128.store(d, sum(a, b, 144), 144);
}

/** d = a + b, reduced; a and b reduced. */
export function addReduced(d: usize, a: usize, b: usize): void {
  let c = carryRound(sum(a, b, 144));
  c = carryPair(d, 0, sum(a, b, 0), sum(a, b, 16), c);
  c = carryPair(d, 32, sum(a, b, 32), sum(a, b, 48), c);
  c = carryPair(d, 64, sum(a, b, 64), sum(a, b, 80), c);
  c = carryPair(d, 96, sum(a, b, 96), sum(a, b, 112), c);
  carryPair(d, 128, sum(a, b, 128), sum(a, b, 144), c);
}

/** d = a - b, reduced; a and b reduced. */
export function subReduced(d: usize, a: usize, b: usize): void {
  sub(d, a, b);
}

/** d = -a in the lanes where the mask is all ones, a elsewhere; a reduced, d no larger than a sum. */
export function negateIf(d: usize, a: usize, mask: v128): void {
  for (let at: usize = 0; at < 160; at += 16) {
    const twoP = i32x4.shr_u(v128.load(FOUR_P + at), 1);
    const here = v128.load(a + at);
    v128.store(d + at, v128.bitselect(i32x4.sub(twoP, here), here, mask));
  }
}

/** Bit l of `bits` as lane l: all ones or all zeros. */
@inline
export function laneMask(bits: i32): v128 {
  return i32x4(-(bits & 1), -((bits >> 1) & 1), -((bits >> 2) & 1), -((bits >> 3) & 1));
}

// Scratch of the point formulas: products A, B, C, D, and two sums.
const A: usize = memory.data(160, 16);
const B: usize = memory.data(160, 16);
const C: usize = memory.data(160, 16);
const D: usize = memory.data(160, 16);
const S: usize = memory.data(160, 16);
const U: usize = memory.data(160, 16);

const ZERO: usize = memory.data(160, 16);

/** Limb of B - A - 2C + 4p. */
@inline
function lessTwice(at: usize): v128 {
  const c = v128.load(C + at);
  const less = i32x4.add(v128.load(A + at), i32x4.add(c, c));
  return i32x4.sub(i32x4.add(v128.load(B + at), v128.load(FOUR_P + at)), less);
}

/**
 * E, F, G, H of doubling (X : Y : Z), reduced, to t, t + FE, …; p holds X, Y, Z, reduced.
 * Hisil, Wong, Carter, Dawson 2008, section 3.3, a = -1: A = X², B = Y², C = Z², E = (X + Y)² - A - B, G = B - A, F = G - 2C, H = -(A + B). Each
 * subtracts at most four limbs from 4p plus one.
 */
export function doublingTerms(t: usize, p: usize): void {
  sqr(A, p);
  sqr(B, p + 160);
  sqr(C, p + 320);
  add(S, p, p + 160);
  sqr(D, S);
  sub(t + 320, B, A);
  let c = carryRound(lessTwice(144));
  c = carryPair(t, 160, lessTwice(0), lessTwice(16), c);
  c = carryPair(t, 192, lessTwice(32), lessTwice(48), c);
  c = carryPair(t, 224, lessTwice(64), lessTwice(80), c);
  c = carryPair(t, 256, lessTwice(96), lessTwice(112), c);
  carryPair(t, 288, lessTwice(128), lessTwice(144), c);
  add(S, A, B);
  sub(t, D, S);
  sub(t + 480, ZERO, S);
}

/**
 * E, F, G, H of P ± Q to t, t + FE, …; p holds X, Y, Z, T, reduced; q holds Y - X, Y + X, 2Z, 2dT.
 * The same, section 3.1: A = (Y1 - X1)(Y2 - X2), B = (Y1 + X1)(Y2 + X2), C = 2d·T1·T2, D = 2·Z1·Z2; E = B - A, F = D - C, G = D + C,
 * H = B + A. For P - Q the first two of q are swapped and C negated.
 */
export function additionTerms(t: usize, p: usize, q: usize, minus: bool): void {
  sub(S, p + 160, p);
  add(U, p + 160, p);
  mul(A, S, minus ? q + 160 : q);
  mul(B, U, minus ? q : q + 160);
  mul(D, p + 320, q + 320);
  mul(C, p + 480, q + 480);
  additionCarry(t, minus);
}

/** Like `additionTerms` for an affine Q: q holds Y - X, Y + X, 2dT (Z = 1), so D = 2·Z1 needs no product. */
export function mixedTerms(t: usize, p: usize, q: usize, minus: bool): void {
  sub(S, p + 160, p);
  add(U, p + 160, p);
  mul(A, S, minus ? q + 160 : q);
  mul(B, U, minus ? q : q + 160);
  mul(C, p + 480, q + 320);
  addReduced(D, p + 320, p + 320);
  additionCarry(t, minus);
}

function additionCarry(t: usize, minus: bool): void {
  sub(t, B, A);
  add(t + 480, B, A);
  sub(minus ? t + 320 : t + 160, D, C);
  add(minus ? t + 160 : t + 320, D, C);
}

/** Lane `lane` of d = five limbs of 51 bits, unsigned (each below 2^51). */
export function setLimbs(d: usize, lane: i32, f0: u64, f1: u64, f2: u64, f3: u64, f4: u64): void {
  const p = d + (<usize>lane << 2);
  const low: u64 = 0x3ffffff;
  store<u32>(p, <u32>(f0 & low)); store<u32>(p, <u32>(f0 >> 26), 16);
  store<u32>(p, <u32>(f1 & low), 32); store<u32>(p, <u32>(f1 >> 26), 48);
  store<u32>(p, <u32>(f2 & low), 64); store<u32>(p, <u32>(f2 >> 26), 80);
  store<u32>(p, <u32>(f3 & low), 96); store<u32>(p, <u32>(f3 >> 26), 112);
  store<u32>(p, <u32>(f4 & low), 128); store<u32>(p, <u32>(f4 >> 26), 144);
}

/** Limb `i` of lane `lane` as a 51-bit limb of a: nonnegative, below 2^53. a may be a sum. */
@inline
export function limbOf(a: usize, lane: i32, i: i32): i64 {
  const p = a + (<usize>lane << 2) + (<usize>i << 5);
  return <i64>load<u32>(p) + (<i64>load<u32>(p, 16) << 26);
}
