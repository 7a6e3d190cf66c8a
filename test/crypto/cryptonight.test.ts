import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { asciiToBytes, bytesToHex } from '../../src/base/index.ts';
import { cnSlowHash } from '../../src/crypto/index.ts';
import { Fields, vectorLines } from './vector-lines.ts';

test('every line of hash-cn-slow-v0.txt', async () => {
  for (const words of vectorLines('hash-cn-slow-v0.txt')) {
    const fields = new Fields(words);
    const hash = fields.word();
    expect(bytesToHex(await cnSlowHash(fields.bytes()))).toBe(hash);
    fields.end();
  }
});

type Hash = (out: number, data: number, length: number) => void;

/** The four hashes that CryptoNight may end with; the answers for the empty string are those of their authors' submissions. */
const LAST_STEPS = {
  blake256: '716f6e863f744b9ac22c97ec7b76ea5f5908bc5b2f67c61510bfc4751384ea7a',
  groestl256: '1a52d11d550039be16107f9c58db9ebcc417f16f736adb2502567119f0083467',
  jh256: '46e64619c18bb0a92a5e87185a47eef83ca747b8fcc8e1412921357e326df434',
  skein512_256: '39ccc4554a8b31853b9de7a1fe638a24cce6b35a55f2431009e18780335d2621',
} as const;

describe('what CryptoNight ends with', () => {
  const binary = readFileSync(new URL('../../wasm/build/nightjar-cryptonight.wasm', import.meta.url));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary));
  const kernel = exports as unknown as Record<keyof typeof LAST_STEPS, Hash> & {
    memory: WebAssembly.Memory;
    input(): number;
    output(): number;
  };

  test.each(Object.entries(LAST_STEPS))('%s of nothing', (name, answer) => {
    kernel[name as keyof typeof LAST_STEPS](kernel.output(), kernel.input(), 0);
    expect(bytesToHex(new Uint8Array(kernel.memory.buffer, kernel.output(), 32))).toBe(answer);
  });
});

test('nothing of the hashed data is left in a fresh answer, and too much data is refused', async () => {
  const one = await cnSlowHash(asciiToBytes('one'));
  expect(one).not.toEqual(await cnSlowHash(asciiToBytes('two')));
  expect(one).toEqual(await cnSlowHash(asciiToBytes('one')));
  await expect(cnSlowHash(new Uint8Array(65_537))).rejects.toMatchObject({ code: 'bad-length' });
});
