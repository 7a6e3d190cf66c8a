import { nodeModule } from '../base/index.ts';

/** Which field module: fused multiply-add, or extended multiply. */
export type FieldModule = 'fma' | 'ext';

/** Which kernels to load; by default those that this machine runs fastest. */
export interface KernelOptions {
  /** Loads this module and no other. For tests. */
  readonly force?: FieldModule;
}

/**
 * (f64, f64, f64) → f64: the first lane of f64x2.relaxed_madd of the three. One type, one function, exported as "f".
 */
const MADD_PROBE = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x01, 0x60, 0x03, 0x7c, 0x7c, 0x7c, 0x01, 0x7c],
  ...[0x03, 0x02, 0x01, 0x00, 0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00, 0x0a, 0x16, 0x01, 0x14, 0x00],
  ...[0x20, 0x00, 0xfd, 0x14, 0x20, 0x01, 0xfd, 0x14, 0x20, 0x02, 0xfd, 0x14, 0xfd, 0x87, 0x02, 0xfd, 0x21, 0x00, 0x0b],
);

/** Whether the engine has relaxed SIMD and its multiply-add rounds once. In Node 20 this first turns relaxed SIMD on. */
export function hasFusedMultiplyAdd(): boolean {
  if (!WebAssembly.validate(MADD_PROBE)) {
    nodeModule('node:v8')?.setFlagsFromString('--experimental-wasm-relaxed-simd');
    if (!WebAssembly.validate(MADD_PROBE)) return false;
  }
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(MADD_PROBE)).exports as {
    f: (a: number, b: number, c: number) => number;
  };
  const x = 1 + 2 ** -30;
  return f(x, x, -(1 + 2 ** -29)) === 2 ** -60;
}
