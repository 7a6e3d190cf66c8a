import { nodeModule } from '../base/index.ts';
import { CryptoError } from './errors.ts';

/** URLs of the WebAssembly modules. Each is written out so that bundlers find and include the file. */
const URLS = {
  fma: new URL('../../wasm/build/nightjar-fma.wasm', import.meta.url),
  ext: new URL('../../wasm/build/nightjar-ext.wasm', import.meta.url),
  cryptonight: new URL('../../wasm/build/nightjar-cryptonight.wasm', import.meta.url),
  argon2: new URL('../../wasm/build/nightjar-argon2.wasm', import.meta.url),
};

/** A module of the kernels. */
export type KernelName = keyof typeof URLS;

/** Compiled code: a `WebAssembly.Module`, for which @types/node has no name, so that the library's types do not need a browser's. */
export type KernelCode = object;

/**
 * Compiles a module from its file (Node) or over the network (a page, a worker). The packed library replaces this file
 * (vite.library.config.ts): there the code is text inside a script, which every bundler includes.
 * @throws CryptoError `kernel-unavailable`, and the engine's errors for code it does not support
 */
export async function compileKernel(name: KernelName): Promise<KernelCode> {
  const url = URLS[name];
  if (url.protocol === 'file:') {
    const fs = nodeModule('node:fs');
    if (fs === undefined) throw new CryptoError('kernel-unavailable', 'expected a file system for a file URL');
    return WebAssembly.compile(new Uint8Array(await fs.promises.readFile(url)));
  }
  const response = await fetch(url);
  if (!response.ok)
    throw new CryptoError('kernel-unavailable', 'expected the kernels at their address', { status: response.status });
  const streams = response.headers.get('content-type')?.startsWith('application/wasm') === true;
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
