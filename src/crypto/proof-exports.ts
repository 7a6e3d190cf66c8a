import type { CurveExports } from './kernels-exports.ts';

/** Kernel functions that this room calls beside the curve: wasm/scalar.ts, wasm/keccak.ts, wasm/xchacha/, wasm/subaddress.ts, wasm/key-images.ts and the proofs; the comments there give the meaning of each. */
export interface CryptoExports extends CurveExports {
  keccak256(out: number, data: number, length: number): void;
  xchachaSeal(at: number, size: number, key: number, nonce: number, bound: number, boundSize: number): void;
  /** 1, or 0 where the tag is another. */
  xchachaOpen(at: number, size: number, key: number, nonce: number, bound: number, boundSize: number): number;
  scalarReduce64(out: number, wide: number): void;
  scalarReduce32(out: number, a: number): void;
  scalarMul(out: number, a: number, b: number): void;
  scalarMulAdd(out: number, a: number, b: number, c: number): void;
  scalarAdd(out: number, a: number, b: number): void;
  scalarSub(out: number, a: number, b: number): void;
  scalarNegate(out: number, a: number): void;
  scalarInvert(out: number, a: number): void;
  /** 1 or 0. */
  scalarIsCanonical(a: number): number;
  keyImages(out: number, ok: number, secrets: number, keys: number, count: number): void;
  /** 1, or 0 when the spend key is no point. */
  subaddressKeys(out: number, viewKey: number, spendKey: number, major: number, minor: number, count: number): number;
  /** A ring's context in the arena; 0 when something is no point or the memory cannot grow. */
  clsagRing(input: number, members: number, beside: boolean): number;
  clsagWeights(out: number, ring: number): void;
  clsagChallenge(c: number, ring: number, pair: number): void;
  clsagStep(c: number, rings: number, count: number, member: number, s: number): void;
  /** 1, or 0 when a commitment is no point or the memory cannot grow. */
  rangeProve(
    out: number,
    amounts: number,
    masks: number,
    commitments: number,
    outputs: number,
    rounds: number,
    nonces: number,
  ): number;
  /** 1 when all proofs hold. */
  rangeVerify(proofs: number, count: number, rounds: number, points: number): number;
}
