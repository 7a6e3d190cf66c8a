/**
 * Curve functions for a host: arrays of 32-byte encodings in, arrays of 32-byte encodings out, all in linear memory.
 *
 * Every function takes counts of at least 0 and arrays of that length, processes a few vectors at a time in fixed scratch, and writes a byte of 1
 * or 0 per point if it has `ok`: 0 if an input was not a point; the result there is the encoding of the identity's image (never to be used).
 * Scalars are 32 little-endian bytes of any value.
 */
import { LANES } from '../field/index';
import { alloc, mark, release, wipe } from '../memory';
import { multiplyBase, prepareBase } from './base';
import { ENCODINGS, compress, decompress2 } from './encoding';
import { hashToPoint2, timesEight } from './hash-to-point';
import {
  RECODED,
  TABLE,
  buildTable,
  multiply,
  multiplyPoint,
  multiplyPointVartime,
  multiplyVartime,
  recode,
  recodeAll,
} from './multiply';
import { scalarReduce32 } from '../scalar';
import { SLIDING, multiplySliding, slide } from '../wnaf';
import { POINT, addCachedT, subCachedT, sumLanes, toCached } from './point';

/** Vectors per batch: enough to make the shared inversion cheap, few enough to stay in the cache. Even. */
const BATCH: i32 = 32;
const PER_BATCH: i32 = BATCH * LANES;

const POINTS: usize = memory.data(32 * POINT, 16);
const ENCODED: usize = memory.data(32 * 32 * LANES, 16);
const SCALARS: usize = memory.data(RECODED, 16);
const GOOD: usize = memory.data(32 * LANES, 16);

/** Vectors that `count` elements fill. */
@inline
function vectorsOf(count: i32): i32 {
  return (count + LANES - 1) / LANES;
}

/** Decodes up to PER_BATCH encodings into POINTS, padded with identities (encoding 1); GOOD says which are points. */
function loadPoints(bytes: usize, count: i32): void {
  memory.copy(ENCODED, bytes, (<usize>count) << 5);
  const vectors = (vectorsOf(count) + 1) & ~1;
  for (let i = count; i < vectors * LANES; i++) {
    memory.fill(ENCODED + ((<usize>i) << 5), 0, 32);
    store<u8>(ENCODED + ((<usize>i) << 5), 1);
  }
  for (let v = 0; v < vectors; v += 2) {
    const good = decompress2(POINTS + <usize>v * POINT, ENCODED + <usize>v * ENCODINGS);
    for (let i = 0; i < 2 * LANES; i++) store<u8>(GOOD + <usize>(v * LANES + i), <u8>((good >> i) & 1));
  }
}

/** Encodes the first `count` of POINTS to `out`. */
function storePoints(out: usize, count: i32): void {
  compress(ENCODED, POINTS, vectorsOf(count));
  memory.copy(out, ENCODED, (<usize>count) << 5);
}

/** Wipes intermediate points: a secret shared with somebody else is a point, too. */
function forgetPoints(): void {
  wipe(POINTS, <usize>BATCH * POINT);
  wipe(ENCODED, 32 * 32 * LANES);
}

@inline
function least(a: i32, b: i32): i32 {
  return a < b ? a : b;
}

/** ok[i] = 1 if encoding i is a point (the reference's check_key). */
export function checkPoints(ok: usize, points: usize, count: i32): void {
  for (let at = 0; at < count; at += PER_BATCH) {
    const n = least(PER_BATCH, count - at);
    loadPoints(points + ((<usize>at) << 5), n);
    memory.copy(ok + at, GOOD, n);
  }
}

const EIGHTFOLD: usize = memory.data(32, 16);

/** out = 8·(scalar mod l), below 2^256: for every point P, including those outside the subgroup, out·P is 8·scalar·P. */
function eightfold(out: usize, scalar: usize): void {
  scalarReduce32(out, scalar);
  for (let at: usize = 24; at > 0; at -= 8) store<u64>(out + at, (load<u64>(out + at) << 3) | (load<u64>(out + at - 8) >> 61));
  store<u64>(out, load<u64>(out) << 3);
}

