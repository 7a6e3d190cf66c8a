// biome-ignore-all format: a row of partial products is a line
/**
 * Integers modulo p = 2^255 - 19, two at a time, on fused multiply-add of doubles (relaxed SIMD).
 *
 * An element vector is 5 limbs of 51 bits, limb i in the f64x2 at byte 16·i, one element a lane. Limbs are integers held exactly
 * in doubles, signed, weight 2^(51·i). There are two sizes of limb; every function states which it takes and returns:
 *
 * - **reduced**: |limb| <= 2^50 + 2^14, the result of every product and every carry pass;
 * - **sum**: |limb| <= 2·(2^50 + 2^14), one addition or subtraction of two reduced elements.
 *
 * A product may take one sum and one reduced operand. Two sums are not allowed: an exact product of limbs must stay below 2^102.
 *
 * The product of two limbs: h = fma(a, b, 1.5·2^103) is rounded at 2^51, so its mantissa holds m = round(ab / 2^51);
 * l = fma(a, b, (1.5·2^103 + 1.5·2^52) - h) is exact and its mantissa holds ab - 2^51·m, |l| <= 2^50. Read as
 * 64-bit integers, both are a constant (the bits of 1.5·2^103 and of 1.5·2^52) plus the signed value, so columns are summed with integer additions
 * and the constants subtracted once, modulo 2^64. This needs a truly fused madd: the loader tests it.
 *
 * A **raw** product is the five signed 64-bit columns before the carry, |column| < 2^59 (at most 4·2^50 + 5·2^51 = 14·2^50 per column, and columns
 * of weight 2^255 wrap around 19 times). Sums of up to four raw products are carried at once.
 */

export const FE: usize = 80;
export const LANES: i32 = 2;
export const LANE: usize = 8;
export const LIMBS: i32 = 5;

const BITS_HI: i64 = 0x4668000000000000; // the bits of 1.5·2^103
const BITS_LO: i64 = 0x4338000000000000; // the bits of 1.5·2^52
const HI: v128 = i64x2.splat(0x4668000000000000);
const LO: v128 = i64x2.splat(0x4338000000000000);
const HI_PLUS_LO: v128 = f64x2.splat(15211807202738752817960438464512.0 + 6755399441055744.0);
const MASK51: v128 = i64x2.splat(0x7ffffffffffff);
const SIGN: v128 = i64x2.splat(0x8000000000000000);

/** Added before a carry so that columns are positive and limbs come out centred: 2^62 + 2^50, which is 2048·2^51 + 2^50. */
const BIAS: i64 = 0x4004000000000000;
/** Rest of the bias in a limb: its half limb, and the 2048 carried in from the limb below (19 times that into limb 0). */
const UNBIAS: i64 = BITS_LO - (1 << 50) - 2048;
const UNBIAS0: i64 = BITS_LO - (1 << 50) - 19 * 2048;

@inline
function hi(a: v128, b: v128): v128 {
  return f64x2.relaxed_madd(a, b, HI);
}
@inline
function lo(a: v128, b: v128, h: v128): v128 {
  return f64x2.relaxed_madd(a, b, f64x2.sub(HI_PLUS_LO, h));
}
@inline
function plus(a: v128, b: v128): v128 {
  return i64x2.add(a, b);
}
@inline
function times19(a: v128): v128 {
  return plus(plus(i64x2.shl(a, 4), i64x2.shl(a, 1)), a);
}
@inline
function limb(biased: v128, carry: v128, unbias: i64): v128 {
  return f64x2.sub(plus(plus(v128.and(biased, MASK51), i64x2.splat(unbias)), carry), LO);
}

/** The columns of the current product, 0 … 7: see `product`. */
const COLUMNS: usize = memory.data(128, 16);
/**
 * Offsets added to the five columns of a raw product, then of one to be carried: minus the constants of their terms (see `hi` and `lo`), plus the
 * bias. Column k has one low term per limb pair of weight k, and one high term per limb pair of weight k - 1; those of column k + 5 count 19 times.
 * In memory: a constant in the code costs three instructions.
 */
