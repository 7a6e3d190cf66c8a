/**
 * Loads the kernels: WebAssembly compiled from wasm/, in two field modules with one interface.
 *
 * `fma` is built on the fused multiply-add of relaxed SIMD, `ext` on plain SIMD. Which one is used is decided by testing: an engine may
 * accept the instruction and round twice, and then every product is silently wrong. Each new instance multiplies a few points with known
 * answers before it may be used.
 *
 * An instance has its own memory and no threads, and serves one caller at a time (all calls are synchronous). There can be several: they
 * share the compiled code.
 */
import { equalBytes, hexToBytes, valueAt } from '../base/index.ts';
import { CryptoError } from './errors.ts';
import { type FieldModule, hasFusedMultiplyAdd, type KernelOptions } from './field-module.ts';
import { compileKernel, type KernelCode, type KernelName } from './kernel-files.ts';
import type { CurveExports } from './kernels-exports.ts';

/** A tested instance. `E` is the module's exports, for callers who use more than the curve. */
export class Kernels<E extends CurveExports = CurveExports> {
  readonly field: FieldModule;
  readonly exports: E;
  readonly #module: KernelCode;

  constructor(field: FieldModule, module: KernelCode) {
    this.field = field;
    this.#module = module;
    this.exports = new WebAssembly.Instance(module, {}).exports as unknown as E;
  }

  /** Another instance of the same code with small memory: WebAssembly memory grows and never shrinks. */
  fresh(): Kernels<E> {
    return new Kernels<E>(this.field, this.#module);
  }

  /** The current memory. A call that allocates may replace it: read it again after each. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.exports.memory.buffer);
  }

  /** @throws CryptoError `kernel-unavailable` when the memory cannot grow */
  alloc(size: number): number {
    const at = this.exports.alloc(size);
    if (at === 0) throw new CryptoError('kernel-unavailable', 'expected memory for the kernels to grow', { size });
    return at;
  }

  /** Copies bytes into the arena and returns their address. */
  put(bytes: Uint8Array): number {
    const at = this.alloc(bytes.length);
    this.bytes.set(bytes, at);
    return at;
  }

  /** A copy of `length` bytes at `at`. */
  take(at: number, length: number): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(at, at + length);
  }

  /** Runs `work`, then wipes and frees what it allocated in the arena. */
  scratch<T>(work: () => T): T {
    const mark = this.exports.mark();
    try {
      return work();
    } finally {
      this.exports.wipe(mark, this.exports.mark() - mark);
      this.exports.release(mark);
    }
  }
}

const compiled = new Map<KernelName, Promise<KernelCode>>();

/** A module, compiled once. A failed compilation is tried again. @throws CryptoError `kernel-unavailable` */
export function compiledModule(name: KernelName): Promise<KernelCode> {
  return valueAt(compiled, name, () =>
    compileKernel(name).catch((cause: unknown) => {
      compiled.delete(name);
      throw cause instanceof CryptoError
        ? cause
        : new CryptoError('kernel-unavailable', `expected WebAssembly with SIMD, and the built kernel ${name}`);
    }),
  );
}

/** A new, tested instance. */
async function instantiate<E extends CurveExports>(field: FieldModule): Promise<Kernels<E> | undefined> {
  const kernels = new Kernels<E>(field, await compiledModule(field));
  return answersRight(kernels) ? kernels : undefined;
}

/**
 * 8·3·P for the generator and for the generator plus a point of order 8 is 24·G, as is 24·G from the table; with one byte more it is not a
 * point.
 */
function answersRight(kernels: Kernels): boolean {
  return kernels.scratch(() => {
    const { exports } = kernels;
    const inputs = kernels.put(hexToBytes(`${SELF_TEST.generator}${SELF_TEST.generatorPlusTorsion}${SELF_TEST.notAPoint}`));
    const scalars = kernels.put(hexToBytes(`03${'00'.repeat(31)}18${'00'.repeat(31)}`));
    const out = kernels.alloc(4 * 32);
    const ok = kernels.alloc(3);
    exports.deriveBatch(out, ok, scalars, inputs, 3);
    exports.multiplyBaseBatch(out + 96, scalars + 32, 1);
    const right = hexToBytes(SELF_TEST.times24);
    const same = (at: number) => equalBytes(kernels.take(at, 32), right);
    return same(out) && same(out + 32) && same(out + 96) && kernels.take(ok, 3).join() === '1,1,0';
  });
}

const SELF_TEST = {
  generator: `58${'66'.repeat(31)}`,
  generatorPlusTorsion: '98519eadf35b995233b51b5cd23e9cc5a28b639b5a4af0ec903cb960d81b7819',
  notAPoint: `02${'00'.repeat(31)}`,
  times24: 'f1797bed4f44b2e7080dc20812d29fdfcd93208acf33ca6d89b977c8931b4ee0',
};

/**
 * A new instance of the fastest module that this engine runs correctly.
 * @throws CryptoError `kernel-unavailable`: no SIMD, the built files are missing, or no module (or not the forced one) answers correctly
 */
export async function loadKernels<E extends CurveExports = CurveExports>(options: KernelOptions = {}): Promise<Kernels<E>> {
  const { force } = options;
  if (force !== 'ext' && hasFusedMultiplyAdd()) {
    const kernels = await instantiate<E>('fma');
    if (kernels !== undefined) return kernels;
  }
  if (force !== 'fma') {
    const kernels = await instantiate<E>('ext');
    if (kernels !== undefined) return kernels;
  }
  throw new CryptoError('kernel-unavailable', 'expected an engine that multiplies points rightly');
}
