/**
 * The generators of Bulletproofs+ (eprint 2020/735; the reference's bulletproofs_plus.cc, get_exponent): G_i and H_i, the map to a point of a hash
 * of H, a name and a number. Computed when first needed, kept as points with Z not 1.
 */
import { decompress } from '../curve/encoding';
import { hashToPoint2, timesEight } from '../curve/hash-to-point';
import { POINT } from '../curve/point';
import { LANES } from '../field/index';
import { keccak256 } from '../keccak';

/** Generators of each kind: 64 bits of each of 16 outputs. */
export const MOST: i32 = 1024;
/** Bytes of one generator: a lane of a point in either field module (4·80/2 and 4·160/4). */
const BYTES: usize = 160;

/** G_i: generator i is lane i % LANES of vector i / LANES. The same for H_i. */
export const GENERATORS_G: usize = memory.data(1024 * BYTES, 16);
export const GENERATORS_H: usize = memory.data(1024 * BYTES, 16);
/** The commitments' second generator H, in every lane. */
export const AMOUNT_BASE: usize = memory.data(POINT, 16);

let made: i32 = 0;

const ENCODED_H: usize = memory.data<u8>([
  0x8b, 0x65, 0x59, 0x70, 0x15, 0x37, 0x99, 0xaf, 0x2a, 0xea, 0xdc, 0x9f, 0xf1, 0xad, 0xd0, 0xea, 0x6c, 0x72, 0x51, 0xd5, 0x41,
  0x54, 0xcf, 0xa9, 0x2c, 0x17, 0x3a, 0x0d, 0xd3, 0x9c, 0x1f, 0x94,
]);
/** "bulletproof_plus" */
const NAME: usize = memory.data<u8>([98, 117, 108, 108, 101, 116, 112, 114, 111, 111, 102, 95, 112, 108, 117, 115]);
const PREIMAGE: usize = memory.data(64, 16);
const HASHES: usize = memory.data(2 * 32 * LANES, 16);

/** Keccak of Keccak of H ‖ name ‖ number: the input of the map for generator `number`. */
function hashOf(out: usize, number: i32): void {
  memory.copy(PREIMAGE, ENCODED_H, 32);
  memory.copy(PREIMAGE + 32, NAME, 16);
  let length: usize = 48;
  while (number >= 128) {
    store<u8>(PREIMAGE + length++, <u8>((number & 127) | 128));
    number >>= 7;
  }
  store<u8>(PREIMAGE + length++, <u8>number);
  keccak256(out, PREIMAGE, length);
  keccak256(out, out, 32);
}

/** Computes missing ones of the first n (a multiple of 2·LANES) generators of both kinds. */
export function prepareGenerators(n: i32): void {
  if (made == 0) {
    for (let lane = 0; lane < LANES; lane++) memory.copy(HASHES + ((<usize>lane) << 5), ENCODED_H, 32);
    decompress(AMOUNT_BASE, HASHES, LANES);
  }
  for (; made < n; made += 2 * LANES) {
    makeGroup(GENERATORS_H + (<usize>made / LANES) * POINT, 0);
    makeGroup(GENERATORS_G + (<usize>made / LANES) * POINT, 1);
  }
}

/** The 2·LANES generators from `made` on: H has the even numbers, G the odd ones. */
function makeGroup(to: usize, odd: i32): void {
  for (let i = 0; i < 2 * LANES; i++) hashOf(HASHES + ((<usize>i) << 5), 2 * (made + i) + odd);
  hashToPoint2(to, HASHES);
  timesEight(to, to);
  timesEight(to + POINT, to + POINT);
}