const PRODUCT_OFFSETS: usize = memory.data<u64>([
  0 - (1 + 19 * 4) * BITS_LO - (0 + 19 * 5) * BITS_HI,
  0 - (2 + 19 * 3) * BITS_LO - (1 + 19 * 4) * BITS_HI,
  0 - (3 + 19 * 2) * BITS_LO - (2 + 19 * 3) * BITS_HI,
  0 - (4 + 19 * 1) * BITS_LO - (3 + 19 * 2) * BITS_HI,
  0 - (5 + 19 * 0) * BITS_LO - (4 + 19 * 1) * BITS_HI,
  BIAS - (1 + 19 * 4) * BITS_LO - (0 + 19 * 5) * BITS_HI,
  BIAS - (2 + 19 * 3) * BITS_LO - (1 + 19 * 4) * BITS_HI,
  BIAS - (3 + 19 * 2) * BITS_LO - (2 + 19 * 3) * BITS_HI,
  BIAS - (4 + 19 * 1) * BITS_LO - (3 + 19 * 2) * BITS_HI,
  BIAS - (5 + 19 * 0) * BITS_LO - (4 + 19 * 1) * BITS_HI,
], 16);
/** The same for a square, whose pairs of different limbs count once. */
const SQUARE_OFFSETS: usize = memory.data<u64>([
  0 - (1 + 19 * 2) * BITS_LO - (0 + 19 * 3) * BITS_HI,
  0 - (1 + 19 * 2) * BITS_LO - (1 + 19 * 2) * BITS_HI,
  0 - (2 + 19 * 1) * BITS_LO - (1 + 19 * 2) * BITS_HI,
  0 - (2 + 19 * 1) * BITS_LO - (2 + 19 * 1) * BITS_HI,
  0 - (3 + 19 * 0) * BITS_LO - (2 + 19 * 1) * BITS_HI,
  BIAS - (1 + 19 * 2) * BITS_LO - (0 + 19 * 3) * BITS_HI,
  BIAS - (1 + 19 * 2) * BITS_LO - (1 + 19 * 2) * BITS_HI,
  BIAS - (2 + 19 * 1) * BITS_LO - (1 + 19 * 2) * BITS_HI,
  BIAS - (2 + 19 * 1) * BITS_LO - (2 + 19 * 1) * BITS_HI,
  BIAS - (3 + 19 * 0) * BITS_LO - (2 + 19 * 1) * BITS_HI,
], 16);

/** One carry pass over five biased columns (each in 0 … 2^63); stores a reduced element. */
@inline
function carry(d: usize, t0: v128, t1: v128, t2: v128, t3: v128, t4: v128): void {
  v128.store(d, limb(t0, times19(i64x2.shr_u(t4, 51)), UNBIAS0), 0);
  v128.store(d, limb(t1, i64x2.shr_u(t0, 51), UNBIAS), 16);
  v128.store(d, limb(t2, i64x2.shr_u(t1, 51), UNBIAS), 32);
  v128.store(d, limb(t3, i64x2.shr_u(t2, 51), UNBIAS), 48);
  v128.store(d, limb(t4, i64x2.shr_u(t3, 51), UNBIAS), 64);
}

