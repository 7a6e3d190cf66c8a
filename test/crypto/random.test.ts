import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import * as crypto from '../../src/crypto/index.ts';
import { seededRandom } from './seeded.ts';

beforeAll(() => crypto.loadCrypto());
afterEach(() => vi.unstubAllGlobals());

/** A source that fills every array it is given with what `next` returns. */
function source(next: () => number) {
  return { getRandomValues: (array: Uint8Array) => array.fill(next()) };
}

describe('T19 randomness', () => {
  test('a platform without a source stops', () => {
    for (const platform of [undefined, {}, { getRandomValues: undefined }]) {
      vi.stubGlobal('crypto', platform);
      expect(() => crypto.systemRandom.bytes(32)).toThrow(expect.objectContaining({ code: 'no-randomness' }));
      expect(() => crypto.randomScalar(crypto.systemRandom)).toThrow(expect.objectContaining({ code: 'no-randomness' }));
    }
  });

  test('a source that leaves arrays as they are stops', () => {
    vi.stubGlobal('crypto', { getRandomValues: (array: Uint8Array) => array });
    expect(() => crypto.systemRandom.bytes(32)).toThrow(expect.objectContaining({ code: 'weak-randomness' }));
  });

  test('a source that repeats one byte, or the same bytes each time, stops', () => {
    vi.stubGlobal(
      'crypto',
      source(() => 7),
    );
    expect(() => crypto.systemRandom.bytes(1)).toThrow(expect.objectContaining({ code: 'weak-randomness' }));
    const same = { getRandomValues: (array: Uint8Array) => array.fill(1, 1) };
    vi.stubGlobal('crypto', same);
    expect(() => crypto.systemRandom.bytes(1)).toThrow(expect.objectContaining({ code: 'weak-randomness' }));
  });

  test('every use of a port checks it too: a constant one signs nothing', () => {
    const constant: crypto.Random = { bytes: (n) => Uint8Array.from({ length: n }, (_, i) => i) };
    const short: crypto.Random = { bytes: () => new Uint8Array(0) };
    for (const random of [constant, short]) {
      const weak = expect.objectContaining({ code: 'weak-randomness' });
      expect(() => crypto.randomScalar(random)).toThrow(weak);
      expect(() => crypto.generateSignature(crypto.keccak256(), crypto.G, crypto.SCALAR_ONE, random)).toThrow(weak);
      expect(() => crypto.bulletproofPlusProve([1n], [crypto.SCALAR_ONE], random)).toThrow(weak);
      expect(() => crypto.bulletproofPlusVerify([], random)).not.toThrow();
    }
  });

  test('a nonce depends on the random bytes, the domain and where one input ends and the next begins', () => {
    const nonce = (seed: number, domain: string, ...inputs: number[][]) =>
      bytesToHex(crypto.hedgedScalar(seededRandom(seed), domain, ...inputs.map((input) => Uint8Array.from(input))));
    const variants = [
      nonce(1, 'a', [1, 2], [3]),
      nonce(2, 'a', [1, 2], [3]),
      nonce(1, 'b', [1, 2], [3]),
      nonce(1, 'a', [1], [2, 3]),
      nonce(1, 'a', [1, 2, 3]),
    ];
    expect(new Set(variants).size).toBe(variants.length);
    expect(nonce(1, 'a', [1, 2], [3])).toBe(variants[0]);
  });

  test('the working source gives as many bytes as asked, above its quota too', () => {
    const bytes = crypto.systemRandom.bytes(70_001);
    expect(bytes.length).toBe(70_001);
    expect(new Set(bytes.subarray(65_536)).size).toBeGreaterThan(200);
    expect(crypto.isCanonicalScalar(crypto.randomScalar(crypto.systemRandom))).toBe(true);
  });
});