/** out[i] = 8·scalar·points[i], one scalar for all. Constant time. */
export function deriveBatch(out: usize, ok: usize, scalar: usize, points: usize, count: i32): void {
  eightfold(EIGHTFOLD, scalar);
  recodeAll(SCALARS, EIGHTFOLD);
  for (let at = 0; at < count; at += PER_BATCH) {
    const n = least(PER_BATCH, count - at);
    loadPoints(points + ((<usize>at) << 5), n);
    for (let v = 0; v < vectorsOf(n); v++) {
      const p = POINTS + <usize>v * POINT;
      multiplyPoint(p, p, SCALARS);
    }
    storePoints(out + ((<usize>at) << 5), n);
    memory.copy(ok + at, GOOD, n);
  }
  wipe(SCALARS, RECODED);
  wipe(EIGHTFOLD, 32);
  forgetPoints();
}

const SLIDING_DIGITS: usize = memory.data(SLIDING, 16);
const ONE_TABLE: usize = memory.data(TABLE, 16);

/** Like `deriveBatch`, in variable time: the twin that the timing test must detect. */
export function deriveBatchVartime(out: usize, ok: usize, scalar: usize, points: usize, count: i32): void {
  slide(SLIDING_DIGITS, scalar);
  for (let at = 0; at < count; at += PER_BATCH) {
    const n = least(PER_BATCH, count - at);
    loadPoints(points + ((<usize>at) << 5), n);
    for (let v = 0; v < vectorsOf(n); v++) {
      const p = POINTS + <usize>v * POINT;
      buildTable(ONE_TABLE, p);
      multiplySliding(p, ONE_TABLE, SLIDING_DIGITS, 1);
      timesEight(p, p);
    }
    storePoints(out + ((<usize>at) << 5), n);
    memory.copy(ok + at, GOOD, n);
  }
  memory.fill(SLIDING_DIGITS, 0, SLIDING);
}

/** Recodes the scalars of one vector; lanes past the count get the first. */
function recodeVector(scalars: usize, count: i32): void {
  for (let lane = 0; lane < LANES; lane++) recode(SCALARS, lane, scalars + (lane < count ? (<usize>lane) << 5 : 0));
}

/** out[i] = scalars[i]·points[i]. Constant time unless `vartime` is 1. */
export function multiplyBatch(out: usize, ok: usize, scalars: usize, points: usize, count: i32, vartime: bool): void {
  for (let at = 0; at < count; at += PER_BATCH) {
    const n = least(PER_BATCH, count - at);
    loadPoints(points + ((<usize>at) << 5), n);
    for (let v = 0; v < vectorsOf(n); v++) {
      const p = POINTS + <usize>v * POINT;
      recodeVector(scalars + ((<usize>(at + v * LANES)) << 5), n - v * LANES);
      if (vartime) multiplyPointVartime(p, p, SCALARS);
      else multiplyPoint(p, p, SCALARS);
    }
    storePoints(out + ((<usize>at) << 5), n);
    memory.copy(ok + at, GOOD, n);
  }
  wipe(SCALARS, RECODED);
  forgetPoints();
}

/** out[i] = scalars[i]·G. Constant time. */
export function multiplyBaseBatch(out: usize, scalars: usize, count: i32): void {
  if (!prepareBase()) unreachable();
  for (let at = 0; at < count; at += PER_BATCH) {
    const n = least(PER_BATCH, count - at);
    for (let v = 0; v < vectorsOf(n); v++) {
      recodeVector(scalars + ((<usize>(at + v * LANES)) << 5), n - v * LANES);
      multiplyBase(POINTS + <usize>v * POINT, SCALARS);
    }
    storePoints(out + ((<usize>at) << 5), n);
  }
  memory.fill(SCALARS, 0, RECODED);
}

const OPERAND: usize = memory.data(32 * POINT, 16);
const OPERAND_GOOD: usize = memory.data(32 * LANES, 16);

