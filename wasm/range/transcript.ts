/**
 * Shared by prover and verifier of Bulletproofs+: the Fiat-Shamir transcript, commitments divided by 8, and small helpers.
 */
import { compress, decompress2 } from '../curve/encoding';
import { hashToPoint2, timesEight } from '../curve/hash-to-point';
import { TABLE, buildTable } from '../curve/multiply';
import { POINT } from '../curve/point';
import { LANES } from '../field/index';
import { SPONGE, keccak256, spongeAbsorb, spongeFinish, spongeReset } from '../keccak';
import { scalarIsZero, scalarReduce32 } from '../scalar';
import { SLIDING, multiplySliding, slide } from '../wnaf';

/** 1/8 and 1 modulo the group order. */
export const INVERSE_EIGHT: usize = memory.data<u64>([0x6106e529e2dc2f79, 0x07d39db37d1cdad0, 0, 0x0600000000000000]);
export const SCALAR_ONE: usize = memory.data<u64>([1, 0, 0, 0]);

/** "bulletproof_plus_transcript" */
const NAME: usize = memory.data<u8>([
  98, 117, 108, 108, 101, 116, 112, 114, 111, 111, 102, 95, 112, 108, 117, 115, 95, 116, 114, 97, 110, 115, 99, 114, 105, 112,
  116,
]);
const HASHING: usize = memory.data(SPONGE, 16);
const PAIR: usize = memory.data(2 * POINT, 16);
const BYTES: usize = memory.data(2 * 32 * LANES, 16);
const INITIAL: usize = memory.data(32, 16);
let begun: bool = false;

/** The current state of the transcript, 32 bytes. */
export const STATE: usize = memory.data(32, 16);

/** The transcript before any proof: the map of the hashed name, encoded. */
function prepareInitial(): void {
  if (begun) return;
  keccak256(BYTES, NAME, 27);
  keccak256(BYTES, BYTES, 32);
  for (let i: usize = 1; i < 2 * LANES; i++) memory.copy(BYTES + 32 * i, BYTES, 32);
  hashToPoint2(PAIR, BYTES);
  timesEight(PAIR, PAIR);
  compress(BYTES, PAIR, 1);
  memory.copy(INITIAL, BYTES, 32);
  begun = true;
}

/** Starts with n consecutive commitments divided by 8. */
export function transcriptBegin(commitments: usize, n: usize): void {
  prepareInitial();
  spongeReset(HASHING);
  spongeAbsorb(HASHING, commitments, 32 * n);
  spongeFinish(HASHING);
  scalarReduce32(BYTES, HASHING);
  memory.copy(STATE, INITIAL, 32);
  transcriptAbsorb(BYTES, SCALAR_ONE, false);
}

/** The state becomes Hs(state ‖ first [‖ second]). False if that is zero. */
function transcriptAbsorb(first: usize, second: usize, both: bool): bool {
  spongeReset(HASHING);
  spongeAbsorb(HASHING, STATE, 32);
  spongeAbsorb(HASHING, first, 32);
  if (both) spongeAbsorb(HASHING, second, 32);
  spongeFinish(HASHING);
  scalarReduce32(STATE, HASHING);
  return scalarIsZero(STATE) == 0;
}

/** Writes the challenges y and z that follow A. False if one is zero. */
export function challengesYZ(y: usize, z: usize, a: usize): bool {
  if (!transcriptAbsorb(a, a, false)) return false;
  memory.copy(y, STATE, 32);
  keccak256(STATE, STATE, 32);
  scalarReduce32(STATE, STATE);
  memory.copy(z, STATE, 32);
  return scalarIsZero(z) == 0;
}

/** Writes the challenge that follows two points. False if it is zero. */
export function challengeOfPair(out: usize, left: usize, right: usize): bool {
  const good = transcriptAbsorb(left, right, true);
  memory.copy(out, STATE, 32);
  return good;
}

/** Decodes `count` encodings to vectors of points at `to`, the last padded with copies of the first point. False if one is not a point. */
export function decodeVectors(to: usize, bytes: usize, count: i32): bool {
  const vectors = (count + LANES - 1) / LANES;
  for (let v = 0; v < vectors; v += 2) {
    for (let i = 0; i < 2 * LANES; i++) {
      const from = v * LANES + i;
      memory.copy(BYTES + ((<usize>i) << 5), bytes + (from < count ? (<usize>from) << 5 : 0), 32);
    }
    if (decompress2(PAIR, BYTES) != (1 << (2 * LANES)) - 1) return false;
    memory.copy(to + <usize>v * POINT, PAIR, v + 1 < vectors ? 2 * POINT : POINT);
  }
  return true;
}

const TABLE_ONE: usize = memory.data(TABLE, 16);
const DIGITS: usize = memory.data(SLIDING, 16);

/** d = scalar · p in every lane; the scalar public, the point may be secret. d may be p. */
export function multiplyPublic(d: usize, p: usize, scalar: usize): void {
  slide(DIGITS, scalar);
  buildTable(TABLE_ONE, p);
  multiplySliding(d, TABLE_ONE, DIGITS, 1);
}

const DIVIDED: usize = memory.data(16 * POINT, 16);
const ENCODED: usize = memory.data(16 * 32 * LANES, 16);

/**
 * Divides n (1 … 16) commitments by 8: their encodings to `out`, 32 bytes each; the points, multiplied by 8 again (which removes a small-order
 * part), to the vectors at `points`. False if one is not a point.
 */
export function divideCommitments(out: usize, points: usize, commitments: usize, n: i32): bool {
  if (!decodeVectors(DIVIDED, commitments, n)) return false;
  const vectors = (n + LANES - 1) / LANES;
  for (let v = 0; v < vectors; v++) {
    const p = DIVIDED + <usize>v * POINT;
    multiplyPublic(p, p, INVERSE_EIGHT);
    timesEight(points + <usize>v * POINT, p);
  }
  compress(ENCODED, DIVIDED, vectors);
  memory.copy(out, ENCODED, (<usize>n) << 5);
  return true;
}
