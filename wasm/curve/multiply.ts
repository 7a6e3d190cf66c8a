/**
 * Scalars times points: Straus's method over tables of odd multiples, each lane with its own scalars and points.
 *
 * A scalar is 32 little-endian bytes, any value below 2^256; it is recoded into 64 signed odd digits of 4 bits (Joye, Tunstall 2009), so that every
 * scalar takes the same steps: no digit is zero and none is skipped. An even scalar k is recoded as k + 1 and the point subtracted once at the end;
 * adding the group order instead would be wrong for points with a small-order part.
 *
 * Constant-time functions read whole tables under masks. Their variable-time twins (…Vartime) look the entry up directly: for public scalars only.
 */
import { FE, LANE, LANES, negateIf } from '../field/index';
import { POINT, T, Y, IDENTITY_CACHED, addCached, addCachedT, double, doubleT, setIdentity, subCachedT, toCached } from './point';

/** Digits of a scalar. */
export const DIGITS: i32 = 64;
/** Bytes of a vector of recoded scalars: DIGITS digits, then the masks of even scalars. */
export const RECODED: usize = 16 * (64 + 1);
/** Odd multiples in a table: P, 3P, … 15P, cached. */
export const ENTRIES: i32 = 8;
export const TABLE: usize = 8 * POINT;

/** Recodes the scalar for lane `lane` of a vector of recoded scalars. Constant time. */
export function recode(recoded: usize, lane: i32, scalar: usize): void {
  const at = recoded + <usize>lane * LANE;
  const last = DIGITS - 1;
  for (let i = 0; i < last; i++) {
    const bit = 4 * i + 1;
    const low = <i32>load<u8>(scalar + (bit >> 3)) | ((<i32>load<u8>(scalar + ((bit + 3) >> 3))) << 8);
    storeDigit(at + ((<usize>i) << 4), 2 * ((low >> (bit & 7)) & 15) - 15);
  }
  storeDigit(at + ((<usize>last) << 4), (<i32>load<u8>(scalar, 31) >> 4) | 1);
  storeDigit(at + ((<usize>DIGITS) << 4), <i32>(load<u8>(scalar) & 1) - 1);
}

@inline
function storeDigit(at: usize, digit: i32): void {
  if (LANE == 8) store<i64>(at, digit);
  else store<i32>(at, digit);
}

/** Recodes one scalar for every lane. */
export function recodeAll(recoded: usize, scalar: usize): void {
  for (let lane = 0; lane < LANES; lane++) recode(recoded, lane, scalar);
}

const TWICE: usize = memory.data(POINT, 16);
const ODD: usize = memory.data(POINT, 16);

/** table = P, 3P, … 15P, cached. */
export function buildTable(table: usize, p: usize): void {
  toCached(table, p);
  doubleT(ODD, p);
  toCached(TWICE, ODD);
  addCachedT(ODD, ODD, table);
  toCached(table + POINT, ODD);
  for (let i = 2; i < ENTRIES; i++) {
    addCachedT(ODD, ODD, TWICE);
    toCached(table + <usize>i * POINT, ODD);
  }
}

// Digit vectors: a lane of 64 bits with FMA, 32 without.
/** All ones in the lanes of negative digits, zeros elsewhere. */
@inline
export function negativeDigits(digit: v128): v128 {
  return LANE == 8 ? i64x2.shr_s(digit, 63) : i32x4.shr_s(digit, 31);
}
/** Entry numbers of the digits ±1, ±3, …: 0, 1, …. */
@inline
export function entryNumbers(digit: v128, negative: v128): v128 {
  const flipped = v128.xor(digit, negative);
  return LANE == 8 ? i64x2.shr_u(i64x2.sub(flipped, negative), 1) : i32x4.shr_u(i32x4.sub(flipped, negative), 1);
}
/** A bit of each entry number as a mask. */
@inline
export function bitOf(numbers: v128, bit: i32): v128 {
  return LANE == 8 ? i64x2.shr_s(i64x2.shl(numbers, 63 - bit), 63) : i32x4.shr_s(i32x4.shl(numbers, 31 - bit), 31);
}
/** a where the mask is all ones, b where it is all zeros; lanes have no other values, so the relaxed instruction is deterministic. */
@inline
export function choose(a: v128, b: v128, mask: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? i64x2.relaxed_laneselect(a, b, mask) : v128.bitselect(a, b, mask);
}

/** The cached point that was looked up last. */
export const SELECTED: usize = memory.data(POINT, 16);

/** 16 bytes of one of two consecutive entries: of the second where the mask is all ones. */
@inline
function ofTwo(entry: usize, mask: v128): v128 {
  return choose(v128.load(entry + POINT), v128.load(entry), mask);
}

