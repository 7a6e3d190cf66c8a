/**
 * Sums over the generators with public scalars, for the verifier: sliding windows over tables that are built once.
 *
 * The generators' tables are one lane wide. At each bit, the nonzero digits (about one generator in seven has one) are distributed over the lanes
 * in order, whichever generator they belong to: only the sum of all lanes matters. Variable time.
 */
import { toAffine } from '../curve/encoding';
import { AFFINE, D2, ONE, POINT, Y, addAffineT, addCachedT, doubleT, setIdentity, toCached } from '../curve/point';
import { FE, LANE, LANES, addReduced, copy, laneMask, mul, negateIf, setZero, subReduced } from '../field/index';
import { alloc, mark, release } from '../memory';
import { SLIDING, slideWide } from '../wnaf';
import { GENERATORS_G, GENERATORS_H } from './generators';

/** Number of generators of each kind that have tables: those for up to four outputs. */
export const TABLED: i32 = 256;
const WIDTH: i32 = 6;
/** P, 3P, … 31P, affine cached. */
const ENTRIES: i32 = 16;
const ENTRY: usize = 120;
const ROW: usize = 16 * 120;
/** Rows of G_0, H_0, G_1, H_1, …. */
const TABLE: usize = memory.data(512 * 16 * 120, 16);
let tabled: i32 = 0;

const TWICE: usize = memory.data(POINT, 16);
const WIDE: usize = memory.data(AFFINE, 16);
const PRODUCT: usize = memory.data(FE, 16);

/** Writes each lane of the affine point as an entry; lane l's is 2·ROW·l after `entry`. */
function storeEntries(entry: usize, p: usize): void {
  subReduced(WIDE, p + Y, p);
  addReduced(WIDE + FE, p + Y, p);
  mul(PRODUCT, p, p + Y);
  mul(WIDE + 2 * FE, PRODUCT, D2);
  for (let lane: usize = 0; lane < <usize>LANES; lane++) {
    let to = entry + 2 * ROW * lane;
    for (let at = WIDE + lane * LANE; at < WIDE + AFFINE; at += 16) {
      if (LANE == 8) store<u64>(to, load<u64>(at));
      else store<u32>(to, load<u32>(at));
      to += LANE;
    }
  }
}

/** Builds the rows of LANES generators of one kind, in the room for ENTRIES points at `points`. */
function makeRows(rows: usize, p: usize, points: usize): void {
  memory.copy(points, p, POINT);
  doubleT(TWICE, p);
  toCached(TWICE, TWICE);
  for (let j = 1; j < ENTRIES; j++) addCachedT(points + <usize>j * POINT, points + <usize>(j - 1) * POINT, TWICE);
  toAffine(points, ENTRIES);
  for (let j = 0; j < ENTRIES; j++) storeEntries(rows + <usize>j * ENTRY, points + <usize>j * POINT);
}

/** Builds missing tables of the first n generators of each kind (n at most TABLED), which must exist. False: no memory. */
export function prepareTables(n: i32): bool {
  const back = mark();
  const points = alloc(<usize>ENTRIES * POINT);
  if (points == 0) return false;
  for (; tabled < n; tabled += LANES) {
    const rows = TABLE + 2 * ROW * <usize>tabled,
      vector = <usize>(tabled / LANES) * POINT;
    makeRows(rows, GENERATORS_G + vector, points);
    makeRows(rows + ROW, GENERATORS_H + vector, points);
  }
  release(back);
  return true;
}

/** The operand of the next addition: entries of some lanes so far, and which are to be negated. */
const DEALT: usize = memory.data(AFFINE, 16);
let lanesDealt: i32 = 0;
let negative: i32 = 0;

/** Puts digit · generator into the next lane. */
@inline
function deal(entry: usize, minus: bool): void {
  const lane = DEALT + <usize>lanesDealt * LANE;
  // The negative has Y - X and Y + X swapped, and the last negated.
  copyLimbs(minus ? lane + FE : lane, entry);
  copyLimbs(minus ? lane : lane + FE, entry + ENTRY / 3);
  copyLimbs(lane + 2 * FE, entry + 2 * (ENTRY / 3));
  negative |= i32(minus) << lanesDealt;
  lanesDealt++;
}

@inline
function copyLimbs(to: usize, from: usize): void {
  if (LANE == 8) {
    store<u64>(to, load<u64>(from), 0);
    store<u64>(to, load<u64>(from, 8), 16);
    store<u64>(to, load<u64>(from, 16), 32);
    store<u64>(to, load<u64>(from, 24), 48);
    store<u64>(to, load<u64>(from, 32), 64);
  } else {
    for (let i: usize = 0; i < 10; i++) store<u32>(to + (i << 4), load<u32>(from + (i << 2)));
  }
}

/** Adds the collected entries to d; unused lanes add the identity. */
function addDealt(d: usize): void {
  if (negative != 0) negateIf(DEALT + 2 * FE, DEALT + 2 * FE, laneMask(negative));
  addAffineT(d, d, DEALT);
  lanesDealt = 0;
  negative = 0;
  copy(DEALT, ONE);
  copy(DEALT + FE, ONE);
  setZero(DEALT + 2 * FE);
}

/**
 * d = the sum over lanes and i below n of scalarsG[i]·G_i + scalarsH[i]·H_i, a part of it in each lane. n is a multiple of 8, at most what
 * `prepareTables` built. False if the memory cannot grow.
 */
export function sumGenerators(d: usize, scalarsG: usize, scalarsH: usize, n: i32): bool {
  const back = mark();
  const width = <usize>(2 * n);
  // digits[bit][generator]: a bit's digits are contiguous.
  const digits = alloc(width * SLIDING),
    one = alloc(SLIDING);
  if (digits == 0 || one == 0) return false;
  for (let i: usize = 0; i < <usize>n; i++) {
    scatter(digits + 2 * i, width, one, scalarsG + 32 * i);
    scatter(digits + 2 * i + 1, width, one, scalarsH + 32 * i);
  }
  setIdentity(d);
  setZero(DEALT + 2 * FE);
  copy(DEALT, ONE);
  copy(DEALT + FE, ONE);
  for (let bit = 255; bit >= 0; bit--) {
    const row = digits + <usize>bit * width;
    doubleT(d, d);
    addBit(d, row, width);
  }
  release(back);
  return true;
}

/** Adds the digits of one bit. */
function addBit(d: usize, row: usize, width: usize): void {
  for (let at: usize = 0; at < width; at += 16) {
    let found = i8x16.bitmask(i8x16.ne(v128.load(row + at), i8x16.splat(0)));
    while (found != 0) {
      const i = at + <usize>ctz<i32>(found);
      found &= found - 1;
      const digit = <i32>load<i8>(row + i);
      deal(TABLE + ROW * i + ENTRY * <usize>((digit < 0 ? -digit : digit) >> 1), digit < 0);
      if (lanesDealt == LANES) addDealt(d);
    }
  }
  if (lanesDealt > 0) addDealt(d);
}

/** Writes a scalar's digits to a column. */
function scatter(column: usize, width: usize, one: usize, scalar: usize): void {
  slideWide(one, scalar, WIDTH);
  for (let bit: usize = 0; bit < SLIDING; bit++) {
    store<u8>(column, load<u8>(one + bit));
    column += width;
  }
}
