import { expect, test, vi } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { hashInThread } from '../../src/storage/password-node.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test('a thread makes the hash of the reference program, and leaves the password to its owner', async () => {
  const input = { password: utf8('password'), salt: utf8('somesalt') };
  const hash = await hashInThread(input, { memory: 65_536, passes: 2, lanes: 1 }, 32);
  // test.c of phc-winner-argon2, version 0x13, Argon2id.
  expect(bytesToHex(hash)).toBe('09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7');
  expect(input.password).toEqual(utf8('password'));
});

test('the same hash is made where the system gives no thread', async () => {
  vi.resetModules();
  vi.doMock('node:worker_threads', () => ({
    Worker: class {
      constructor() {
        throw Object.assign(new Error('no thread'), { code: 'ERR_WORKER_INIT_FAILED' });
      }
    },
  }));
  try {
    const alone = await import('../../src/storage/password-node.ts');
    const asked = [{ password: utf8('password'), salt: utf8('somesalt') }, { memory: 8200, passes: 1, lanes: 1 }, 32] as const;
    expect(await alone.hashInThread(...asked)).toEqual(await hashInThread(...asked));
  } finally {
    vi.doUnmock('node:worker_threads');
  }
});

test('a cost that Argon2 has not is refused as it is without a thread', async () => {
  const input = { password: utf8('password'), salt: utf8('somesalt') };
  await expect(hashInThread(input, { memory: 65_536, passes: 0, lanes: 1 }, 32)).rejects.toMatchObject({ code: 'bad-argument' });
});
