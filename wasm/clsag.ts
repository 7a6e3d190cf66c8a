/**
 * CLSAG ring signatures: the walk around the ring (Goodell, Noether, RandomRun, eprint 2019/654; the reference's CLSAG_Gen and verRctCLSAGSimple).
 * The signer's secrets never enter this module: the host multiplies them in constant time and passes the results.
 *
 * A **ring** is a context in the arena. From its challenge c, a member with key P, commitment C and response s gives the next challenge from
 * L = s·G + c·muP·P + c·muC·(C - offset) and R = s·Hp(P) + c·muP·I + c·muC·D: two sums with the same scalars, so they are two lanes of one sum. With
 * four lanes two rings share a vector (`abreast.ts`); rings that are walked together share the inversion for their encodings.
 */
import { FIXED_TABLE, WIDE, makeFixedTable, multiplyAbreast, recodeWide } from './abreast';
import { setBase } from './curve/base';
import { compress, decompress2 } from './curve/encoding';
import { hashToPoint2, timesEight } from './curve/hash-to-point';
import { RECODED, TABLE, buildTable, recode } from './curve/multiply';
import { POINT, copyPointLane, subCachedT, toCached } from './curve/point';
import { LANES } from './field/index';
import { SPONGE, keccak256, spongeAbsorb, spongeFinish, spongeReset } from './keccak';
import { alloc } from './memory';
import { scalarMul, scalarReduce32 } from './scalar';
import { SLIDING, multiplySliding, slide } from './wnaf';

// Written by the host, 32 bytes each: message, key image I, D/8 (at 64), offset (the pseudo output), then n keys, then n commitments.
const MESSAGE: usize = 0;
const KEY_IMAGE: usize = 32;
const OFFSET: usize = 96;
const MEMBERS: usize = 128;

// The ring's context.
const MU_P: usize = 0;
const MU_C: usize = 32;
const ROUND: usize = 64; // a sponge that has absorbed the round hash's input except L and R
const FIXED: usize = 272 + 3 * POINT; // address of the table of G and I; 0 without one
const IMAGES: usize = 272; // I, D and the offset, one point each, in lane 0
const POINTS: usize = FIXED + 16; // for each member: P, C - offset and Hp(P), in lane 0
const MEMBER: usize = 3 * POINT;

/** The domains of the three hashes, 32 bytes each, padded with zeros. */
const AGGREGATE_0: usize = memory.data<u8>([
  67, 76, 83, 65, 71, 95, 97, 103, 103, 95, 48, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]); // CLSAG_agg_0
const AGGREGATE_1: usize = memory.data<u8>([
  67, 76, 83, 65, 71, 95, 97, 103, 103, 95, 49, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]); // CLSAG_agg_1
const ROUND_DOMAIN: usize = memory.data<u8>([
  67, 76, 83, 65, 71, 95, 114, 111, 117, 110, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]); // CLSAG_round

const HASHING: usize = memory.data(SPONGE, 16);

/** mu = Hs(domain ‖ keys ‖ commitments ‖ I ‖ D/8 ‖ offset). */
function aggregate(mu: usize, domain: usize, input: usize, n: usize): void {
  spongeReset(HASHING);
  spongeAbsorb(HASHING, domain, 32);
  spongeAbsorb(HASHING, input + MEMBERS, 64 * n);
  spongeAbsorb(HASHING, input + KEY_IMAGE, 96);
  spongeFinish(HASHING);
  scalarReduce32(mu, HASHING);
}

const PER_CALL: i32 = 2 * LANES;
const BYTES: usize = memory.data(2 * 32 * LANES, 16);
const PAIR: usize = memory.data(2 * POINT, 16);

/** Copies lane i of the pair of point vectors to lane 0 of a member's point. */
@inline
function takeLane(to: usize, i: i32): void {
  copyPointLane(to, 0, PAIR + <usize>(i / LANES) * POINT, i % LANES);
}

/** Decodes `count` encodings to lane 0 of points `stride` bytes apart. False if one is not a point. */
function decodeAll(to: usize, stride: usize, bytes: usize, count: i32): bool {
  for (let at = 0; at < count; at += PER_CALL) {
    const n = min(PER_CALL, count - at);
    for (let i = 0; i < PER_CALL; i++) memory.copy(BYTES + ((<usize>i) << 5), bytes + ((<usize>(at + (i < n ? i : 0))) << 5), 32);
    if (decompress2(PAIR, BYTES) != (1 << PER_CALL) - 1) return false;
    for (let i = 0; i < n; i++) takeLane(to + <usize>(at + i) * stride, i);
  }
  return true;
}

