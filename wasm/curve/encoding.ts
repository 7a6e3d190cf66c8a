/**
 * Points from and to their 32-byte encodings: y, little-endian, with the lowest bit of x on top.
 *
 * Decodes exactly what the reference's ge_frombytes_vartime accepts: y below p, x² = (y² - 1)/(d·y² + 1) a square, and not x = 0 with the sign bit
 * set. Points of small order and points outside the prime-order subgroup are decoded.
 */
import {
  ALL_LANES,
  FE,
  LANES,
  addReduced,
  copy,
  mul,
  oddLanes,
  setBytes,
  sqr,
  subReduced,
  toBytes,
  zeroLanes,
} from '../field/index';
import { invert, setOdd, sqrtRatio2 } from '../field/power';
import { D, IDENTITY, ONE, POINT, T, Y, Z, copyPointIf, mask } from './point';

/** Bytes of a vector of encodings. */
export const ENCODINGS: usize = 32 * LANES;

const U: usize = memory.data(2 * FE, 16);
const V: usize = memory.data(2 * FE, 16);
const ROOT: usize = memory.data(2 * FE, 16);

/** 1 when the 255 low bits of the encoding are below p. Variable time: encodings are public. */
function canonicalY(bytes: usize): i32 {
  const top = load<u64>(bytes, 24) & 0x7fffffffffffffff;
  if (top != 0x7fffffffffffffff) return 1;
  return ~load<u64>(bytes, 16) != 0 || ~load<u64>(bytes, 8) != 0 || load<u64>(bytes) < 0xffffffffffffffed ? 1 : 0;
}

/**
 * Decodes 2·LANES consecutive encodings at `bytes` into the two points at p. Returns a bit for each that is a point; the other lanes become the
 * identity.
 */
export function decompress2(p: usize, bytes: usize): i32 {
  let good = 0;
  for (let k: usize = 0; k < 2; k++) {
    const y = p + k * POINT + Y,
      u = U + k * FE,
      v = V + k * FE;
    for (let lane = 0; lane < LANES; lane++) {
      const encoding = bytes + k * ENCODINGS + <usize>(lane << 5);
      setBytes(y, lane, encoding);
      good |= canonicalY(encoding) << (lane + <i32>k * LANES);
    }
    sqr(v, y);
    subReduced(u, v, ONE);
    mul(v, v, D);
    addReduced(v, v, ONE);
  }
  good &= sqrtRatio2(ROOT, U, V);
  for (let k: usize = 0; k < 2; k++) {
    const q = p + k * POINT,
      x = ROOT + k * FE;
    const odd = signBits(bytes + k * ENCODINGS);
    good &= ~((zeroLanes(x) & odd) << (<i32>k * LANES));
    setOdd(x, odd);
    subReduced(q, x, ZERO);
    copy(q + Z, ONE);
    mul(q + T, x, q + Y);
    const bad = ~(good >> (<i32>k * LANES)) & ALL_LANES;
    if (bad) copyPointIf(q, IDENTITY, mask(bad));
  }
  return good;
}

const ZERO: usize = memory.data(FE, 16);

/** The top bits of LANES encodings. */
function signBits(bytes: usize): i32 {
  let bits = 0;
  for (let lane = 0; lane < LANES; lane++) bits |= (<i32>(load<u8>(bytes + <usize>(lane << 5), 31) >> 7)) << lane;
  return bits;
}

const PAIR: usize = memory.data(2 * POINT, 16);
const PADDED: usize = memory.data(2 * ENCODINGS, 16);

/** Decodes `count` (1 … LANES) encodings into p; lanes past the count hold copies of the first. Returns a bit for each that is a point. */
export function decompress(p: usize, bytes: usize, count: i32): i32 {
  for (let i: usize = 0; i < 2 * ENCODINGS; i += 32) memory.copy(PADDED + i, bytes + (i < (<usize>count) << 5 ? i : 0), 32);
  const good = decompress2(PAIR, PADDED);
  memory.copy(p, PAIR, POINT);
  return good & ALL_LANES;
}

const RUNNING: usize = memory.data(FE, 16);
const INVERSE: usize = memory.data(FE, 16);

/**
 * Makes `vectors` consecutive points at p affine: X = x and Y = y; Z and T become meaningless. One inversion for all (Montgomery's trick). Constant
 * time except for the count.
 */
export function toAffine(p: usize, vectors: i32): void {
  copy(RUNNING, ONE);
  const end = p + <usize>vectors * POINT;
  for (let q = p; q < end; q += POINT) {
    copy(q + T, RUNNING);
    mul(RUNNING, RUNNING, q + Z);
  }
  invert(RUNNING, RUNNING);
  for (let i = vectors - 1; i >= 0; i--) {
    const q = p + <usize>i * POINT;
    mul(INVERSE, RUNNING, q + T);
    mul(RUNNING, RUNNING, q + Z);
    mul(q, q, INVERSE);
    mul(q + Y, q + Y, INVERSE);
  }
}

/** Encodes `vectors` consecutive points at p to `bytes`: LANES · 32 bytes per vector. The points are overwritten. */
export function compress(bytes: usize, p: usize, vectors: i32): void {
  toAffine(p, vectors);
  for (let i = 0; i < vectors; i++) {
    const q = p + <usize>i * POINT;
    const odd = oddLanes(q);
    for (let lane = 0; lane < LANES; lane++) {
      const out = bytes + <usize>i * ENCODINGS + <usize>(lane << 5);
      toBytes(out, q + Y, lane);
      store<u8>(out, load<u8>(out, 31) | <u8>(((odd >> lane) & 1) << 7), 31);
    }
  }
}
