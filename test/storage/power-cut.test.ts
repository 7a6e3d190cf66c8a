import {
  copyFile,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FRAME_BYTES, splitContainer } from '../../src/storage/container.ts';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import type { Durability } from '../../src/wallet/ports.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { CHEAP_KDF, collect, created, noted, secrets, synced } from './samples.ts';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'nightjar-power-'));
});

afterAll(() => rm(root, { recursive: true }));

/** What a disk writes whole or not at all. */
const SECTOR = 512;

const storeIn = (folder: string) => new FileJournalStore(folder, { kdf: CHEAP_KDF });

/** A file as far as the disk is bound to have it, and as far as it was written: in between each sector may be there or not. */
interface Instant {
  readonly synced: number;
  readonly written: number;
  /** Records that were acknowledged strictly by then. */
  readonly acknowledged: number;
}

const appends: readonly (readonly [Durability, number])[] = [
  ['strict', 1],
  ['relaxed', 9],
  ['relaxed', 2],
  ['relaxed', 12],
  ['strict', 1],
  ['relaxed', 1],
  ['relaxed', 8],
];

/** Appends, and notes at each instant what the disk was told. */
async function written(folder: string): Promise<{ path: string; bytes: Uint8Array; instants: Instant[]; events: unknown[] }> {
  const journal = await storeIn(folder).create('w', 'pass', secrets(), [created]);
  const path = join(folder, 'w.nightjar');
  const file = await open(path, 'r');
  const prototype = Object.getPrototypeOf(file) as FileHandle;
  const [passSync, passWrite] = [prototype.datasync, prototype.write];
  const [sync, write] = [vi.spyOn(prototype, 'datasync'), vi.spyOn(prototype, 'write')];
  const length = async () => (await file.stat()).size;
  const events: unknown[] = [created];
  const instants: Instant[] = [];
  let [durable, acknowledged] = [await length(), 0];
  const note = async () => void instants.push({ synced: durable, written: await length(), acknowledged });
  write.mockImplementation(async function (this: FileHandle, ...words: unknown[]) {
    const done = await Reflect.apply(passWrite, this, words);
    await note();
    return done;
  } as never);
  sync.mockImplementation(async function (this: FileHandle) {
    await passSync.call(this);
    durable = await length();
    await note();
  });
  try {
    for (const [i, [durability, outputs]] of appends.entries()) {
      const record = [synced(i, outputs), noted(i)];
      await journal.append(record, durability);
      events.push(...record);
      if (durability === 'strict') acknowledged = events.length;
      await note();
    }
  } finally {
    sync.mockRestore();
    write.mockRestore();
    await file.close();
  }
  await journal.close();
  return { path, bytes: new Uint8Array(await readFile(path)), instants, events };
}

/** The file as a power cut may leave it: of what was not synced some sectors are there, others read as zeros, and its end may be missing. */
function cut(bytes: Uint8Array, { synced: from, written: to }: Instant, sampler: TestSampler): Uint8Array {
  const image = bytes.slice(0, to);
  for (let at = from; at < to; at = (Math.floor(at / SECTOR) + 1) * SECTOR) {
    if (sampler.below(2) === 0) image.fill(0, at, Math.min((Math.floor(at / SECTOR) + 1) * SECTOR, to));
  }
  return sampler.below(2) === 0 ? image : image.subarray(0, from + sampler.below(to - from + 1));
}

/** A wallet whose file is this, opened, read and appended to. */
async function reopened(folder: string, bytes: Uint8Array): Promise<unknown[]> {
  await writeFile(join(folder, 'w.nightjar'), bytes);
  const journal = await storeIn(folder).open('w', 'pass');
  try {
    const found = await collect(journal.read());
    await journal.append([noted(99)], 'strict');
    expect(await collect(journal.read())).toEqual([...found, noted(99)]);
    return found;
  } finally {
    await journal.close();
  }
}