/** Hp of `count` keys to lane 0 of points `stride` bytes apart. */
function hashAll(to: usize, stride: usize, keys: usize, count: i32): void {
  for (let at = 0; at < count; at += PER_CALL) {
    const n = min(PER_CALL, count - at);
    for (let i = 0; i < PER_CALL; i++) keccak256(BYTES + ((<usize>i) << 5), keys + ((<usize>(at + (i < n ? i : 0))) << 5), 32);
    hashToPoint2(PAIR, BYTES);
    timesEight(PAIR, PAIR);
    timesEight(PAIR + POINT, PAIR + POINT);
    for (let i = 0; i < n; i++) takeLane(to + <usize>(at + i) * stride, i);
  }
}

const SHIFT: usize = memory.data(POINT, 16);

/**
 * Creates the context of a ring of n members from `input`; `beside` says that it will be walked together with others. Returns its address in the
 * arena: the caller releases to its mark. 0 if something is not a point or the memory cannot grow.
 */
export function clsagRing(input: usize, n: i32, beside: bool): usize {
  const ring = alloc(POINTS + <usize>n * MEMBER);
  if (ring == 0) return 0;
  memory.fill(ring, 0, POINTS + <usize>n * MEMBER);
  const members = ring + POINTS;
  const keys = input + MEMBERS,
    commitments = keys + ((<usize>n) << 5);
  if (!decodeAll(ring + IMAGES, POINT, input + KEY_IMAGE, 3)) return 0;
  if (!decodeAll(members, MEMBER, keys, n)) return 0;
  if (!decodeAll(members + POINT, MEMBER, commitments, n)) return 0;
  hashAll(members + 2 * POINT, MEMBER, keys, n);
  timesEight(ring + IMAGES + POINT, ring + IMAGES + POINT);
  toCached(SHIFT, ring + IMAGES + 2 * POINT);
  for (let i = 0; i < n; i++) {
    const offset = members + <usize>i * MEMBER + POINT;
    subCachedT(offset, offset, SHIFT);
  }
  aggregate(ring + MU_P, AGGREGATE_0, input, <usize>n);
  aggregate(ring + MU_C, AGGREGATE_1, input, <usize>n);
  const round = ring + ROUND;
  spongeReset(round);
  spongeAbsorb(round, ROUND_DOMAIN, 32);
  spongeAbsorb(round, keys, (<usize>n) << 6);
  spongeAbsorb(round, input + OFFSET, 32);
  spongeAbsorb(round, input + MESSAGE, 32);
  return ABREAST == 1 || !beside || addFixedTable(ring) ? ring : 0;
}

/** Creates a ring's table of G and I. False if the memory cannot grow. */
function addFixedTable(ring: usize): bool {
  const table = alloc(FIXED_TABLE);
  if (table == 0) return false;
  setBase(BASE);
  makeFixedTable(table, BASE, ring + IMAGES);
  store<u32>(ring, <u32>table, FIXED);
  return true;
}

/** c (32 bytes) = the challenge after `pair`: the encodings of L and R. */
export function clsagChallenge(c: usize, ring: usize, pair: usize): void {
  memory.copy(HASHING, ring + ROUND, SPONGE);
  spongeAbsorb(HASHING, pair, 64);
  spongeFinish(HASHING);
  scalarReduce32(c, HASHING);
}

/** Rings in a vector: each has a lane for L and one for R. */
const ABREAST: i32 = LANES / 2;
/** Vectors encoded together. */
const VECTORS: i32 = 8;

const TABLES: usize = memory.data(3 * TABLE, 16);
const SCALARS: usize = memory.data(3 * 32 * ABREAST, 16); // of each ring: s, c·muP, c·muC
const SLIDING_DIGITS: usize = memory.data(3 * SLIDING, 16);
const ODD_DIGITS: usize = memory.data(2 * RECODED, 16);
const WIDE_DIGITS: usize = memory.data(WIDE, 16);
const BASE: usize = memory.data(POINT, 16);
const VECTOR: usize = memory.data(POINT, 16);
const VECTORS_OF_TWO: usize = memory.data(2 * POINT, 16);
const SUMS: usize = memory.data(8 * POINT, 16);
const RESULTS: usize = memory.data(8 * 32 * LANES, 16);

/** The context of ring j. */
@inline
function ringAt(rings: usize, j: i32): usize {
  return load<u32>(rings + ((<usize>j) << 2));
}

