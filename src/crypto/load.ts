import { CryptoError } from './errors.ts';
import type { KernelOptions } from './field-module.ts';
import { type Kernels, loadKernels } from './kernels.ts';
import type { CryptoExports } from './proof-exports.ts';

let loaded: Kernels<CryptoExports> | undefined;
let loading: Promise<Kernels<CryptoExports>> | undefined;

/**
 * Prepares this room: compiles, tests and stores one instance of the kernels. Call it once before anything else here (only hashing works
 * without); further calls take no time.
 * @throws CryptoError `kernel-unavailable` where WebAssembly with SIMD or the kernels are missing
 */
export async function loadCrypto(): Promise<void> {
  loading ??= loadKernels<CryptoExports>().catch((cause: unknown) => {
    loading = undefined;
    throw cause;
  });
  loaded = await loading;
}

/** As {@link loadCrypto}, with a new instance of the named field module: for tests and measurements. */
export async function reloadCrypto(options: KernelOptions): Promise<void> {
  loaded = await loadKernels<CryptoExports>(options);
}

/** The instance, or undefined before {@link loadCrypto}. */
export function kernelsIfLoaded(): Kernels<CryptoExports> | undefined {
  return loaded;
}

/** The instance. @throws CryptoError `not-loaded` before {@link loadCrypto} */
export function kernels(): Kernels<CryptoExports> {
  if (loaded === undefined) throw new CryptoError('not-loaded', 'expected loadCrypto() to have resolved before this call');
  return loaded;
}