/** SELECTED = digit · P from P's table, reading all of it. */
function select(table: usize, digit: v128): void {
  const negative = negativeDigits(digit);
  const numbers = entryNumbers(digit, negative);
  const m0 = bitOf(numbers, 0),
    m1 = bitOf(numbers, 1),
    m2 = bitOf(numbers, 2);
  for (let at: usize = 0; at < POINT; at += 16) {
    const entry = table + at;
    const low = choose(ofTwo(entry + 2 * POINT, m0), ofTwo(entry, m0), m1);
    const high = choose(ofTwo(entry + 6 * POINT, m0), ofTwo(entry + 4 * POINT, m0), m1);
    v128.store(SELECTED + at, choose(high, low, m2));
  }
  negateCachedIf(SELECTED, negative);
}

/** Where the mask is all ones, negates a cached point: the first two coordinates are swapped, the last is negated. */
export function negateCachedIf(q: usize, mask: v128): void {
  for (let at: usize = q; at < q + FE; at += 16) {
    const difference = v128.load(at),
      sum = v128.load(at + Y);
    v128.store(at, choose(sum, difference, mask));
    v128.store(at + Y, choose(difference, sum, mask));
  }
  negateIf(q + T, q + T, mask);
}

/** The entry for lane `lane`'s digit, at that lane. */
@inline
function entryOf(table: usize, digits: usize, lane: i32): usize {
  const at = digits + <usize>lane * LANE;
  const digit = LANE == 8 ? <i32>load<i64>(at) : load<i32>(at);
  return table + <usize>((digit < 0 ? -digit : digit) >> 1) * POINT + <usize>lane * LANE;
}

/** SELECTED = digit · P, looking up each lane's entry. `digits` points at the digit vector. */
export function lookUp(table: usize, digits: usize): void {
  const lane0 = entryOf(table, digits, 0),
    lane1 = entryOf(table, digits, 1);
  if (LANES == 2) gather(lane0, lane1, 0, 0);
  else gather(lane0, lane1, entryOf(table, digits, 2), entryOf(table, digits, 3));
  negateCachedIf(SELECTED, negativeDigits(v128.load(digits)));
}

/** SELECTED = the cached points whose lanes begin at these addresses. */
@inline
export function gather(lane0: usize, lane1: usize, lane2: usize, lane3: usize): void {
  for (let at: usize = 0; at < POINT; at += 16) {
    if (LANES == 2) v128.store(SELECTED + at, v128.load_lane<u64>(lane1 + at, v128.load64_zero(lane0 + at), 1));
    else {
      const low = v128.load_lane<u32>(lane1 + at, v128.load32_zero(lane0 + at), 1);
      v128.store(SELECTED + at, v128.load_lane<u32>(lane3 + at, v128.load_lane<u32>(lane2 + at, low, 2), 3));
    }
  }
}

/**
 * d = sum over k below n of scalar k times point k, one sum per lane: `tables` has n consecutive tables, `recoded` n vectors of recoded scalars.
 * Constant time.
 */
export function multiply(d: usize, tables: usize, recoded: usize, n: i32): void {
  straus(d, tables, recoded, n, false);
}

/** Like `multiply`, in variable time. */
export function multiplyVartime(d: usize, tables: usize, recoded: usize, n: i32): void {
  straus(d, tables, recoded, n, true);
}

/** d = 16·d. */
@inline
export function timesSixteen(d: usize): void {
  double(d, d);
  double(d, d);
  double(d, d);
  doubleT(d, d);
}

@inline
function straus(d: usize, tables: usize, recoded: usize, n: i32, vartime: bool): void {
  setIdentity(d);
  for (let i = DIGITS - 1; i >= 0; i--) {
    if (i < DIGITS - 1) timesSixteen(d);
    const digits = recoded + ((<usize>i) << 4);
    for (let k = 0; k < n; k++) {
      const table = tables + <usize>k * TABLE;
      if (vartime) lookUp(table, digits + <usize>k * RECODED);
      else select(table, v128.load(digits + <usize>k * RECODED));
      // Only an addition needs T: the next one here, or the corrections after the last digit.
      if (i == 0 || k < n - 1) addCachedT(d, d, SELECTED);
      else addCached(d, d, SELECTED);
    }
  }
  for (let k = 0; k < n; k++)
    subtractIf(d, tables + <usize>k * TABLE, v128.load(recoded + <usize>k * RECODED + ((<usize>DIGITS) << 4)));
}

/** d -= the first entry of the table where the mask is all ones. */
export function subtractIf(d: usize, table: usize, mask: v128): void {
  for (let at: usize = 0; at < POINT; at += 16) {
    v128.store(SELECTED + at, v128.bitselect(v128.load(table + at), v128.load(IDENTITY_CACHED + at), mask));
  }
  subCachedT(d, d, SELECTED);
}

const ONE_TABLE: usize = memory.data(TABLE, 16);

/** d = each lane's recoded scalar times each lane's point. Constant time. d may be p. */
export function multiplyPoint(d: usize, p: usize, recoded: usize): void {
  buildTable(ONE_TABLE, p);
  multiply(d, ONE_TABLE, recoded, 1);
}

/** Like `multiplyPoint`, in variable time. */
export function multiplyPointVartime(d: usize, p: usize, recoded: usize): void {
  buildTable(ONE_TABLE, p);
  multiplyVartime(d, ONE_TABLE, recoded, 1);
}
