/**
 * The kernels' entry: everything that a host may call. Compiled twice by `scripts/build-kernels.mjs`, once for each field module.
 */
import { initHashToPoint } from './curve/hash-to-point';
import { initPoint } from './curve/point';
import { LANES } from './field/index';
import { initPower } from './field/power';

initPower();
initPoint();
initHashToPoint();

export { alloc, mark, release, wipe } from './memory';
export {
  addBatch,
  checkPoints,
  deriveBatch,
  deriveBatchVartime,
  hashToPointBatch,
  multiplyBaseBatch,
  multiplyBatch,
  multiplySum,
  timesEightBatch,
} from './curve/ops';

export { VIEW_KEY, allocateSpendKeys, forgetAccount, indexSpendKeys } from './scan/account';
export * from './scan/records';
export { scanReply } from './scan/reply';
export { clsagChallenge, clsagRing, clsagStep, clsagWeights } from './clsag';
export { keccak256 } from './keccak';
export { keyImages } from './key-images';
export { rangeProve } from './range/prove';
export { rangeVerify } from './range/verify';
export {
  scalarAdd,
  scalarInvert,
  scalarIsCanonical,
  scalarMul,
  scalarMulAdd,
  scalarNegate,
  scalarReduce32,
  scalarReduce64,
  scalarSub,
} from './scalar';
export { subaddressKeys } from './subaddress';
export { xchachaOpen, xchachaSeal } from './xchacha/index';

/** Elements processed at once: 2 with fused multiply-add, 4 without. */
export function lanes(): i32 {
  return LANES;
}
