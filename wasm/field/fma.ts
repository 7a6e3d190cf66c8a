/**
 * Integers modulo p = 2^255 - 19, two at a time, on fused multiply-add of doubles (relaxed SIMD).
 *
 * An element vector is 5 limbs of 51 bits, limb i in the f64x2 at byte 16·i, one element a lane. Limbs are integers held exactly
 * in doubles, signed, weight 2^(51·i). Two sizes of limb, and every function says which it takes and gives:
 *
 * - **reduced**: |limb| <= 2^50 + 2^14, what every product and every carry pass gives;
 * - **sum**: |limb| <= 2·(2^50 + 2^14), one addition or subtraction of two reduced elements.
 *
 * A product may take one sum and one reduced operand. Two sums are not allowed: an exact product of limbs must stay below 2^102.
 *
 * The product of two limbs: h = fma(a, b, 1.5·2^103) is rounded at 2^51, so its mantissa holds m = round(ab / 2^51);
 * l = fma(a, b, (1.5·2^103 + 1.5·2^52) - h) is exact and its mantissa holds ab - 2^51·m, |l| <= 2^50. Read as
 * 64-bit integers, both are a constant (the bits of 1.5·2^103 and of 1.5·2^52) plus the signed value, so columns are summed with
 * integer additions and the constants taken away once, modulo 2^64. This needs a madd that is truly fused: the loader tries it.
 *
 * A **raw** product is the five signed 64-bit columns before the carry, |column| < 2^59 (at most 4·2^50 + 5·2^51 = 14·2^50 a
 * column, and one of weight 2^255 comes back 19 times). Sums of up to four raws are carried at once.
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
/** What is left of the bias in a limb: its half limb, and the 2048 carried in from the limb below (19 times that into limb 0). */
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
/** The constants that `low` terms of weight one and `high` of them leave in a column. */
@inline
function offset(los: i64, his: i64): i64 {
  return los * BITS_LO + his * BITS_HI;
}
@inline
function limb(biased: v128, carry: v128, unbias: i64): v128 {
  return f64x2.sub(plus(plus(v128.and(biased, MASK51), i64x2.splat(unbias)), carry), LO);
}

/** One carry pass over five biased columns (each in 0 … 2^63); stores a reduced element. */
@inline
function carry(d: usize, t0: v128, t1: v128, t2: v128, t3: v128, t4: v128): void {
  v128.store(d, limb(t0, times19(i64x2.shr_u(t4, 51)), UNBIAS0), 0);
  v128.store(d, limb(t1, i64x2.shr_u(t0, 51), UNBIAS), 16);
  v128.store(d, limb(t2, i64x2.shr_u(t1, 51), UNBIAS), 32);
  v128.store(d, limb(t3, i64x2.shr_u(t2, 51), UNBIAS), 48);
  v128.store(d, limb(t4, i64x2.shr_u(t3, 51), UNBIAS), 64);
}

/** Columns of a·b, less their constants, plus `bias`; carried into a reduced element or stored raw. */
@inline
function product(d: usize, a: usize, b: usize, raw: bool): void {
  const a0 = v128.load(a, 0), a1 = v128.load(a, 16), a2 = v128.load(a, 32), a3 = v128.load(a, 48), a4 = v128.load(a, 64);
  const b0 = v128.load(b, 0), b1 = v128.load(b, 16), b2 = v128.load(b, 32), b3 = v128.load(b, 48), b4 = v128.load(b, 64);
  let h: v128;
  h = hi(a0, b0); let c0 = lo(a0, b0, h); let c1 = h;
  h = hi(a0, b1); c1 = plus(c1, lo(a0, b1, h)); let c2 = h;
  h = hi(a1, b0); c1 = plus(c1, lo(a1, b0, h)); c2 = plus(c2, h);
  h = hi(a0, b2); c2 = plus(c2, lo(a0, b2, h)); let c3 = h;
  h = hi(a1, b1); c2 = plus(c2, lo(a1, b1, h)); c3 = plus(c3, h);
  h = hi(a2, b0); c2 = plus(c2, lo(a2, b0, h)); c3 = plus(c3, h);
  h = hi(a0, b3); c3 = plus(c3, lo(a0, b3, h)); let c4 = h;
  h = hi(a1, b2); c3 = plus(c3, lo(a1, b2, h)); c4 = plus(c4, h);
  h = hi(a2, b1); c3 = plus(c3, lo(a2, b1, h)); c4 = plus(c4, h);
  h = hi(a3, b0); c3 = plus(c3, lo(a3, b0, h)); c4 = plus(c4, h);
  h = hi(a0, b4); c4 = plus(c4, lo(a0, b4, h)); let c5 = h;
  h = hi(a1, b3); c4 = plus(c4, lo(a1, b3, h)); c5 = plus(c5, h);
  h = hi(a2, b2); c4 = plus(c4, lo(a2, b2, h)); c5 = plus(c5, h);
  h = hi(a3, b1); c4 = plus(c4, lo(a3, b1, h)); c5 = plus(c5, h);
  h = hi(a4, b0); c4 = plus(c4, lo(a4, b0, h)); c5 = plus(c5, h);
  h = hi(a1, b4); c5 = plus(c5, lo(a1, b4, h)); let c6 = h;
  h = hi(a2, b3); c5 = plus(c5, lo(a2, b3, h)); c6 = plus(c6, h);
  h = hi(a3, b2); c5 = plus(c5, lo(a3, b2, h)); c6 = plus(c6, h);
  h = hi(a4, b1); c5 = plus(c5, lo(a4, b1, h)); c6 = plus(c6, h);
  h = hi(a2, b4); c6 = plus(c6, lo(a2, b4, h)); let c7 = h;
  h = hi(a3, b3); c6 = plus(c6, lo(a3, b3, h)); c7 = plus(c7, h);
  h = hi(a4, b2); c6 = plus(c6, lo(a4, b2, h)); c7 = plus(c7, h);
  h = hi(a3, b4); c7 = plus(c7, lo(a3, b4, h)); let c8 = h;
  h = hi(a4, b3); c7 = plus(c7, lo(a4, b3, h)); c8 = plus(c8, h);
  h = hi(a4, b4); c8 = plus(c8, lo(a4, b4, h)); const c9 = h;
  // Column k has as many low terms as there are limb pairs of weight k, and as many high terms as there are of weight k - 1.
  const bias: i64 = raw ? 0 : BIAS;
  const t0 = plus(plus(c0, times19(c5)), i64x2.splat(bias - offset(1 + 19 * 4, 0 + 19 * 5)));
  const t1 = plus(plus(c1, times19(c6)), i64x2.splat(bias - offset(2 + 19 * 3, 1 + 19 * 4)));
  const t2 = plus(plus(c2, times19(c7)), i64x2.splat(bias - offset(3 + 19 * 2, 2 + 19 * 3)));
  const t3 = plus(plus(c3, times19(c8)), i64x2.splat(bias - offset(4 + 19 * 1, 3 + 19 * 2)));
  const t4 = plus(plus(c4, times19(c9)), i64x2.splat(bias - offset(5 + 19 * 0, 4 + 19 * 1)));
  if (raw) storeRaw(d, t0, t1, t2, t3, t4);
  else carry(d, t0, t1, t2, t3, t4);
}

