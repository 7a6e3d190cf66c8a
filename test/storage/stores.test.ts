import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { behaviours } from './contract.ts';
import { CHEAP_KDF } from './samples.ts';

let folder: string;
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nightjar-storage-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe.each([
  ['memory', async () => new MemoryJournalStore({ kdf: CHEAP_KDF })],
  ['files', async () => new FileJournalStore(join(folder, String(made++)), { kdf: CHEAP_KDF })],
] as const)('a journal store in %s', (_place, fresh) => {
  it.each(behaviours)('$name', ({ run }) => run(fresh));
});
