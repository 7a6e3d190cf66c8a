import { argon2id as oracle } from '@noble/hashes/argon2.js';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { argon2id, CryptoError, readyArgon2 } from '../../src/crypto/index.ts';

const filled = (length: number, byte: number) => new Uint8Array(length).fill(byte);

/** What @noble/hashes says. */
const expected = (password: Uint8Array, salt: Uint8Array, memory: number, passes: number, lanes: number, length: number) =>
  bytesToHex(oracle(password, salt, { m: memory, t: passes, p: lanes, dkLen: length }));

describe('argon2id', () => {
  test('the test vector of RFC 9106, 5.3, with a secret and associated data', async () => {
    const input = { password: filled(32, 1), salt: filled(16, 2), secret: filled(8, 3), associated: filled(12, 4) };
    const hash = await argon2id(input, { memory: 32, passes: 3, lanes: 4 }, 32);
    expect(bytesToHex(hash)).toBe('0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659');
  });

  test("the reference program's hash at the cost of a wallet", async () => {
    const input = { password: new TextEncoder().encode('password'), salt: new TextEncoder().encode('somesalt') };
    const hash = await argon2id(input, { memory: 65_536, passes: 2, lanes: 1 }, 32);
    // test.c of phc-winner-argon2, version 0x13, Argon2id.
    expect(bytesToHex(hash)).toBe('09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7');
  });

  test('any password, salt, cost and length as another implementation has it', async () => {
    const cost = fc
      .record({
        lanes: fc.integer({ min: 1, max: 5 }),
        more: fc.integer({ min: 0, max: 200 }),
        passes: fc.integer({ min: 1, max: 4 }),
      })
      .map(({ lanes, more, passes }) => ({ lanes, passes, memory: 8 * lanes + more }));
    const text = (least: number) => fc.uint8Array({ minLength: least, maxLength: 300 });
    const length = fc.integer({ min: 4, max: 300 });
    await fc.assert(
      fc.asyncProperty(text(0), text(8), cost, length, async (password, salt, { memory, passes, lanes }, bytes) => {
        const hash = await argon2id({ password, salt }, { memory, passes, lanes }, bytes);
        expect(bytesToHex(hash)).toBe(expected(password, salt, memory, passes, lanes, bytes));
      }),
      { numRuns: 60 },
    );
  });

  test('sixteen lanes, as many as a header may ask for, over segments of more than one block of addresses', async () => {
    const [password, salt] = [filled(5, 5), filled(16, 6)];
    const hash = await argon2id({ password, salt }, { memory: 16 * 4 * 130, passes: 2, lanes: 16 }, 32);
    expect(bytesToHex(hash)).toBe(expected(password, salt, 16 * 4 * 130, 2, 16, 32));
  });

  test('refuses a cost and a length that Argon2 has not', async () => {
    const refusal = async (memory: number, passes: number, lanes: number, length: number, size = 1) => {
      const input = { password: filled(size, 1), salt: filled(16, 1) };
      const error = await argon2id(input, { memory, passes, lanes }, length).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      return error instanceof CryptoError ? error.code : error;
    };
    expect(await refusal(15, 1, 2, 32)).toBe('bad-argument');
    expect(await refusal(8, 0, 1, 32)).toBe('bad-argument');
    expect(await refusal(8, 1, 0, 32)).toBe('bad-argument');
    expect(await refusal(8, 1, 1, 3)).toBe('bad-argument');
    expect(await refusal(8, 1, 1, 1025)).toBe('bad-argument');
    // What would wrap around in 32 bits to a cheap hash, or to none.
    const beyond = 2 ** 32;
    expect(await refusal(beyond + 8, 1, 1, 32)).toBe('bad-argument');
    expect(await refusal(8, beyond, 1, 32)).toBe('bad-argument');
    expect(await refusal(16 * beyond, 1, beyond, 32)).toBe('bad-argument');
    expect(await refusal(2 ** 28, 1, 2 ** 24, 32)).toBe('bad-argument');
    for (const odd of [8.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await refusal(odd, 1, 1, 32)).toBe('bad-argument');
      expect(await refusal(512, odd, 1, 32)).toBe('bad-argument');
      expect(await refusal(512, 1, odd, 32)).toBe('bad-argument');
      expect(await refusal(512, 1, 1, odd)).toBe('bad-argument');
    }
    expect(await refusal(5_000_000, 1, 1, 32)).toBe('kernel-unavailable');
    // A password of more than the kernel's first page, too.
    expect(await refusal(5_000_000, 1, 1, 32, 200_000)).toBe('kernel-unavailable');
  });

  test('leaves a memory in which nothing depends on what was hashed', async () => {
    const instantiate = vi.spyOn(WebAssembly, 'instantiate');
    try {
      const left = async (byte: number): Promise<Buffer> => {
        const input = {
          password: filled(3000, byte),
          salt: filled(16, byte),
          secret: filled(9, byte),
          associated: filled(9, byte),
        };
        await argon2id(input, { memory: 600, passes: 2, lanes: 2 }, 1024);
        const { exports } = (await instantiate.mock.results.at(-1)!.value) as WebAssembly.Instance;
        return Buffer.from((exports.memory as WebAssembly.Memory).buffer);
      };
      const [one, other] = [await left(1), await left(2)];
      expect(one.length).toBeGreaterThan(600 * 1024);
      expect(one.equals(other)).toBe(true);
    } finally {
      instantiate.mockRestore();
    }
  });

  test('a kernel that was made ready, wholly or in part, for as much memory or another amount, makes the same hash', async () => {
    const input = { password: filled(5000, 5), salt: filled(16, 6) };
    const hash = bytesToHex(await argon2id(input, { memory: 3000, passes: 2, lanes: 2 }, 32));
    for (const memory of [8, 3000, 20_000]) {
      for (const steps of [0, 3, Number.POSITIVE_INFINITY]) {
        let left = steps;
        const ready = await readyArgon2(memory, async () => left-- > 0);
        expect(ready.memory.buffer.byteLength).toBeGreaterThan(memory * 1024);
        expect(bytesToHex(await argon2id(input, { memory: 3000, passes: 2, lanes: 2 }, 32, ready))).toBe(hash);
      }
    }
  });

  test('a kernel that was to be ready for more memory than there is hashes what there is room for', async () => {
    const ready = await readyArgon2(5_000_000, async () => true);
    const input = { password: filled(1, 1), salt: filled(16, 1) };
    expect(await argon2id(input, { memory: 8, passes: 1, lanes: 1 }, 32, ready)).toEqual(
      await argon2id(input, { memory: 8, passes: 1, lanes: 1 }, 32),
    );
  });

  test('says that no kernel is there where the engine has no room for one', async () => {
    const instantiate = vi.spyOn(WebAssembly, 'instantiate').mockRejectedValue(new RangeError('out of memory'));
    try {
      const asked = argon2id({ password: filled(1, 1), salt: filled(16, 1) }, { memory: 8, passes: 1, lanes: 1 }, 32);
      await expect(asked).rejects.toMatchObject({ name: 'CryptoError', code: 'kernel-unavailable' });
    } finally {
      instantiate.mockRestore();
    }
  });
});
