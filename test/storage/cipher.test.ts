import * as nodeCrypto from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32, crc32ByTable } from '../../src/base/index.ts';
import { loadKernels } from '../../src/crypto/kernels.ts';
import type { CryptoExports } from '../../src/crypto/proof-exports.ts';
import { cipher, jsCipher, nodeCipher, wasmCipher } from '../../src/storage/seal/cipher.ts';

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const given = fc.record({
  key: bytesOf(32),
  nonce: bytesOf(24),
  bound: fc.uint8Array(),
  plain: fc.uint8Array({ maxLength: 300 }),
});
const flipped = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));

const kernel = wasmCipher(await loadKernels<CryptoExports>({ force: 'ext' }));

describe('the cipher of journals', () => {
  const node = nodeCipher(nodeCrypto);

  it('is one in Node, in the kernels and in JavaScript: each opens what the others sealed', () => {
    fc.assert(
      fc.property(given, ({ key, nonce, bound, plain }) => {
        const sealed = jsCipher.encrypt(key, nonce, bound, plain);
        expect(Uint8Array.from(node.encrypt(key, nonce, bound, plain))).toEqual(sealed);
        expect(kernel.encrypt(key, nonce, bound, plain)).toEqual(sealed);
        expect(node.decrypt(key, nonce, bound, sealed)).toEqual(plain);
        expect(kernel.decrypt(key, nonce, bound, sealed)).toEqual(plain);
        expect(jsCipher.decrypt(key, nonce, bound, sealed)).toEqual(plain);
      }),
      { numRuns: 200 },
    );
  });

  it('matches the vectors of the draft', () => {
    const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
    const key = Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i);
    const nonce = Uint8Array.from({ length: 24 }, (_, i) => 0x40 + i);
    const bound = hex('50515253c0c1c2c3c4c5c6c7');
    const text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.";
    const tag = 'c0875924c1c7987947deafd8780acf49';
    for (const one of [node, kernel, jsCipher, cipher]) {
      const sealed = one.encrypt(key, nonce, bound, new TextEncoder().encode(text));
      expect(Buffer.from(sealed.subarray(-16)).toString('hex')).toBe(tag);
    }
  });

  it.each([
    ['Node', node],
    ['a kernel', kernel],
    ['JavaScript', jsCipher],
  ])('in %s opens nothing that was changed, or under another key, nonce or binding', (_, one) => {
    const [key, nonce, bound, plain] = [new Uint8Array(32), new Uint8Array(24), Uint8Array.of(1), Uint8Array.of(2, 3)];
    const sealed = one.encrypt(key, nonce, bound, plain);
    expect(one.decrypt(key, nonce, bound, sealed)).toEqual(plain);
    for (let at = 0; at < sealed.length; at++) expect(one.decrypt(key, nonce, bound, flipped(sealed, at))).toBeUndefined();
    expect(one.decrypt(flipped(key, 31), nonce, bound, sealed)).toBeUndefined();
    for (const at of [0, 15, 16, 23]) expect(one.decrypt(key, flipped(nonce, at), bound, sealed)).toBeUndefined();
    expect(one.decrypt(key, nonce, Uint8Array.of(0), sealed)).toBeUndefined();
  });

  it('takes bytes that lie anywhere in a buffer of Node', () => {
    const [key, nonce] = [new Uint8Array(32), Buffer.from('a'.repeat(25)).subarray(1)];
    const sealed = jsCipher.encrypt(key, Uint8Array.from(nonce), nonce, Uint8Array.of(7));
    expect(node.decrypt(key, nonce, nonce, Buffer.from(sealed))).toEqual(Uint8Array.of(7));
  });

  it('gives bytes of their own, no view of a pool', () => {
    const [key, nonce, bound] = [new Uint8Array(32), new Uint8Array(24), new Uint8Array(0)];
    const plain = node.decrypt(key, nonce, bound, node.encrypt(key, nonce, bound, Uint8Array.of(1, 2, 3)))!;
    const copy = plain.slice(0, 2);
    plain.fill(0);
    expect(copy).toEqual(Uint8Array.of(1, 2));
  });
});

describe('CRC-32', () => {
  it('is that of zip', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf4_3926);
    expect(crc32(new Uint8Array(0))).toBe(0);
  });

  it('is the same for any alignment of the bytes', () => {
    const slow = (bytes: Uint8Array): number => {
      let value = 0xffff_ffff;
      for (const byte of bytes) {
        value ^= byte;
        for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
      }
      return ~value >>> 0;
    };
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect([crc32(bytes), crc32ByTable(bytes)]).toEqual([slow(bytes), slow(bytes)]);
      }),
    );
  });
});