/** As `product` of a with itself, taking each pair of different limbs once, doubled. */
@inline
function square(d: usize, a: usize, raw: bool): void {
  const a0 = v128.load(a, 0), a1 = v128.load(a, 16), a2 = v128.load(a, 32), a3 = v128.load(a, 48), a4 = v128.load(a, 64);
  const e0 = f64x2.add(a0, a0), e1 = f64x2.add(a1, a1), e2 = f64x2.add(a2, a2), e3 = f64x2.add(a3, a3);
  let h: v128;
  h = hi(a0, a0); let c0 = lo(a0, a0, h); let c1 = h;
  h = hi(e0, a1); c1 = plus(c1, lo(e0, a1, h)); let c2 = h;
  h = hi(e0, a2); c2 = plus(c2, lo(e0, a2, h)); let c3 = h;
  h = hi(a1, a1); c2 = plus(c2, lo(a1, a1, h)); c3 = plus(c3, h);
  h = hi(e0, a3); c3 = plus(c3, lo(e0, a3, h)); let c4 = h;
  h = hi(e1, a2); c3 = plus(c3, lo(e1, a2, h)); c4 = plus(c4, h);
  h = hi(e0, a4); c4 = plus(c4, lo(e0, a4, h)); let c5 = h;
  h = hi(e1, a3); c4 = plus(c4, lo(e1, a3, h)); c5 = plus(c5, h);
  h = hi(a2, a2); c4 = plus(c4, lo(a2, a2, h)); c5 = plus(c5, h);
  h = hi(e1, a4); c5 = plus(c5, lo(e1, a4, h)); let c6 = h;
  h = hi(e2, a3); c5 = plus(c5, lo(e2, a3, h)); c6 = plus(c6, h);
  h = hi(e2, a4); c6 = plus(c6, lo(e2, a4, h)); let c7 = h;
  h = hi(a3, a3); c6 = plus(c6, lo(a3, a3, h)); c7 = plus(c7, h);
  h = hi(e3, a4); c7 = plus(c7, lo(e3, a4, h)); let c8 = h;
  h = hi(a4, a4); c8 = plus(c8, lo(a4, a4, h)); const c9 = h;
  const bias: i64 = raw ? 0 : BIAS;
  const t0 = plus(plus(c0, times19(c5)), i64x2.splat(bias - offset(1 + 19 * 2, 0 + 19 * 3)));
  const t1 = plus(plus(c1, times19(c6)), i64x2.splat(bias - offset(1 + 19 * 2, 1 + 19 * 2)));
  const t2 = plus(plus(c2, times19(c7)), i64x2.splat(bias - offset(2 + 19 * 1, 1 + 19 * 2)));
  const t3 = plus(plus(c3, times19(c8)), i64x2.splat(bias - offset(2 + 19 * 1, 2 + 19 * 1)));
  const t4 = plus(plus(c4, times19(c9)), i64x2.splat(bias - offset(3 + 19 * 0, 2 + 19 * 1)));
  if (raw) storeRaw(d, t0, t1, t2, t3, t4);
  else carry(d, t0, t1, t2, t3, t4);
}

@inline
function storeRaw(d: usize, t0: v128, t1: v128, t2: v128, t3: v128, t4: v128): void {
  v128.store(d, t0, 0); v128.store(d, t1, 16); v128.store(d, t2, 32); v128.store(d, t3, 48); v128.store(d, t4, 64);
}

/** d = a·b, reduced; one of a, b may be a sum. d may be a or b. */
export function mul(d: usize, a: usize, b: usize): void { product(d, a, b, false); }
/** d = a², reduced; a reduced. */
export function sqr(d: usize, a: usize): void { square(d, a, false); }
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
 * H = B + A. For P - Q the first two of q change places and C its sign.
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

/** As `additionTerms` for an affine Q: q holds Y - X, Y + X, 2dT (Z = 1), so D = 2·Z1 is no product. */
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
