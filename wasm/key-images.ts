/**
 * Key images in batches: x·Hp(P) for a one-time key P and its secret x. Nothing is encoded between the hash and the image, and a scalar is recoded
 * once for both of its multiplications.
 */
import { multiplyBase, prepareBase } from './curve/base';
import { ENCODINGS, compress } from './curve/encoding';
import { hashToPoint2, timesEight } from './curve/hash-to-point';
import { RECODED, multiplyPoint, recode } from './curve/multiply';
import { POINT } from './curve/point';
import { LANES } from './field/index';
import { keccak256 } from './keccak';
import { wipe } from './memory';

/** Vectors that share an inversion. Even. */
const BATCH: i32 = 32;
const PER_BATCH: i32 = BATCH * LANES;

const SCALARS: usize = memory.data(RECODED, 16);
const HASHES: usize = memory.data(32 * 32 * LANES, 16);
const MADE: usize = memory.data(32 * POINT, 16);
const IMAGES: usize = memory.data(32 * POINT, 16);

/**
 * out[i] = secrets[i]·Hp(keys[i]); ok[i] = 1 where secrets[i]·G is keys[i], else 0. Scalars are 32 little-endian bytes of any value. Constant time in
 * the secrets.
 */
export function keyImages(out: usize, ok: usize, secrets: usize, keys: usize, count: i32): void {
  if (!prepareBase()) unreachable();
  for (let at = 0; at < count; at += PER_BATCH) {
    const place = (<usize>at) << 5;
    someKeyImages(out + place, ok + at, secrets + place, keys + place, min(PER_BATCH, count - at));
  }
  wipe(SCALARS, RECODED);
  wipe(MADE, <usize>BATCH * POINT);
  wipe(IMAGES, <usize>BATCH * POINT);
}

function someKeyImages(out: usize, ok: usize, secrets: usize, keys: usize, count: i32): void {
  const vectors = (count + LANES - 1) / LANES;
  for (let i = 0; i < count; i++) keccak256(HASHES + ((<usize>i) << 5), keys + ((<usize>i) << 5), 32);
  // Hashes past the count may be anything: their points are not used.
  for (let v = 0; v < vectors; v += 2) hashToPoint2(IMAGES + <usize>v * POINT, HASHES + <usize>v * ENCODINGS);
  for (let v = 0; v < vectors; v++) {
    const image = IMAGES + <usize>v * POINT;
    recodeVector(secrets + <usize>v * ENCODINGS, count - v * LANES);
    multiplyBase(MADE + <usize>v * POINT, SCALARS);
    timesEight(image, image);
    multiplyPoint(image, image, SCALARS);
  }
  compress(HASHES, MADE, vectors);
  for (let i = 0; i < count; i++) {
    const place = (<usize>i) << 5;
    store<u8>(ok + i, sameEncoding(HASHES + place, keys + place));
  }
  compress(HASHES, IMAGES, vectors);
  memory.copy(out, HASHES, (<usize>count) << 5);
}

/** 1 if 32 bytes at two addresses are equal, else 0. Compares all of them, so that timing does not show how far a secret's key agrees. */
function sameEncoding(one: usize, other: usize): u8 {
  let differing: u64 = 0;
  for (let at: usize = 0; at < 32; at += 8) differing |= load<u64>(one + at) ^ load<u64>(other + at);
  return <u8>(differing == 0);
}

/** Recodes the scalars of one vector; lanes past the count get the first. */
function recodeVector(scalars: usize, count: i32): void {
  for (let lane = 0; lane < LANES; lane++) recode(SCALARS, lane, scalars + (lane < count ? (<usize>lane) << 5 : 0));
}