/** Columns of a·b, minus their constants, plus the bias unless `raw`; carried into a reduced element or stored raw. */
@inline
function product(d: usize, a: usize, b: usize, raw: bool): void {
  const a0 = v128.load(a, 0), a1 = v128.load(a, 16), a2 = v128.load(a, 32), a3 = v128.load(a, 48), a4 = v128.load(a, 64);
  let y: v128, h: v128;
  // One column after the other, each stored as soon as it is complete. A load stays behind a store, so that an engine that reorders instructions
  // (TurboFan, in Node 20) cannot move all high terms to the front and run out of registers.
  // Column 0.
  y = v128.load(b, 0); h = hi(a0, y); let c = lo(a0, y, h); let next = h;
  v128.store(COLUMNS, c, 0);
  // Column 1.
  y = v128.load(b, 16); h = hi(a0, y); c = plus(next, lo(a0, y, h)); next = h;
  y = v128.load(b, 0); h = hi(a1, y); c = plus(c, lo(a1, y, h)); next = plus(next, h);
  v128.store(COLUMNS, c, 16);
  // Column 2.
  y = v128.load(b, 32); h = hi(a0, y); c = plus(next, lo(a0, y, h)); next = h;
  y = v128.load(b, 16); h = hi(a1, y); c = plus(c, lo(a1, y, h)); next = plus(next, h);
  y = v128.load(b, 0); h = hi(a2, y); c = plus(c, lo(a2, y, h)); next = plus(next, h);
  v128.store(COLUMNS, c, 32);
  // Column 3.
  y = v128.load(b, 48); h = hi(a0, y); c = plus(next, lo(a0, y, h)); next = h;
  y = v128.load(b, 32); h = hi(a1, y); c = plus(c, lo(a1, y, h)); next = plus(next, h);
  y = v128.load(b, 16); h = hi(a2, y); c = plus(c, lo(a2, y, h)); next = plus(next, h);
  y = v128.load(b, 0); h = hi(a3, y); c = plus(c, lo(a3, y, h)); next = plus(next, h);
  v128.store(COLUMNS, c, 48);
  // Column 4.
  y = v128.load(b, 64); h = hi(a0, y); c = plus(next, lo(a0, y, h)); next = h;
  y = v128.load(b, 48); h = hi(a1, y); c = plus(c, lo(a1, y, h)); next = plus(next, h);
  y = v128.load(b, 32); h = hi(a2, y); c = plus(c, lo(a2, y, h)); next = plus(next, h);
  y = v128.load(b, 16); h = hi(a3, y); c = plus(c, lo(a3, y, h)); next = plus(next, h);
  y = v128.load(b, 0); h = hi(a4, y); c = plus(c, lo(a4, y, h)); next = plus(next, h);
  v128.store(COLUMNS, c, 64);
  // Column 5.
  y = v128.load(b, 64); h = hi(a1, y); c = plus(next, lo(a1, y, h)); next = h;
  y = v128.load(b, 48); h = hi(a2, y); c = plus(c, lo(a2, y, h)); next = plus(next, h);
  y = v128.load(b, 32); h = hi(a3, y); c = plus(c, lo(a3, y, h)); next = plus(next, h);
  y = v128.load(b, 16); h = hi(a4, y); c = plus(c, lo(a4, y, h)); next = plus(next, h);
  if (raw) joinRaw(d, 0, c, PRODUCT_OFFSETS);
  else v128.store(COLUMNS, c, 80);
  // Column 6.
  y = v128.load(b, 64); h = hi(a2, y); c = plus(next, lo(a2, y, h)); next = h;
  y = v128.load(b, 48); h = hi(a3, y); c = plus(c, lo(a3, y, h)); next = plus(next, h);
  y = v128.load(b, 32); h = hi(a4, y); c = plus(c, lo(a4, y, h)); next = plus(next, h);
  if (raw) joinRaw(d, 1, c, PRODUCT_OFFSETS);
  else v128.store(COLUMNS, c, 96);
  // Column 7.
  y = v128.load(b, 64); h = hi(a3, y); c = plus(next, lo(a3, y, h)); next = h;
  y = v128.load(b, 48); h = hi(a4, y); c = plus(c, lo(a4, y, h)); next = plus(next, h);
  if (raw) joinRaw(d, 2, c, PRODUCT_OFFSETS);
  else v128.store(COLUMNS, c, 112);
  // Column 8.
  y = v128.load(b, 64); h = hi(a4, y); c = plus(next, lo(a4, y, h)); next = h;
  if (raw) {
    joinRaw(d, 3, c, PRODUCT_OFFSETS);
    joinRaw(d, 4, next, PRODUCT_OFFSETS);
  } else joinAndCarry(d, v128.load(COLUMNS, 80), v128.load(COLUMNS, 96), v128.load(COLUMNS, 112), c, next, PRODUCT_OFFSETS + 40);
}

/** The stored column `k`, with column k + 5 and the offset. */
@inline
function joined(k: usize, above: v128, offsets: usize): v128 {
  return plus(plus(v128.load(COLUMNS + 16 * k), times19(above)), v128.load64_splat(offsets + 8 * k));
}

@inline
function joinRaw(d: usize, k: usize, above: v128, offsets: usize): void {
  v128.store(d + 16 * k, joined(k, above, offsets));
}

@inline
function joinAndCarry(d: usize, c5: v128, c6: v128, c7: v128, c8: v128, c9: v128, offsets: usize): void {
  carry(
    d, joined(0, c5, offsets), joined(1, c6, offsets), joined(2, c7, offsets), joined(3, c8, offsets), joined(4, c9, offsets),
  );
}

