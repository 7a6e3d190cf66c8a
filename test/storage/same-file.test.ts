import { link, lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { CHEAP_KDF, collect, created, noted, secrets } from './samples.ts';

/** Begins the name of a folder where names are found in any case, as on macOS and Windows. */
const ANY_CASE = 'nightjar-any-case-';

/** Leads a path in such a folder to the file that has its name in whatever case. No file system of a test machine does so. */
async function found(path: string): Promise<string> {
  const folder = dirname(path);
  if (!basename(folder).startsWith(ANY_CASE)) return path;
  const { readdir } = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises');
  const same = (await readdir(folder)).find((file) => file.toLowerCase() === basename(path).toLowerCase());
  return same === undefined ? path : join(folder, same);
}

vi.mock('node:fs/promises', async (whole) => {
  const real = await whole<typeof import('node:fs/promises')>();
  type Call = (path: string, ...rest: unknown[]) => unknown;
  const led = (['open', 'unlink', 'stat', 'lstat', 'readFile', 'realpath', 'rm'] as const).map((name) => {
    const call = real[name] as Call;
    return [name, async (path: string, ...rest: unknown[]) => call(await found(path), ...rest)] as const;
  });
  const rename = async (from: string, to: string) => real.rename(await found(from), await found(to));
  return { ...real, ...Object.fromEntries(led), rename };
});

const folders: string[] = [];
let folder: string;
let store: FileJournalStore;

const newFolder = async (start: string) => {
  const made = await mkdtemp(join(tmpdir(), start));
  folders.push(made);
  return made;
};
const storeIn = (where: string) => new FileJournalStore(where, { kdf: CHEAP_KDF });

afterAll(() => Promise.all(folders.map((made) => rm(made, { recursive: true }))));

describe('T17 two writers: where the file system finds names in any case', () => {
  beforeAll(async () => {
    folder = await newFolder(ANY_CASE);
    store = storeIn(folder);
    await (await store.create('savings', 'one', secrets(), [created, noted(1)])).close();
  });

  it('a wallet is not made over one whose name differs in case alone', async () => {
    await expect(store.create('Savings', 'two', secrets(), [created])).rejects.toMatchObject({ code: 'exists' });
    expect(await readdir(folder)).toEqual(['savings.nightjar']);
    const journal = await store.open('savings', 'one');
    expect(await collect(journal.read())).toEqual([created, noted(1)]);
    await journal.close();
  });

  it('of two made at once in two cases one is made, and opens', async () => {
    const made = await Promise.allSettled(
      ['Twins', 'twins'].map((name) => store.create(name, 'pass', secrets(), [created, noted(2)])),
    );
    const journals = made.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(journals).toHaveLength(1);
    await journals[0]?.close();
    const journal = await store.open('TWINS', 'pass');
    expect(await collect(journal.read())).toEqual([created, noted(2)]);
    await journal.close();
    await store.remove('tWins');
    expect(await readdir(folder)).toEqual(['savings.nightjar']);
  });

  it('one lock holds a wallet under all its names', async () => {
    const journal = await store.open('savings', 'one');
    await expect(store.open('SAVINGS', 'one')).rejects.toMatchObject({ code: 'locked' });
    await journal.close();
  });
});

describe('T17 two writers: a wallet reached by a link', () => {
  let linked: string;

  beforeAll(async () => {
    folder = await newFolder('nightjar-linked-');
    linked = await newFolder('nightjar-linked-');
    await (await storeIn(folder).create('w', 'old', secrets(), [created])).close();
    await symlink(join(folder, 'w.nightjar'), join(linked, 'w.nightjar'));
  });

  it('is open once', async () => {
    const journal = await storeIn(folder).open('w', 'old');
    await expect(storeIn(linked).open('w', 'old')).rejects.toMatchObject({ code: 'locked' });
    await journal.close();
  });

  it('changes its password in place', async () => {
    const journal = await storeIn(linked).open('w', 'old');
    await journal.changePassword('old', 'new');
    await journal.close();
    expect((await lstat(join(linked, 'w.nightjar'))).isSymbolicLink()).toBe(true);
    await expect(storeIn(folder).open('w', 'old')).rejects.toMatchObject({ code: 'wrong-password' });
    await (await storeIn(folder).open('w', 'new')).close();
  });

  it('is removed, link and file', async () => {
    await storeIn(linked).remove('w');
    expect([await readdir(linked), await readdir(folder)]).toEqual([[], []]);
  });

  it('is not made where a link leads nowhere', async () => {
    await symlink(join(folder, 'gone'), join(linked, 'x.nightjar'));
    await expect(storeIn(linked).create('x', 'pass', secrets(), [created])).rejects.toMatchObject({ code: 'exists' });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('T17 two writers: a wallet that another name has too, by a hard link', () => {
  it('continues in a file of its own once it is written to, and so does the other', async () => {
    folder = await newFolder('nightjar-hard-');
    store = storeIn(folder);
    await (await store.create('here', 'pass', secrets(), [created])).close();
    await link(join(folder, 'here.nightjar'), join(folder, 'there.nightjar'));
    const both = await Promise.all(['here', 'there'].map((name) => store.open(name, 'pass')));
    await Promise.all(both.map((journal, i) => journal.append([noted(i)], 'strict')));
    await Promise.all(both.map((journal) => journal.close()));
    for (const [i, name] of ['here', 'there'].entries()) {
      const journal = await store.open(name, 'pass');
      expect(await collect(journal.read()), name).toEqual([created, noted(i)]);
      await journal.close();
    }
  });
});

describe('T16 crash: a wallet whose creation was interrupted', () => {
  it('leaves its name free', async () => {
    folder = await newFolder('nightjar-cut-');
    await writeFile(join(folder, 'w.nightjar'), '');
    const journal = await storeIn(folder).create('w', 'pass', secrets(), [created]);
    await journal.close();
    expect((await readFile(join(folder, 'w.nightjar'))).length).toBeGreaterThan(0);
  });
});
