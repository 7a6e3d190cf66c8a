import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { CHEAP_KDF, created, secrets } from './samples.ts';

/** Of NFS, in statfs(2). */
const NFS = 0x6969;
let ownDisk = true;
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return { ...real, statfs: async (path: string) => ({ ...(await real.statfs(path)), ...(ownDisk ? {} : { type: NFS }) }) };
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nightjar-shared-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('T17 on a shared disk the lock of another kernel counts as held, and the error names the file that the person may remove', async () => {
  const store = new FileJournalStore(folder, { kdf: CHEAP_KDF });
  const journal = await store.create('w', 'pass', secrets(), [created]);
  const [own] = (await readdir(folder)).filter((name) => name.startsWith('.lock-'));
  await journal.close();
  // As a machine leaves it that shares the folder, or this one before it was started again.
  const left = own!.replace(/[0-9a-f]{8}-[0-9a-f]{12}$/, '00000000-000000000000');
  await writeFile(join(folder, left), '');

  ownDisk = false;
  const refused = { code: 'locked', message: expect.stringContaining(`remove ${left} from the folder`), data: { left } };
  await expect(store.open('w', 'pass')).rejects.toMatchObject(refused);
  await rm(join(folder, left));
  await (await store.open('w', 'pass')).close();

  await writeFile(join(folder, left), '');
  ownDisk = true;
  await (await store.open('w', 'pass')).close();
  expect(await readdir(folder)).toEqual(['w.nightjar']);
});
