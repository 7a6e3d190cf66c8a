import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { IDENTITY, loadCrypto } from '../../src/crypto/index.ts';
import { ScanKernel } from '../../src/scan/index.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { makeReply, Payee } from './replies.ts';

const memories: WebAssembly.Memory[] = [];

beforeAll(async () => {
  await loadCrypto();
  const { Instance } = WebAssembly;
  vi.stubGlobal('WebAssembly', {
    ...Object.fromEntries(Object.getOwnPropertyNames(WebAssembly).map((name) => [name, Reflect.get(WebAssembly, name)])),
    Instance: new Proxy(Instance, {
      construct(made, given) {
        const instance = Reflect.construct(made, given) as WebAssembly.Instance;
        memories.push(instance.exports.memory as WebAssembly.Memory);
        return instance;
      },
    }),
  });
  return () => vi.unstubAllGlobals();
});
afterEach(() => void memories.splice(0));

it.each(['fma', 'ext'] as const)('T19 a scan leaves nothing that is shared with senders in its memory (%s)', async (force) => {
  const payee = new Payee(7, 4);
  const kernel = await ScanKernel.load({ force });
  kernel.setAccount(payee.account());
  const sampler = new TestSampler(5);
  let shared = 0;
  for (let i = 0; i < 20; i++) {
    const { outputs } = kernel.scan(makeReply(sampler, payee).slice().buffer as ArrayBuffer);
    const memory = Buffer.from(memories.at(-1)!.buffer);
    for (let at = 0; at < outputs.derivations.length; at += 32) {
      const derivation = Buffer.from(outputs.derivations.subarray(at, at + 32));
      // What a key that is no point shares is known to all.
      if (derivation.equals(IDENTITY as Uint8Array)) continue;
      shared += 1;
      expect(memory.indexOf(derivation)).toBe(-1);
    }
  }
  expect(shared).toBeGreaterThan(20);
});
