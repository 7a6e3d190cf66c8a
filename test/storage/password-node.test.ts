import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { hashInThread } from '../../src/storage/password-node.ts';
import { created, secrets } from './samples.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
/** Dearer than what is hashed in the thread that asks. */
const COST = { memory: 32_768, passes: 1, lanes: 1 };

test('a thread makes the hash of the reference program, and leaves the password to its owner', async () => {
  const input = { password: utf8('password'), salt: utf8('somesalt') };
  const hash = await hashInThread(input, { memory: 65_536, passes: 2, lanes: 1 }, 32);
  // test.c of phc-winner-argon2, version 0x13, Argon2id.
  expect(bytesToHex(hash)).toBe('09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7');
  expect(input.password).toEqual(utf8('password'));
});

test('a wallet in a file is made and opened without the memory of its password’s hash', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nightjar-hash-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = new FileJournalStore(folder, { kdf: COST });
  const before = process.memoryUsage().external;
  await (await store.create('w', 'pass', secrets(), [created])).close();
  await (await store.open('w', 'pass')).close();
  expect(process.memoryUsage().external - before).toBeLessThan((COST.memory * 1024) / 2);
});

test('a cost that Argon2 has not is refused as it is without a thread', async () => {
  const input = { password: utf8('password'), salt: utf8('somesalt') };
  await expect(hashInThread(input, { ...COST, passes: 0 }, 32)).rejects.toMatchObject({ code: 'bad-argument' });
});
