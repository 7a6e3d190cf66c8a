/**
 * Public spend keys of subaddresses in batches: B + Hs("SubAddr\0" ‖ a ‖ major ‖ minor)·G. Only the results are encoded, sharing their inversions.
 */
import { multiplyBase, prepareBase } from './curve/base';
import { compress, decompress } from './curve/encoding';
import { RECODED, recode } from './curve/multiply';
import { POINT, addCachedT, toCached } from './curve/point';
import { LANES } from './field/index';
import { keccak256 } from './keccak';
import { wipe } from './memory';
import { scalarReduce32 } from './scalar';

/** Vectors that share an inversion. */
const BATCH: i32 = 32;
const PER_BATCH: i32 = BATCH * LANES;

const MESSAGE_SIZE: usize = 48;
const MESSAGE: usize = memory.data(48, 16);
const SCALAR: usize = memory.data(32, 16);
const SCALARS: usize = memory.data(RECODED, 16);
const SPEND_KEY: usize = memory.data(POINT, 16);
const POINTS: usize = memory.data(32 * POINT, 16);
const ENCODED: usize = memory.data(32 * 32 * LANES, 16);

/**
 * out[i] = the public spend key of subaddress major/(minor + i), for i below count. Returns 1, or 0 if the primary spend key is not a point.
 * Constant time in the view key.
 */
export function subaddressKeys(out: usize, viewKey: usize, spendKey: usize, major: u32, minor: u32, count: i32): i32 {
  if (!prepareBase()) unreachable();
  if (!(decompress(SPEND_KEY, spendKey, 1) & 1)) return 0;
  toCached(SPEND_KEY, SPEND_KEY);
  // "SubAddr" and a zero, eight bytes.
  store<u64>(MESSAGE, 0x0072646441627553);
  memory.copy(MESSAGE + 8, viewKey, 32);
  store<u32>(MESSAGE, major, 40);
  for (let at = 0; at < count; at += PER_BATCH) {
    const n = min(PER_BATCH, count - at);
    const vectors = (n + LANES - 1) / LANES;
    for (let v = 0; v < vectors; v++) {
      const p = POINTS + <usize>v * POINT;
      for (let lane = 0; lane < LANES; lane++) recodeOffset(lane, minor + at + v * LANES + lane);
      multiplyBase(p, SCALARS);
      addCachedT(p, p, SPEND_KEY);
    }
    compress(ENCODED, POINTS, vectors);
    memory.copy(out + ((<usize>at) << 5), ENCODED, (<usize>n) << 5);
  }
  wipe(MESSAGE, MESSAGE_SIZE);
  wipe(SCALAR, 32);
  wipe(SCALARS, RECODED);
  wipe(POINTS, <usize>BATCH * POINT);
  return 1;
}

/** Lane `lane` of SCALARS = the scalar that subaddress `minor` of the account in MESSAGE adds to the spend key. */
function recodeOffset(lane: i32, minor: u32): void {
  store<u32>(MESSAGE, minor, 44);
  keccak256(SCALAR, MESSAGE, MESSAGE_SIZE);
  scalarReduce32(SCALAR, SCALAR);
  recode(SCALARS, lane, SCALAR);
}