describe('T16 power cut: a wallet file', () => {
  it('of which the disk had some sectors and not others opens with all that was acknowledged', { timeout: 60_000 }, async () => {
    const { bytes, instants, events } = await written(join(root, 'made'));
    const folder = join(root, 'cut');
    await mkdir(folder);
    const sampler = new TestSampler(16);
    for (const [n, instant] of instants.entries()) {
      for (let turn = 0; turn < 15; turn++) {
        const found = await reopened(folder, cut(bytes, instant, sampler));
        expect(found, `instant ${n}, turn ${turn}`).toEqual(events.slice(0, found.length));
        expect(found.length, `instant ${n}, turn ${turn}`).toBeGreaterThanOrEqual(instant.acknowledged);
      }
    }
  });

  it('that lost a sector of a record with others behind it is damaged, and loses none of those', async () => {
    const { bytes } = await written(join(root, 'whole'));
    const folder = join(root, 'lost');
    await mkdir(folder);
    const last = framesOf(bytes).at(-1)!;
    for (let at = framesOf(bytes)[1]!; at < last; at += SECTOR) {
      const lost = bytes.slice();
      lost.fill(0, at, Math.min(at - (at % SECTOR) + SECTOR, last));
      await expect(reopened(folder, lost), `from ${at}`).rejects.toMatchObject({ code: 'damaged' });
      expect(Buffer.compare(await readFile(join(folder, 'w.nightjar')), lost), `from ${at}`).toBe(0);
    }
  });

  it('whose disk failed to sync is written anew before it is relied on again', async () => {
    const folder = join(root, 'failed');
    const journal = await storeIn(folder).create('w', 'pass', secrets(), [created]);
    const path = join(folder, 'w.nightjar');
    const { ino } = await stat(path);
    const file = await open(path, 'r');
    const sync = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'datasync');
    await file.close();
    sync.mockRejectedValueOnce(Object.assign(new Error('worn out'), { code: 'EIO' }));
    try {
      await expect(journal.append([noted(1)], 'strict')).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      sync.mockRestore();
    }
    await journal.append([noted(2)], 'strict');
    await journal.close();
    expect((await stat(path)).ino).not.toBe(ino);
    expect(await reopened(folder, new Uint8Array(await readFile(path)))).toEqual([created, noted(2)]);
  });
});

describe('T16 a wallet file that somebody removed or put another one in place of', () => {
  it.each([
    ['removed', async (path: string) => rm(path)],
    ['replaced', async (path: string) => copyFile(path, `${path}.copy`).then(() => rename(`${path}.copy`, path))],
  ] as const)('%s: nothing is acknowledged that the next one to open it would not find', async (how, away) => {
    const folder = join(root, how);
    const journal = await storeIn(folder).create('w', 'pass', secrets(), [created]);
    await journal.append([noted(1)], 'strict');
    await away(join(folder, 'w.nightjar'));
    await expect(journal.append([noted(2)], 'strict')).rejects.toMatchObject({ code: 'removed' });
    await journal.close();
  });
});

describe('T16 crash: what a killed process leaves beside a wallet', () => {
  it('a name without a wallet is free', async () => {
    const folder = join(root, 'taken');
    await mkdir(folder);
    await writeFile(join(folder, 'w.nightjar'), '');
    const store = storeIn(folder);
    expect(store.has('w')).toBe(false);
    await (await store.create('w', 'pass', secrets(), [created])).close();
    expect(store.has('w')).toBe(true);
  });

  it('a half-written wallet is removed with the wallet', async () => {
    const folder = join(root, 'aside');
    const store = storeIn(folder);
    await (await store.create('w', 'pass', secrets(), [created])).close();
    await copyFile(join(folder, 'w.nightjar'), join(folder, 'w.nightjar.new'));
    await store.remove('w');
    expect((await readdir(folder)).filter((file) => file.startsWith('w'))).toEqual([]);
  });
});

/** Where each record's frame begins. */
function framesOf(bytes: Uint8Array): number[] {
  const { header, records } = splitContainer(bytes);
  let at = header.length;
  return records.map(({ length }) => {
    const frame = at;
    at += FRAME_BYTES + length;
    return frame;
  });
}
