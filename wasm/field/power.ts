/**
 * Powers, inverses and square roots: addition chains over the field of `index.ts`. All constant time.
 *
 * Exponent chains after Bernstein's curve25519 (2006): x^(2^250 - 1) in 249 squarings and 11 products.
 * Functions named …2 work on two vectors at once (the second FE bytes after the first): two independent chains hide latency.
 */
import { FE, LANES, add, copyIf, laneMask, mul, negateIf, oddLanes, setConstant, sqr, sub, zeroLanes } from './index';

const PAIR: usize = ASC_FEATURE_RELAXED_SIMD ? 160 : 320;
const T0: usize = memory.data(PAIR, 16);
const T1: usize = memory.data(PAIR, 16);
const T2: usize = memory.data(PAIR, 16);
const T3: usize = memory.data(PAIR, 16);

/** sqrt(-1): the even one of the two roots. */
export const SQRT_M1: usize = memory.data(FE, 16);

/** Writes this file's constants; once per instance. */
export function initPower(): void {
  setConstant(SQRT_M1, 0xc4ee1b274a0ea0b0, 0x2f431806ad2fe478, 0x2b4d00993dfbd7a7, 0x2b8324804fc1df0b);
}

/** d = a^(2^n), n >= 1. */
function squareTimes(d: usize, a: usize, n: i32): void {
  sqr(d, a);
  for (let i = 1; i < n; i++) sqr(d, d);
}

/** T0 = a^(2^250 - 1) and T3 = a^11. */
function power250(a: usize): void {
  sqr(T0, a);
  squareTimes(T1, T0, 2);
  mul(T1, a, T1);
  mul(T3, T0, T1);
  sqr(T0, T3);
  mul(T0, T1, T0);
  squareTimes(T1, T0, 5);
  mul(T0, T1, T0);
  squareTimes(T1, T0, 10);
  mul(T1, T1, T0);
  squareTimes(T2, T1, 20);
  mul(T1, T2, T1);
  squareTimes(T1, T1, 10);
  mul(T0, T1, T0);
  squareTimes(T1, T0, 50);
  mul(T1, T1, T0);
  squareTimes(T2, T1, 100);
  mul(T1, T2, T1);
  squareTimes(T1, T1, 50);
  mul(T0, T1, T0);
}

/** d = 1/a (0 for 0): a^(p - 2) = a^(2^255 - 21). */
export function invert(d: usize, a: usize): void {
  power250(a);
  squareTimes(T0, T0, 5);
  mul(d, T0, T3);
}

function mul2(d: usize, a: usize, b: usize): void {
  mul(d, a, b);
  mul(d + FE, a + FE, b + FE);
}

function squareTimes2(d: usize, a: usize, n: i32): void {
  sqr(d, a);
  sqr(d + FE, a + FE);
  for (let i = 1; i < n; i++) {
    sqr(d, d);
    sqr(d + FE, d + FE);
  }
}

/** d = a^((p - 5)/8) = a^(2^252 - 3), of two vectors. */
function powerP58(d: usize, a: usize): void {
  squareTimes2(T0, a, 1);
  squareTimes2(T1, T0, 2);
  mul2(T1, a, T1);
  mul2(T0, T0, T1);
  squareTimes2(T0, T0, 1);
  mul2(T0, T1, T0);
  squareTimes2(T1, T0, 5);
  mul2(T0, T1, T0);
  squareTimes2(T1, T0, 10);
  mul2(T1, T1, T0);
  squareTimes2(T2, T1, 20);
  mul2(T1, T2, T1);
  squareTimes2(T1, T1, 10);
  mul2(T0, T1, T0);
  squareTimes2(T1, T0, 50);
  mul2(T1, T1, T0);
  squareTimes2(T2, T1, 100);
  mul2(T1, T2, T1);
  squareTimes2(T1, T1, 50);
  mul2(T0, T1, T0);
  squareTimes2(T0, T0, 2);
  mul2(d, T0, a);
}

const V3: usize = memory.data(PAIR, 16);
const V7U: usize = memory.data(PAIR, 16);
const VRR: usize = memory.data(FE, 16);
const DIFFERENCE: usize = memory.data(FE, 16);

/**
 * Roots of u/v for two vectors: where u/v is a square (including 0), r = sqrt(u/v); elsewhere r = sqrt(sqrt(-1)·u/v). Which of the two roots is
 * unspecified. u and v reduced, v not zero. Returns a bit for each square: the first vector's lanes, then the second's.
 */
export function sqrtRatio2(r: usize, u: usize, v: usize): i32 {
  for (let at: usize = 0; at < PAIR; at += FE) {
    sqr(V3 + at, v + at);
    mul(V3 + at, V3 + at, v + at);
    sqr(V7U + at, V3 + at);
    mul(V7U + at, V7U + at, v + at);
    mul(V7U + at, V7U + at, u + at);
  }
  powerP58(V7U, V7U);
  const first = finishRoot(r, 0, u, v);
  return first | (finishRoot(r, FE, u, v) << LANES);
}

/** r = u·v^3·(u·v^7)^((p - 5)/8), whose square times v is one of u, -u, sqrt(-1)·u, -sqrt(-1)·u; the 2nd and 4th are corrected. */
function finishRoot(r: usize, at: usize, u: usize, v: usize): i32 {
  const root = r + at;
  mul(V7U + at, V7U + at, V3 + at);
  mul(root, V7U + at, u + at);
  sqr(VRR, root);
  mul(VRR, VRR, v + at);
  sub(DIFFERENCE, VRR, u + at);
  const same = zeroLanes(DIFFERENCE);
  add(DIFFERENCE, VRR, u + at);
  const negated = zeroLanes(DIFFERENCE);
  mul(V3 + at, SQRT_M1, u + at);
  sub(DIFFERENCE, VRR, V3 + at);
  const turnedOnce = zeroLanes(DIFFERENCE);
  mul(V3 + at, root, SQRT_M1);
  copyIf(root, V3 + at, laneMask(~(same | turnedOnce)));
  return same | negated;
}

/** Gives each lane of r (reduced) the root whose lowest bit is the lane's bit of `odd`. Zero stays zero. */
export function setOdd(r: usize, odd: i32): void {
  negateIf(r, r, laneMask(oddLanes(r) ^ odd));
}