/** Like `product` of a with itself, taking each pair of different limbs once, doubled: row by row, each completing two columns. */
@inline
function square(d: usize, a: usize, raw: bool): void {
  let x: v128, twice: v128, y: v128, h: v128;
  x = v128.load(a, 0); twice = f64x2.add(x, x);
  h = hi(x, x); const c0 = lo(x, x, h); let c1 = h;
  y = v128.load(a, 16); h = hi(twice, y); c1 = plus(c1, lo(twice, y, h)); let c2 = h;
  y = v128.load(a, 32); h = hi(twice, y); c2 = plus(c2, lo(twice, y, h)); let c3 = h;
  y = v128.load(a, 48); h = hi(twice, y); c3 = plus(c3, lo(twice, y, h)); let c4 = h;
  y = v128.load(a, 64); h = hi(twice, y); c4 = plus(c4, lo(twice, y, h)); let c5 = h;
  v128.store(COLUMNS, c0, 0); v128.store(COLUMNS, c1, 16);
  x = v128.load(a, 16); twice = f64x2.add(x, x);
  h = hi(x, x); c2 = plus(c2, lo(x, x, h)); c3 = plus(c3, h);
  y = v128.load(a, 32); h = hi(twice, y); c3 = plus(c3, lo(twice, y, h)); c4 = plus(c4, h);
  y = v128.load(a, 48); h = hi(twice, y); c4 = plus(c4, lo(twice, y, h)); c5 = plus(c5, h);
  y = v128.load(a, 64); h = hi(twice, y); c5 = plus(c5, lo(twice, y, h)); let c6 = h;
  v128.store(COLUMNS, c2, 32); v128.store(COLUMNS, c3, 48);
  x = v128.load(a, 32); twice = f64x2.add(x, x);
  h = hi(x, x); c4 = plus(c4, lo(x, x, h)); c5 = plus(c5, h);
  y = v128.load(a, 48); h = hi(twice, y); c5 = plus(c5, lo(twice, y, h)); c6 = plus(c6, h);
  y = v128.load(a, 64); h = hi(twice, y); c6 = plus(c6, lo(twice, y, h)); let c7 = h;
  v128.store(COLUMNS, c4, 64);
  if (raw) joinRaw(d, 0, c5, SQUARE_OFFSETS);
  x = v128.load(a, 48); twice = f64x2.add(x, x);
  h = hi(x, x); c6 = plus(c6, lo(x, x, h)); c7 = plus(c7, h);
  y = v128.load(a, 64); h = hi(twice, y); c7 = plus(c7, lo(twice, y, h)); let c8 = h;
  if (raw) {
    joinRaw(d, 1, c6, SQUARE_OFFSETS);
    joinRaw(d, 2, c7, SQUARE_OFFSETS);
  }
  x = v128.load(a, 64);
  h = hi(x, x); c8 = plus(c8, lo(x, x, h)); const c9 = h;
  if (raw) {
    joinRaw(d, 3, c8, SQUARE_OFFSETS);
    joinRaw(d, 4, c9, SQUARE_OFFSETS);
  } else joinAndCarry(d, c5, c6, c7, c8, c9, SQUARE_OFFSETS + 40);
}

/** d = a·b, reduced; one of a, b may be a sum. d may be a or b. */
export function mul(d: usize, a: usize, b: usize): void { product(d, a, b, false); }
/** d = a², reduced; a reduced. */
export function sqr(d: usize, a: usize): void { square(d, a, false); }
// d is neither operand: its columns are written while the operands are still read.
function mulRaw(d: usize, a: usize, b: usize): void { product(d, a, b, true); }
function sqrRaw(d: usize, a: usize): void { square(d, a, true); }

/** d = a + b, a sum; a and b reduced. */
export function add(d: usize, a: usize, b: usize): void {
  v128.store(d, f64x2.add(v128.load(a, 0), v128.load(b, 0)), 0);
  v128.store(d, f64x2.add(v128.load(a, 16), v128.load(b, 16)), 16);
  v128.store(d, f64x2.add(v128.load(a, 32), v128.load(b, 32)), 32);
  v128.store(d, f64x2.add(v128.load(a, 48), v128.load(b, 48)), 48);
  v128.store(d, f64x2.add(v128.load(a, 64), v128.load(b, 64)), 64);
}

/** d = a - b, a sum; a and b reduced. */
export function sub(d: usize, a: usize, b: usize): void {
  v128.store(d, f64x2.sub(v128.load(a, 0), v128.load(b, 0)), 0);
  v128.store(d, f64x2.sub(v128.load(a, 16), v128.load(b, 16)), 16);
  v128.store(d, f64x2.sub(v128.load(a, 32), v128.load(b, 32)), 32);
  v128.store(d, f64x2.sub(v128.load(a, 48), v128.load(b, 48)), 48);
  v128.store(d, f64x2.sub(v128.load(a, 64), v128.load(b, 64)), 64);
}

