/**
 * Scalars times the base point G, from a table: for each of 64 digits the eight odd multiples G·16^i·(1, 3, … 15), affine cached, one lane wide
 * (120 bytes per entry, 60 kB in all), built at first use. 64 additions, no doubling.
 */
import { FE, LANE, mul, negateIf, setConstant, subReduced, addReduced } from '../field/index';
import { alloc, mark, release } from '../memory';
import { toAffine } from './encoding';
import { DIGITS, ENTRIES, bitOf, choose, entryNumbers, negativeDigits } from './multiply';
import {
  AFFINE,
  D2,
  ONE,
  POINT,
  T,
  Y,
  Z,
  addAffineT,
  addCachedT,
  double,
  doubleT,
  setIdentity,
  subAffineT,
  toCached,
} from './point';

const LIMB_COUNT: i32 = 15 * (LANE == 8 ? 1 : 2);
const ENTRY: usize = 120;
const ROW: usize = 8 * ENTRY;
const BASE_TABLE: usize = memory.data(64 * 8 * 120, 16);
let made: bool = false;

/** d = G in every lane. */
export function setBase(d: usize): void {
  setConstant(d, 0xc9562d608f25d51a, 0x692cc7609525a7b2, 0xc0a4e231fdd6dc5c, 0x216936d3cd6e53fe);
  setConstant(d + Y, 0x6666666666666658, 0x6666666666666666, 0x6666666666666666, 0x6666666666666666);
  setConstant(d + Z, 1, 0, 0, 0);
  mul(d + T, d, d + Y);
}

const POWER: usize = memory.data(POINT, 16);
const TWICE: usize = memory.data(POINT, 16);
const PRODUCT: usize = memory.data(FE, 16);
const WIDE: usize = memory.data(AFFINE, 16);

/** Writes the multiples of one row to `points`, and advances POWER to the next row's. */
function makeRow(points: usize): void {
  memory.copy(points, POWER, POINT);
  doubleT(POWER, POWER);
  toCached(TWICE, POWER);
  for (let j = 1; j < ENTRIES; j++) addCachedT(points + <usize>j * POINT, points + <usize>(j - 1) * POINT, TWICE);
  double(POWER, POWER);
  double(POWER, POWER);
  doubleT(POWER, POWER);
}

/** Lane 0 of the affine point as a table entry. */
function storeEntry(entry: usize, p: usize): void {
  subReduced(WIDE, p + Y, p);
  addReduced(WIDE + FE, p + Y, p);
  mul(PRODUCT, p, p + Y);
  mul(WIDE + 2 * FE, PRODUCT, D2);
  for (let i = 0; i < LIMB_COUNT; i++) {
    if (LANE == 8) store<u64>(entry + ((<usize>i) << 3), load<u64>(WIDE + ((<usize>i) << 4)));
    else store<u32>(entry + ((<usize>i) << 2), load<u32>(WIDE + ((<usize>i) << 4)));
  }
}

/** Builds the table unless it exists. Temporarily needs 330 kB of arena. Returns false if the memory cannot grow. */
export function prepareBase(): bool {
  if (made) return true;
  const back = mark();
  const count = DIGITS * ENTRIES;
  const points = alloc(<usize>count * POINT);
  if (points == 0) return false;
  setBase(POWER);
  for (let i = 0; i < DIGITS; i++) makeRow(points + <usize>(i * ENTRIES) * POINT);
  toAffine(points, count);
  for (let i = 0; i < count; i++) storeEntry(BASE_TABLE + <usize>i * ENTRY, points + <usize>i * POINT);
  release(back);
  made = true;
  return true;
}

const SELECTED: usize = memory.data(AFFINE, 16);

@inline
function loadSplat(at: usize): v128 {
  return LANE == 8 ? v128.load64_splat(at) : v128.load32_splat(at);
}

/** A limb of one of two consecutive entries: of the second where the mask is all ones. */
@inline
function ofTwo(entry: usize, mask: v128): v128 {
  return choose(loadSplat(entry + ENTRY), loadSplat(entry), mask);
}

/** SELECTED = digit · (the row's point), reading the whole row. */
function select(row: usize, digit: v128): void {
  const negative = negativeDigits(digit);
  const numbers = entryNumbers(digit, negative);
  const m0 = bitOf(numbers, 0),
    m1 = bitOf(numbers, 1),
    m2 = bitOf(numbers, 2);
  let entry = row;
  for (let at: usize = SELECTED; at < SELECTED + AFFINE; at += 16) {
    const low = choose(ofTwo(entry + 2 * ENTRY, m0), ofTwo(entry, m0), m1);
    const high = choose(ofTwo(entry + 6 * ENTRY, m0), ofTwo(entry + 4 * ENTRY, m0), m1);
    v128.store(at, choose(high, low, m2));
    entry += LANE;
  }
  for (let at: usize = SELECTED; at < SELECTED + FE; at += 16) {
    const difference = v128.load(at),
      sum = v128.load(at + FE);
    v128.store(at, choose(sum, difference, negative));
    v128.store(at + FE, choose(difference, sum, negative));
  }
  negateIf(SELECTED + 2 * FE, SELECTED + 2 * FE, negative);
}

/** d = each lane's recoded scalar times G. Constant time. `prepareBase` must have run. */
export function multiplyBase(d: usize, recoded: usize): void {
  setIdentity(d);
  for (let i = 0; i < DIGITS; i++) {
    select(BASE_TABLE + <usize>i * ROW, v128.load(recoded + ((<usize>i) << 4)));
    addAffineT(d, d, SELECTED);
  }
  // An even scalar was recoded one too large: subtract G in its lanes, the identity (1, 1, 0) elsewhere.
  const even = v128.load(recoded + ((<usize>DIGITS) << 4));
  for (let i = 0; i < LIMB_COUNT; i++) {
    const at = (<usize>i) << 4;
    const neutral = at < FE ? v128.load(ONE + at) : at < 2 * FE ? v128.load(ONE + at - FE) : i64x2.splat(0);
    v128.store(SELECTED + at, v128.bitselect(loadSplat(BASE_TABLE + <usize>i * LANE), neutral, even));
  }
  subAffineT(d, d, SELECTED);
}