/** Point that scalar k multiplies in member i's sums: G, P or C - offset in L (`right` 0), Hp(P), I or D in R. In lane 0. */
function summand(ring: usize, i: i32, k: i32, right: i32): usize {
  const member = ring + POINTS + <usize>i * MEMBER;
  if (k == 0) return right ? member + 2 * POINT : BASE;
  return (right ? ring + IMAGES : member) + <usize>(k - 1) * POINT;
}

/** SCALARS of up to ABREAST rings, from their challenges and responses. */
function weigh(rings: usize, count: i32, c: usize, s: usize): void {
  for (let j = 0; j < count; j++) {
    const scalars = SCALARS + <usize>(96 * j),
      ring = ringAt(rings, j),
      at = (<usize>j) << 5;
    memory.copy(scalars, s + at, 32);
    scalarMul(scalars + 32, c + at, ring + MU_P);
    scalarMul(scalars + 64, c + at, ring + MU_C);
  }
}

/** d = L and R of member i of a ring, in as many lanes as are needed. */
function sumsOfOne(d: usize, ring: usize, i: i32): void {
  for (let k = 0; k < 3; k++) {
    for (let lane = 0; lane < LANES; lane++) copyPointLane(VECTOR, lane, summand(ring, i, k, lane & 1), 0);
    buildTable(TABLES + <usize>k * TABLE, VECTOR);
    slide(SLIDING_DIGITS + <usize>k * SLIDING, SCALARS + ((<usize>k) << 5));
  }
  multiplySliding(d, TABLES, SLIDING_DIGITS, 3);
}

/** Which scalar goes with which table of `sumsOfTwo`: P and D, C - offset and Hp(P), and finally G and I. */
@inline
function scalarOf(table: i32, right: i32): i32 {
  return (table + 1 + right) % 3;
}

/** d = L and R of member i of two rings, in the order of the lanes. */
function sumsOfTwo(d: usize, rings: usize, i: i32): void {
  for (let lane = 0; lane < LANES; lane++) {
    const right = lane & 1,
      ring = ringAt(rings, lane >> 1),
      scalars = SCALARS + <usize>(96 * (lane >> 1));
    for (let k = 0; k < 2; k++) {
      const which = scalarOf(k, right);
      copyPointLane(VECTORS_OF_TWO + <usize>k * POINT, lane, summand(ring, i, which, right), 0);
      recode(ODD_DIGITS + <usize>k * RECODED, lane, scalars + ((<usize>which) << 5));
    }
    recodeWide(WIDE_DIGITS, lane, scalars + ((<usize>scalarOf(2, right)) << 5));
  }
  for (let k: usize = 0; k < 2; k++) buildTable(TABLES + k * TABLE, VECTORS_OF_TWO + k * POINT);
  multiplyAbreast(d, fixedTable(rings, 0), fixedTable(rings, 1), WIDE_DIGITS, TABLES, ODD_DIGITS);
}

@inline
function fixedTable(rings: usize, j: i32): usize {
  return load<u32>(ringAt(rings, j), FIXED);
}

/**
 * One step around each of `count` rings (their contexts, 4 bytes each, at `rings`): challenge j (32 bytes) of the array c becomes that of the
 * member after member i of ring j, whose response is element j of the array s. With more than one ring, they must have been created to be walked
 * with others. Variable time: all inputs are public.
 */
export function clsagStep(c: usize, rings: usize, count: i32, i: i32, s: usize): void {
  setBase(BASE);
  for (let at = 0; at < count; at += VECTORS * ABREAST) {
    const end = min(at + VECTORS * ABREAST, count);
    let vectors = 0;
    for (let j = at; j < end; j += ABREAST) {
      const abreast = min(ABREAST, end - j),
        first = rings + ((<usize>j) << 2);
      weigh(first, abreast, c + ((<usize>j) << 5), s + ((<usize>j) << 5));
      if (ABREAST == 1 || abreast == 1) sumsOfOne(SUMS + <usize>vectors * POINT, ringAt(first, 0), i);
      else sumsOfTwo(SUMS + <usize>vectors * POINT, first, i);
      vectors++;
    }
    compress(RESULTS, SUMS, vectors);
    for (let j = at; j < end; j++) clsagChallenge(c + ((<usize>j) << 5), ringAt(rings, j), RESULTS + ((<usize>(j - at)) << 6));
  }
}

/** out = muP, muC: 64 bytes. */
export function clsagWeights(out: usize, ring: usize): void {
  memory.copy(out, ring + MU_P, 64);
}