/** A reduced limb as a signed integer. */
@inline
function integer(a: usize, at: usize): v128 {
  return i64x2.sub(f64x2.add(v128.load(a + at), LO), LO);
}
@inline
function biasedSum(a: usize, b: usize, at: usize): v128 {
  return plus(plus(integer(a, at), i64x2.splat(BIAS)), integer(b, at));
}
@inline
function biasedDifference(a: usize, b: usize, at: usize): v128 {
  return i64x2.sub(plus(integer(a, at), i64x2.splat(BIAS)), integer(b, at));
}

/** d = a + b, reduced; a and b reduced. */
export function addReduced(d: usize, a: usize, b: usize): void {
  carry(d, biasedSum(a, b, 0), biasedSum(a, b, 16), biasedSum(a, b, 32), biasedSum(a, b, 48), biasedSum(a, b, 64));
}

/** d = a - b, reduced; a and b reduced. */
export function subReduced(d: usize, a: usize, b: usize): void {
  carry(
    d,
    biasedDifference(a, b, 0), biasedDifference(a, b, 16), biasedDifference(a, b, 32),
    biasedDifference(a, b, 48), biasedDifference(a, b, 64),
  );
}

/** d = -a in the lanes where the mask is all ones, a elsewhere. As large as a. */
export function negateIf(d: usize, a: usize, mask: v128): void {
  const flip = v128.and(mask, SIGN);
  v128.store(d, v128.xor(v128.load(a, 0), flip), 0);
  v128.store(d, v128.xor(v128.load(a, 16), flip), 16);
  v128.store(d, v128.xor(v128.load(a, 32), flip), 32);
  v128.store(d, v128.xor(v128.load(a, 48), flip), 48);
  v128.store(d, v128.xor(v128.load(a, 64), flip), 64);
}

/** Bit l of `bits` as lane l: all ones or all zeros. */
@inline
export function laneMask(bits: i32): v128 {
  return i64x2(-(<i64>(bits & 1)), -(<i64>((bits >> 1) & 1)));
}

// Scratch of the point formulas: raw products A, B, C, D, and two sums.
const A: usize = memory.data(80, 16);
const B: usize = memory.data(80, 16);
const C: usize = memory.data(80, 16);
const D: usize = memory.data(80, 16);
const S: usize = memory.data(80, 16);
const U: usize = memory.data(80, 16);

@inline
function carrySum(d: usize, a: usize, b: usize): void {
  const k = i64x2.splat(BIAS);
  carry(
    d,
    plus(plus(v128.load(a, 0), k), v128.load(b, 0)), plus(plus(v128.load(a, 16), k), v128.load(b, 16)),
    plus(plus(v128.load(a, 32), k), v128.load(b, 32)), plus(plus(v128.load(a, 48), k), v128.load(b, 48)),
    plus(plus(v128.load(a, 64), k), v128.load(b, 64)),
  );
}

@inline
function carryDifference(d: usize, a: usize, b: usize): void {
  const k = i64x2.splat(BIAS);
  carry(
    d,
    i64x2.sub(plus(v128.load(a, 0), k), v128.load(b, 0)), i64x2.sub(plus(v128.load(a, 16), k), v128.load(b, 16)),
    i64x2.sub(plus(v128.load(a, 32), k), v128.load(b, 32)), i64x2.sub(plus(v128.load(a, 48), k), v128.load(b, 48)),
    i64x2.sub(plus(v128.load(a, 64), k), v128.load(b, 64)),
  );
}

/** Column `at` of -(A + B), biased. */
@inline
function negatedSum(at: usize): v128 {
  return i64x2.sub(i64x2.sub(i64x2.splat(BIAS), v128.load(A + at)), v128.load(B + at));
}
/** Column `at` of B - A - 2C, biased. */
@inline
function lessTwice(at: usize): v128 {
  const c = v128.load(C + at);
  return i64x2.sub(i64x2.sub(i64x2.sub(plus(v128.load(B + at), i64x2.splat(BIAS)), v128.load(A + at)), c), c);
}

