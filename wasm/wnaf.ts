/**
 * Sums of public scalars times points with the same scalars in every lane: sliding windows with signed odd digits, so that most doublings are not
 * followed by an addition. Variable time: public values only.
 */
import { TABLE } from './curve/multiply';
import { POINT, addCached, addCachedT, double, doubleT, setIdentity, subCached, subCachedT } from './curve/point';

/** Bytes of a scalar's digits: one signed byte per bit, and room for a last carry. */
export const SLIDING: usize = 272;

/** `size` bits (at most 8) of the 32-byte integer from bit `at`. */
@inline
function bitsAt(scalar: usize, at: i32, size: i32): i32 {
  const byte = <usize>(at >> 3);
  const low = byte < 32 ? <i32>load<u8>(scalar + byte) : 0;
  const high = byte < 31 ? <i32>load<u8>(scalar + byte, 1) : 0;
  return ((low | (high << 8)) >> (at & 7)) & ((1 << size) - 1);
}

/**
 * Writes the digits 0, ±1, ±3, … (below 2^(width - 1) in size) of a scalar below 2^255: at most one of any `width` (2 … 8) consecutive digits is
 * nonzero.
 */
export function slideWide(digits: usize, scalar: usize, width: i32): void {
  memory.fill(digits, 0, SLIDING);
  let carry = 0;
  for (let at = 0; at < 257; ) {
    const window = bitsAt(scalar, at, width) + carry;
    if ((window & 1) == 0) {
      at++;
      continue;
    }
    carry = window >> (width - 1);
    store<i8>(digits + <usize>at, <i8>(window - (carry << width)));
    at += width;
  }
}

/** The digits for tables of eight odd multiples. */
export function slide(digits: usize, scalar: usize): void {
  slideWide(digits, scalar, 5);
}

/** d = the sum over k below n of scalar k (digits at `digits` + SLIDING·k) times point k (table at `tables` + TABLE·k). */
export function multiplySliding(d: usize, tables: usize, digits: usize, n: i32): void {
  setIdentity(d);
  let top = <i32>SLIDING - 1;
  while (top > 0 && lastDigit(digits, n, top) < 0) top--;
  for (let i = top; i >= 0; i--) {
    const last = lastDigit(digits, n, i);
    // T is needed only by an addition, and in the result.
    if (last < 0 && i > 0) double(d, d);
    else doubleT(d, d);
    for (let k = 0; k <= last; k++) {
      const digit = <i32>load<i8>(digits + <usize>k * SLIDING + <usize>i);
      if (digit != 0) addDigit(d, tables + <usize>k * TABLE, digit, k < last || i == 0);
    }
  }
}

/** d += digit · P from P's table. */
@inline
function addDigit(d: usize, table: usize, digit: i32, withT: bool): void {
  const entry = table + <usize>((digit < 0 ? -digit : digit) >> 1) * POINT;
  if (digit > 0) {
    if (withT) addCachedT(d, d, entry);
    else addCached(d, d, entry);
  } else if (withT) subCachedT(d, d, entry);
  else subCached(d, d, entry);
}

/** The last of n scalars that has a digit at bit i; -1 when none has. */
@inline
function lastDigit(digits: usize, n: i32, i: i32): i32 {
  for (let k = n - 1; k >= 0; k--) if (load<u8>(digits + <usize>k * SLIDING + <usize>i) != 0) return k;
  return -1;
}
