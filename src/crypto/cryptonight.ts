import { CryptoError } from './errors.ts';
import { compiledModule } from './kernels.ts';

/** Exports of wasm/cryptonight/index.ts. */
interface CryptoNightExports {
  readonly memory: WebAssembly.Memory;
  input(): number;
  inputCapacity(): number;
  output(): number;
  cryptonight(length: number): void;
}

/**
 * CryptoNight, variant 0: the memory-hard hash of at most 65,536 bytes, 32 bytes (`cn_slow_hash`, slow-hash.c), from which the keys of
 * encrypted exports are derived. Takes tens of milliseconds and 2 MiB; the module is loaded at first use.
 * @throws CryptoError `bad-length`, `kernel-unavailable`
 */
export async function cnSlowHash(data: Uint8Array): Promise<Uint8Array> {
  const instance = await WebAssembly.instantiate(await compiledModule('cryptonight'), {});
  const kernel = instance.exports as unknown as CryptoNightExports;
  if (data.length > kernel.inputCapacity()) {
    throw new CryptoError('bad-length', 'expected at most 65,536 bytes', { found: data.length });
  }
  new Uint8Array(kernel.memory.buffer).set(data, kernel.input());
  kernel.cryptonight(data.length);
  return new Uint8Array(kernel.memory.buffer).slice(kernel.output(), kernel.output() + 32);
}
