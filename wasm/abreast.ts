/**
 * Two rings in one vector of four lanes: L and R of one ring, then of the other. G and the key image I are added in every step around a ring and
 * are the same for all members, so each ring has a table of their odd multiples up to 255 and takes digits of eight bits from it, half as many as
 * for the points that change. Variable time: public values only.
 */
import {
  DIGITS,
  RECODED,
  SELECTED,
  TABLE,
  gather,
  lookUp,
  negateCachedIf,
  negativeDigits,
  subtractIf,
  timesSixteen,
} from './curve/multiply';
import { POINT, addCached, addCachedT, copyPointLane, doubleT, setIdentity, toCached } from './curve/point';
import { LANE, LANES } from './field/index';

/** Vectors of a table, each with two entries: number e in the first lanes, number e + 64 in the others. */
const VECTORS: i32 = 64;
/** Bytes of a ring's table. */
export const FIXED_TABLE: usize = 64 * POINT;
/** Digits of eight bits. */
const WIDE_DIGITS: i32 = 32;
/** Bytes of a vector of scalars in such digits; then the masks of even scalars. */
export const WIDE: usize = 16 * (32 + 1);

const ODD: usize = memory.data(POINT, 16);
const TWICE: usize = memory.data(POINT, 16);
const FAR: usize = memory.data(POINT, 16);

/** Fills a ring's table: the odd multiples, cached, of two points given in lane 0. */
export function makeFixedTable(table: usize, left: usize, right: usize): void {
  for (let lane = 0; lane < LANES; lane++) copyPointLane(ODD, lane, lane & 1 ? right : left, 0);
  doubleT(TWICE, ODD);
  // The second half begins with 129 times the points.
  memory.copy(FAR, TWICE, POINT);
  for (let i = 0; i < 6; i++) doubleT(FAR, FAR);
  toCached(table, ODD);
  addCachedT(FAR, FAR, table);
  for (let lane = 2; lane < LANES; lane++) copyPointLane(ODD, lane, FAR, lane);
  toCached(table, ODD);
  toCached(TWICE, TWICE);
  for (let i = 1; i < VECTORS; i++) {
    addCachedT(ODD, ODD, TWICE);
    toCached(table + <usize>i * POINT, ODD);
  }
}

/** Recodes the scalar for a lane into odd digits of eight bits, as `recode` does into four. */
export function recodeWide(recoded: usize, lane: i32, scalar: usize): void {
  const at = recoded + <usize>lane * LANE;
  for (let i: usize = 0; i < <usize>WIDE_DIGITS - 1; i++) {
    const window = (<i32>load<u8>(scalar + i) >> 1) | ((<i32>load<u8>(scalar + i, 1) & 1) << 7);
    store<i32>(at + (i << 4), 2 * window - 255);
  }
  store<i32>(at + ((<usize>(WIDE_DIGITS - 1)) << 4), <i32>load<u8>(scalar, 31) | 1);
  store<i32>(at + ((<usize>WIDE_DIGITS) << 4), <i32>(load<u8>(scalar) & 1) - 1);
}

/** Address of the entry for a lane's digit: the first two lanes belong to one ring, the others to another. */
@inline
function entryOf(table: usize, digits: usize, lane: i32): usize {
  const digit = load<i32>(digits + <usize>lane * LANE);
  const number = (digit < 0 ? -digit : digit) >> 1;
  return table + <usize>(number % VECTORS) * POINT + <usize>(2 * (number / VECTORS) + (lane & 1)) * LANE;
}

function lookUpFixed(first: usize, second: usize, digits: usize): void {
  gather(entryOf(first, digits, 0), entryOf(first, digits, 1), entryOf(second, digits, 2), entryOf(second, digits, 3));
  negateCachedIf(SELECTED, negativeDigits(v128.load(digits)));
}

const ONES: usize = memory.data(POINT, 16);

/**
 * d = each lane's sum: wide scalar times the fixed point of the lane's ring (tables `first` and `second`), plus two scalars (recoded one after the
 * other) times the points of two tables.
 */
export function multiplyAbreast(d: usize, first: usize, second: usize, wide: usize, tables: usize, recoded: usize): void {
  setIdentity(d);
  for (let i = DIGITS - 1; i >= 0; i--) {
    if (i < DIGITS - 1) timesSixteen(d);
    const digits = recoded + ((<usize>i) << 4);
    lookUp(tables, digits);
    addCachedT(d, d, SELECTED);
    lookUp(tables + TABLE, digits + RECODED);
    if (i & 1) {
      addCached(d, d, SELECTED);
      continue;
    }
    addCachedT(d, d, SELECTED);
    lookUpFixed(first, second, wide + ((<usize>i) << 3));
    if (i == 0) addCachedT(d, d, SELECTED);
    else addCached(d, d, SELECTED);
  }
  for (let k: usize = 0; k < 2; k++) subtractIf(d, tables + k * TABLE, v128.load(recoded + k * RECODED + ((<usize>DIGITS) << 4)));
  gather(first, first + LANE, second, second + LANE);
  memory.copy(ONES, SELECTED, POINT);
  subtractIf(d, ONES, v128.load(wide + ((<usize>WIDE_DIGITS) << 4)));
}
