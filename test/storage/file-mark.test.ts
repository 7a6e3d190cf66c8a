import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { CHEAP_KDF, created, secrets } from './samples.ts';

let root: string;
let made = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'nightjar-mark-'));
});

afterAll(() => rm(root, { recursive: true }));

/** A wallet with a mark, closed. */
async function marked(mark: string): Promise<string> {
  const folder = join(root, String(made++));
  mkdirSync(folder);
  const journal = await storeIn(folder).create('w', 'pass', secrets(), [created]);
  await journal.setMark(mark);
  await journal.close();
  return folder;
}

const storeIn = (folder: string) => new FileJournalStore(folder, { kdf: CHEAP_KDF });

async function markIn(folder: string): Promise<string | undefined> {
  const journal = await storeIn(folder).open('w', 'pass');
  try {
    return await journal.mark();
  } finally {
    await journal.close();
  }
}

describe('T16 the mark of a wallet file', () => {
  it('is still there when the wallet is opened again', async () => {
    expect(await markIn(await marked('here'))).toBe('here');
  });

  it('is missing in a complete copy of the folder that preserves all times', async () => {
    const folder = await marked('here');
    const copy = `${folder}-copy`;
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
    expect(await markIn(copy)).toBeUndefined();
  });

  it('is missing in a folder that was restored over itself from an archive', async () => {
    const folder = await marked('before');
    const archive = `${folder}.tar`;
    execFileSync('tar', ['-cf', archive, '-C', folder, '.']);
    const journal = await storeIn(folder).open('w', 'pass');
    await journal.setMark('after');
    await journal.close();
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    expect(await markIn(folder)).toBeUndefined();
  });

  it('is missing where an older one was written in its place', async () => {
    const folder = await marked('before');
    const file = join(folder, 'w.nightjar.mark');
    const before = await readFile(file);
    const journal = await storeIn(folder).open('w', 'pass');
    await journal.setMark('after');
    await journal.close();
    await writeFile(file, before);
    expect(await markIn(folder)).toBeUndefined();
  });
});