/** out[i] = a[i] + b[i], or a[i] - b[i] when `minus` is 1. */
export function addBatch(out: usize, ok: usize, a: usize, b: usize, count: i32, minus: bool): void {
  for (let at = 0; at < count; at += PER_BATCH) {
    const n = least(PER_BATCH, count - at);
    loadPoints(b + ((<usize>at) << 5), n);
    memory.copy(OPERAND, POINTS, <usize>BATCH * POINT);
    memory.copy(OPERAND_GOOD, GOOD, n);
    loadPoints(a + ((<usize>at) << 5), n);
    for (let v = 0; v < vectorsOf(n); v++) {
      const p = POINTS + <usize>v * POINT,
        q = OPERAND + <usize>v * POINT;
      toCached(q, q);
      if (minus) subCachedT(p, p, q);
      else addCachedT(p, p, q);
    }
    storePoints(out + ((<usize>at) << 5), n);
    for (let i = 0; i < n; i++) store<u8>(ok + at + i, load<u8>(GOOD + i) & load<u8>(OPERAND_GOOD + i));
  }
}

/** out[i] = 8·points[i]. */
export function timesEightBatch(out: usize, ok: usize, points: usize, count: i32): void {
  for (let at = 0; at < count; at += PER_BATCH) {
    const n = least(PER_BATCH, count - at);
    loadPoints(points + ((<usize>at) << 5), n);
    for (let v = 0; v < vectorsOf(n); v++) timesEight(POINTS + <usize>v * POINT, POINTS + <usize>v * POINT);
    storePoints(out + ((<usize>at) << 5), n);
    memory.copy(ok + at, GOOD, n);
  }
}

/** out[i] = the map of hashes[i] to a point, times 8 when `cofactor` is 1 (the reference's hash_to_ec after its Keccak). */
export function hashToPointBatch(out: usize, hashes: usize, count: i32, cofactor: bool): void {
  for (let at = 0; at < count; at += PER_BATCH) {
    const n = least(PER_BATCH, count - at);
    memory.copy(ENCODED, hashes + ((<usize>at) << 5), (<usize>n) << 5);
    for (let v = 0; v < vectorsOf(n); v += 2) hashToPoint2(POINTS + <usize>v * POINT, ENCODED + <usize>v * ENCODINGS);
    if (cofactor) for (let v = 0; v < vectorsOf(n); v++) timesEight(POINTS + <usize>v * POINT, POINTS + <usize>v * POINT);
    storePoints(out + ((<usize>at) << 5), n);
  }
}

/**
 * out = sum of scalars[i]·points[i]. Returns 1, or 0 if an input is not a point or the memory cannot grow. Needs about 10 kB of arena per vector.
 * Constant time unless `vartime` is 1.
 */
export function multiplySum(out: usize, scalars: usize, points: usize, count: i32, vartime: bool): i32 {
  const back = mark();
  const vectors = (vectorsOf(count) + 1) & ~1;
  const tables = alloc(<usize>vectors * TABLE);
  const recoded = alloc(<usize>vectors * RECODED);
  if (tables == 0 || recoded == 0) {
    release(back);
    return 0;
  }
  memory.fill(recoded, 0, <usize>vectors * RECODED);
  let good: u8 = 1;
  for (let at = 0; at < count; at += PER_BATCH) {
    const n = least(PER_BATCH, count - at);
    loadPoints(points + ((<usize>at) << 5), n);
    for (let i = 0; i < n; i++) good &= load<u8>(GOOD + i);
    for (let v = 0; v < vectorsOf(n); v++) {
      const k = at / LANES + v;
      buildTable(tables + <usize>k * TABLE, POINTS + <usize>v * POINT);
      for (let lane = 0; lane < LANES; lane++) {
        const i = k * LANES + lane;
        recode(recoded + <usize>k * RECODED, lane, scalars + (i < count ? (<usize>i) << 5 : 0));
      }
    }
  }
  if (vartime) multiplyVartime(POINTS, tables, recoded, vectorsOf(count));
  else multiply(POINTS, tables, recoded, vectorsOf(count));
  sumLanes(POINTS, POINTS);
  compress(ENCODED, POINTS, 1);
  memory.copy(out, ENCODED, 32);
  forgetPoints();
  wipe(recoded, <usize>vectors * RECODED);
  release(back);
  return good;
}
