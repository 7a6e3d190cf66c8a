/**
 * CLSAG ring signatures: the walk around the ring (Goodell, Noether, RandomRun, eprint 2019/654; the reference's CLSAG_Gen and
 * verRctCLSAGSimple). The secrets of a signer never come here: the host multiplies them in constant time and hands over the results.
 *
 * A **ring** is a context in the arena. From its challenge c, a member with key P, commitment C and response s gives the next challenge
 * from L = s·G + c·muP·P + c·muC·(C - offset) and R = s·Hp(P) + c·muP·I + c·muC·D: two sums with the same scalars, so they are two
 * lanes of one.
 */
import { setBase } from './curve/base';
import { compress, decompress2 } from './curve/encoding';
import { hashToPoint2, timesEight } from './curve/hash-to-point';
import { TABLE, buildTable } from './curve/multiply';
import { POINT, copyPointLane, subCachedT, toCached } from './curve/point';
import { LANES } from './field/index';
import { SPONGE, keccak256, spongeAbsorb, spongeFinish, spongeReset } from './keccak';
import { alloc } from './memory';
import { scalarMul, scalarReduce32 } from './scalar';
import { SLIDING, multiplySliding, slide } from './wnaf';

// What the host writes, 32 bytes each: message, key image I, D/8 (at 64), offset (the pseudo output), then n keys, then n commitments.
const MESSAGE: usize = 0;
const KEY_IMAGE: usize = 32;
const OFFSET: usize = 96;
const MEMBERS: usize = 128;

// The ring's context.
const MU_P: usize = 0;
const MU_C: usize = 32;
const ROUND: usize = 64; // a sponge that has absorbed all of the round hash but L and R
const IMAGES: usize = 272; // I, D and the offset, a point each, in lane 0
const POINTS: usize = IMAGES + 3 * POINT; // of each member: P, C - offset and Hp(P), in lane 0
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

/** Decodes `count` encodings to lane 0 of points `stride` bytes apart. False when one is no point. */
function decodeAll(to: usize, stride: usize, bytes: usize, count: i32): bool {
  for (let at = 0; at < count; at += PER_CALL) {
    const n = min(PER_CALL, count - at);
    for (let i = 0; i < PER_CALL; i++) memory.copy(BYTES + (<usize>i << 5), bytes + (<usize>(at + (i < n ? i : 0)) << 5), 32);
    if (decompress2(PAIR, BYTES) != (1 << PER_CALL) - 1) return false;
    for (let i = 0; i < n; i++) takeLane(to + <usize>(at + i) * stride, i);
  }
  return true;
}

/** Hp of `count` keys to lane 0 of points `stride` bytes apart. */
function hashAll(to: usize, stride: usize, keys: usize, count: i32): void {
  for (let at = 0; at < count; at += PER_CALL) {
    const n = min(PER_CALL, count - at);
    for (let i = 0; i < PER_CALL; i++) keccak256(BYTES + (<usize>i << 5), keys + (<usize>(at + (i < n ? i : 0)) << 5), 32);
    hashToPoint2(PAIR, BYTES);
    timesEight(PAIR, PAIR);
    timesEight(PAIR + POINT, PAIR + POINT);
    for (let i = 0; i < n; i++) takeLane(to + <usize>(at + i) * stride, i);
  }
}

const SHIFT: usize = memory.data(POINT, 16);

/**
 * Makes the context of a ring of n members from `input`. Returns it, in the arena: the caller releases to its mark. 0 when something is
 * no point or the memory cannot grow.
 */
export function clsagRing(input: usize, n: i32): usize {
  const ring = alloc(POINTS + <usize>n * MEMBER);
  if (ring == 0) return 0;
  memory.fill(ring, 0, POINTS + <usize>n * MEMBER);
  const members = ring + POINTS;
  const keys = input + MEMBERS, commitments = keys + (<usize>n << 5);
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
  spongeAbsorb(round, keys, <usize>n << 6);
  spongeAbsorb(round, input + OFFSET, 32);
  spongeAbsorb(round, input + MESSAGE, 32);
  return ring;
}

/** c (32 bytes) = the challenge after `pair`: the encodings of L and R. */
export function clsagChallenge(c: usize, ring: usize, pair: usize): void {
  memory.copy(HASHING, ring + ROUND, SPONGE);
  spongeAbsorb(HASHING, pair, 64);
  spongeFinish(HASHING);
  scalarReduce32(c, HASHING);
}

const TABLES: usize = memory.data(3 * TABLE, 16);
const DIGITS: usize = memory.data(3 * SLIDING, 16);
const BASE: usize = memory.data(POINT, 16);
const VECTOR: usize = memory.data(POINT, 16);
const WEIGHT: usize = memory.data(32, 16);
const RESULT: usize = memory.data(32 * LANES, 16);

/** Table k: odd multiples of `left` in the even lanes and `right` in the odd ones (both points in lane 0). */
function pairTable(k: usize, left: usize, right: usize): void {
  for (let lane = 0; lane < LANES; lane++) copyPointLane(VECTOR, lane, lane & 1 ? right : left, 0);
  buildTable(TABLES + k * TABLE, VECTOR);
}

/** One step around the ring: c becomes the challenge of the member after member i, whose response is s. */
export function clsagStep(c: usize, ring: usize, i: i32, s: usize): void {
  const member = ring + POINTS + <usize>i * MEMBER;
  setBase(BASE);
  pairTable(0, BASE, member + 2 * POINT);
  pairTable(1, member, ring + IMAGES);
  pairTable(2, member + POINT, ring + IMAGES + POINT);
  slide(DIGITS, s);
  scalarMul(WEIGHT, c, ring + MU_P);
  slide(DIGITS + SLIDING, WEIGHT);
  scalarMul(WEIGHT, c, ring + MU_C);
  slide(DIGITS + 2 * SLIDING, WEIGHT);
  multiplySliding(VECTOR, TABLES, DIGITS, 3);
  compress(RESULT, VECTOR, 1);
  clsagChallenge(c, ring, RESULT);
}

/** out = muP, muC: 64 bytes. */
export function clsagWeights(out: usize, ring: usize): void {
  memory.copy(out, ring + MU_P, 64);
}
