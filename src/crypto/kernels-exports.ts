/**
 * Exports of a compiled kernel module: `wasm/index.ts`, whose comments give the meaning of each. Pointers are byte addresses in the
 * instance's memory; `ok` arrays have one byte for each point.
 */
export interface CurveExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Elements worked on at once: 2 (fma) or 4 (ext). */
  lanes(): number;
  mark(): number;
  /** 0 when the memory cannot grow. */
  alloc(size: number): number;
  release(mark: number): void;
  wipe(at: number, size: number): void;
  checkPoints(ok: number, points: number, count: number): void;
  deriveBatch(out: number, ok: number, scalar: number, points: number, count: number): void;
  deriveBatchVartime(out: number, ok: number, scalar: number, points: number, count: number): void;
  multiplyBatch(out: number, ok: number, scalars: number, points: number, count: number, vartime: number): void;
  multiplyBaseBatch(out: number, scalars: number, count: number): void;
  addBatch(out: number, ok: number, a: number, b: number, count: number, minus: number): void;
  timesEightBatch(out: number, ok: number, points: number, count: number): void;
  hashToPointBatch(out: number, hashes: number, count: number, cofactor: number): void;
  multiplySum(out: number, scalars: number, points: number, count: number, vartime: number): number;
}