/** G = B - A and H = -(A + B). */
function doublingGH(t: usize): void {
  carryDifference(t + 160, B, A);
  carry(t + 240, negatedSum(0), negatedSum(16), negatedSum(32), negatedSum(48), negatedSum(64));
}
/** E = 2D and F = B - A - 2C. */
function doublingEF(t: usize): void {
  carrySum(t, D, D);
  carry(t + 80, lessTwice(0), lessTwice(16), lessTwice(32), lessTwice(48), lessTwice(64));
}

/**
 * E, F, G, H of doubling (X : Y : Z), reduced, to t, t + FE, …; p holds X, Y, Z, reduced.
 * Hisil, Wong, Carter, Dawson 2008, section 3.3, a = -1: A = X², B = Y², C = Z², E = 2XY (a product: a square of X + Y would be
 * sum times sum), G = B - A, F = G - 2C, H = -(A + B).
 */
export function doublingTerms(t: usize, p: usize): void {
  sqrRaw(A, p);
  sqrRaw(B, p + 80);
  sqrRaw(C, p + 160);
  mulRaw(D, p, p + 80);
  doublingGH(t);
  doublingEF(t);
}

/**
 * E, F, G, H of P ± Q to t, t + FE, …; p holds X, Y, Z, T, reduced; q holds Y - X, Y + X, 2Z, 2dT, reduced.
 * The same, section 3.1: A = (Y1 - X1)(Y2 - X2), B = (Y1 + X1)(Y2 + X2), C = 2d·T1·T2, D = 2·Z1·Z2; E = B - A, F = D - C, G = D + C,
 * H = B + A. For P - Q the first two of q are swapped and C negated.
 */
export function additionTerms(t: usize, p: usize, q: usize, minus: bool): void {
  sub(S, p + 80, p);
  add(U, p + 80, p);
  mulRaw(A, S, minus ? q + 80 : q);
  mulRaw(B, U, minus ? q : q + 80);
  mulRaw(D, p + 160, q + 160);
  mulRaw(C, p + 240, q + 240);
  additionCarry(t, minus);
}

/** Like `additionTerms` for an affine Q: q holds Y - X, Y + X, 2dT (Z = 1), so D = 2·Z1 needs no product. */
export function mixedTerms(t: usize, p: usize, q: usize, minus: bool): void {
  sub(S, p + 80, p);
  add(U, p + 80, p);
  mulRaw(A, S, minus ? q + 80 : q);
  mulRaw(B, U, minus ? q : q + 80);
  mulRaw(C, p + 240, q + 160);
  for (let at: usize = 0; at < 80; at += 16) {
    const z = integer(p + 160, at);
    v128.store(D + at, plus(z, z));
  }
  additionCarry(t, minus);
}

function additionCarry(t: usize, minus: bool): void {
  carryDifference(t, B, A);
  carrySum(t + 240, B, A);
  carryDifference(minus ? t + 160 : t + 80, D, C);
  carrySum(minus ? t + 80 : t + 160, D, C);
}

/** Lane `lane` of d = five limbs of 51 bits, unsigned (each below 2^51). */
export function setLimbs(d: usize, lane: i32, f0: u64, f1: u64, f2: u64, f3: u64, f4: u64): void {
  const half: i64 = 1 << 50;
  let x0 = <i64>f0, x1 = <i64>f1, x2 = <i64>f2, x3 = <i64>f3, x4 = <i64>f4;
  let c = (x0 + half) >> 51; x0 -= c << 51; x1 += c;
  c = (x1 + half) >> 51; x1 -= c << 51; x2 += c;
  c = (x2 + half) >> 51; x2 -= c << 51; x3 += c;
  c = (x3 + half) >> 51; x3 -= c << 51; x4 += c;
  c = (x4 + half) >> 51; x4 -= c << 51; x0 += 19 * c;
  const p = d + (<usize>lane << 3);
  store<f64>(p, <f64>x0); store<f64>(p, <f64>x1, 16); store<f64>(p, <f64>x2, 32); store<f64>(p, <f64>x3, 48); store<f64>(p, <f64>x4, 64);
}

/** Limb `i` of lane `lane` as a 51-bit limb of a + 2p: nonnegative, below 2^53. a may be a sum. */
@inline
export function limbOf(a: usize, lane: i32, i: i32): i64 {
  const twoP: i64 = i == 0 ? 2 * 0x7ffffffffffed : 2 * 0x7ffffffffffff;
  return <i64>load<f64>(a + (<usize>lane << 3) + (<usize>i << 4)) + twoP;
}
