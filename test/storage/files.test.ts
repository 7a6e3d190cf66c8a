import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stringifyJson } from '../../src/base/index.ts';
import { referenceFiles } from '../../src/cli/wallet-rpc/reference-files.ts';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { findProgram } from '../support/child.ts';
import { CHEAP_KDF, collect, created, noted, secrets, synced } from './samples.ts';

let root: string;
let made = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'nightjar-files-'));
});

afterAll(() => rm(root, { recursive: true }));

const newFolder = () => join(root, String(made++));
const storeIn = (folder: string) => new FileJournalStore(folder, { kdf: CHEAP_KDF });
const last = [noted(3)];

/** A wallet of four records on disk; returns its file's path and bytes, and where the last record begins. */
async function wallet(): Promise<{ folder: string; path: string; bytes: Uint8Array; lastRecord: number }> {
  const folder = newFolder();
  const journal = await storeIn(folder).create('w', 'pass', secrets(), [created]);
  await journal.append([noted(1)], 'relaxed');
  await journal.append([synced(1), noted(2)], 'relaxed');
  const lastRecord = (await journal.backup()).length;
  await journal.append(last, 'strict');
  await journal.close();
  const path = join(folder, 'w.nightjar');
  return { folder, path, bytes: new Uint8Array(await readFile(path)), lastRecord };
}

const earlier = [created, noted(1), synced(1), noted(2)];

async function readAll(folder: string) {
  const journal = await storeIn(folder).open('w', 'pass');
  try {
    return await collect(journal.read());
  } finally {
    await journal.close();
  }
}

describe('T16 crash: a wallet file', () => {
  it('cut at any byte of its last record opens with all earlier ones, and takes new ones', async () => {
    const { folder, path, bytes, lastRecord } = await wallet();
    for (let end = lastRecord; end < bytes.length; end++) {
      await writeFile(path, bytes.subarray(0, end));
      const journal = await storeIn(folder).open('w', 'pass');
      expect(await collect(journal.read()), `cut at ${end}`).toEqual(earlier);
      await journal.append([noted(9)], 'strict');
      await journal.close();
      expect(await readAll(folder), `appended after a cut at ${end}`).toEqual([...earlier, noted(9)]);
    }
  });

  it('whose last record the disk left as zeros opens with all earlier ones', async () => {
    const { folder, path, bytes, lastRecord } = await wallet();
    for (const kept of [0, 1, 11, 12, 40, bytes.length - lastRecord - 16]) {
      const torn = bytes.slice();
      torn.fill(0, lastRecord + kept);
      await writeFile(path, torn);
      expect(await readAll(folder), `zeros after ${kept} bytes`).toEqual(earlier);
    }
  });

  it('is left as it is by a wrong password, torn end included', async () => {
    const { folder, path, bytes } = await wallet();
    const torn = bytes.subarray(0, bytes.length - 5);
    await writeFile(path, torn);
    await expect(storeIn(folder).open('w', 'word')).rejects.toMatchObject({ code: 'wrong-password' });
    expect(Buffer.compare(await readFile(path), torn)).toBe(0);
  });

  it('survives a process killed while it appends, with everything acknowledged', { timeout: 60_000 }, async () => {
    for (const after of [1, 7, 20]) {
      const folder = newFolder();
      const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'writer.ts'), folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let acknowledged = 0;
      for await (const chunk of child.stdout) {
        acknowledged += String(chunk).length;
        if (acknowledged >= after) child.kill('SIGKILL');
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      expect(child.signalCode).toBe('SIGKILL');
      const events = await readAll(folder);
      expect(events.length).toBeGreaterThanOrEqual(1 + acknowledged);
      expect(events).toEqual([created, ...events.slice(1).map((_, n) => noted(n))]);
    }
  });
});

describe('T16 power cut: a wallet file', () => {
  it('is synced to the disk before a strict append is acknowledged', { timeout: 60_000 }, async () => {
    const folder = newFolder();
    const trace = join(root, 'trace');
    const calls = ['-f', '-qq', '-e', 'trace=fdatasync,pwrite64,write', '-o', trace];
    const words = [...calls, process.execPath, '--import', 'tsx', join(import.meta.dirname, 'writer.ts'), folder];
    // The system's calls themselves, in their order: strace(1).
    const child = spawn(findProgram('strace', 'strace'), words, { stdio: ['ignore', 'pipe', 'ignore'] });
    let acknowledged = 0;
    for await (const chunk of child.stdout) {
      acknowledged += String(chunk).length;
      // Nobody reads any more: the writer ends, and the trace with it.
      if (acknowledged >= 5) break;
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const order = (await readFile(trace, 'utf8')).split('\n').flatMap((line) => {
      if (/fdatasync\(\d+\) += 0|fdatasync resumed>\) += 0/.test(line)) return 'sync';
      if (/pwrite64\(/.test(line)) return 'write';
      return /write\(1, "\./.test(line) ? 'acknowledged' : [];
    });
    const first = order.indexOf('acknowledged');
    expect(order.filter((call) => call === 'acknowledged').length).toBeGreaterThanOrEqual(5);
    for (let i = first; i < order.length; i++) if (order[i] === 'acknowledged') expect(order[i - 1], `call ${i}`).toBe('sync');
  });
});

describe('T16 damage: a wallet file', () => {
  it('with any byte changed says so and is not written to, or reads as before', { timeout: 120_000 }, async () => {
    const { folder, path, bytes } = await wallet();
    const codes = new Set<string>();
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice();
      changed[at] = changed[at]! ^ (1 << (at % 8));
      await writeFile(path, changed);
      const outcome = await readAll(folder).catch((error: unknown) => error as { code?: string; message: string });
      if (Array.isArray(outcome)) expect(outcome, `byte ${at}`).toEqual([...earlier, ...last]);
      else {
        expect(outcome.code, `byte ${at}: ${outcome.message}`).toMatch(/^(damaged|newer-version)$/);
        codes.add(outcome.message);
      }
      expect(Buffer.compare(await readFile(path), changed), `byte ${at}`).toBe(0);
    }
    for (const where of ['the header', 'record 0', 'record 1', 'record 2', 'record 3']) {
      expect([...codes], where).toContainEqual(expect.stringContaining(`${where} of the wallet is damaged`));
    }
  });

  it('changed and given new checksums still does not open that record', async () => {
    const { folder, path, bytes, lastRecord } = await wallet();
    const { frame, splitContainer, joinContainer } = await import('../../src/storage/container.ts');
    const { header, records } = splitContainer(bytes);
    const forged = records.map((record, n) => (n === 1 ? record.with(60, record[60]! ^ 1) : record));
    await writeFile(path, joinContainer(header, forged));
    await expect(readAll(folder)).rejects.toMatchObject({ code: 'damaged', data: { record: 1 } });
    // Moved, dropped in the middle, repeated.
    for (const order of [
      [0, 2, 1, 3],
      [0, 2, 3],
      [0, 1, 1, 2, 3],
      [1, 2, 3],
    ]) {
      await writeFile(
        path,
        joinContainer(
          header,
          order.map((n) => records[n]!),
        ),
      );
      await expect(readAll(folder), order.join()).rejects.toMatchObject({ code: 'damaged' });
    }
    expect(frame(3, records[3]!)).toEqual(new Uint8Array(bytes.subarray(lastRecord)));
  });

  it('with records of another wallet or of before a compaction does not open them', async () => {
    const folder = newFolder();
    const { splitContainer, joinContainer } = await import('../../src/storage/container.ts');
    const journal = await storeIn(folder).create('w', 'pass', secrets(), [created]);
    await journal.append([noted(1)], 'strict');
    const before = splitContainer(await journal.backup());
    await journal.compact([created]);
    await journal.append([noted(2)], 'strict');
    const after = splitContainer(await journal.backup());
    await journal.close();
    await writeFile(join(folder, 'w.nightjar'), joinContainer(after.header, [after.records[0]!, before.records[1]!]));
    await expect(readAll(folder)).rejects.toMatchObject({ code: 'damaged', data: { record: 1 } });
  });

  it('is listed when its header is damaged, next to the sound ones', async () => {
    const { folder, path, bytes } = await wallet();
    await (await storeIn(folder).create('sound', 'pass', secrets(), [created])).close();
    await writeFile(path, bytes.with(20, bytes[20]! ^ 1));
    expect(await storeIn(folder).list()).toEqual([
      { name: 'sound', network: 'stagenet', kind: 'full' },
      { name: 'w', network: 'unknown', kind: 'damaged' },
    ]);
    await storeIn(folder).remove('w');
    expect((await readdir(folder)).filter((file) => !file.startsWith('sound'))).toEqual([]);
  });
});

describe('a wallet folder', () => {
  it('whose file cannot grow reports that, and keeps every acknowledged record', async () => {
    const folder = newFolder();
    // The shell's limit on file sizes (in KiB) cuts a write short and fails the next, as a full disk does.
    const command = `trap '' XFSZ; ulimit -f 4; exec "$0" --import tsx "$1" "$2"`;
    const writer = join(import.meta.dirname, 'writer.ts');
    const child = spawn('bash', ['-c', command, process.execPath, writer, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    for await (const chunk of child.stdout) said += String(chunk);
    const acknowledged = said.lastIndexOf('.') + 1;
    expect(said.slice(acknowledged)).toBe('full');
    expect(acknowledged).toBeGreaterThan(10);
    const { splitContainer } = await import('../../src/storage/container.ts');
    const bytes = await readFile(join(folder, 'w.nightjar'));
    expect(splitContainer(bytes).length).toBe(bytes.length);
    const events = await readAll(folder);
    expect(events).toEqual([created, ...Array.from({ length: acknowledged }, (_, n) => noted(n))]);
  });

  it('says that the disk is full and leaves the wallet as it was', async () => {
    const { folder, path, bytes } = await wallet();
    const journal = await storeIn(folder).open('w', 'pass');
    const file = await open(path, 'r');
    const write = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'write');
    await file.close();
    write.mockRejectedValueOnce(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    try {
      await expect(journal.compact([created])).rejects.toMatchObject({ code: 'full' });
    } finally {
      write.mockRestore();
    }
    expect(Buffer.compare(await readFile(path), bytes)).toBe(0);
    await journal.append([noted(5)], 'strict');
    await journal.close();
    expect(await readAll(folder)).toEqual([...earlier, ...last, noted(5)]);
  });

  it('T15 that the system cannot create is refused at once', async () => {
    const refused = expect.objectContaining({ code: 'unavailable' });
    for (const folder of ['/proc/none', '/proc/none/wallets', '/dev/null/wallets'])
      await expect(storeIn(folder).create('w', 'pass', secrets(), [created]), folder).rejects.toEqual(refused);
    const below = join(newFolder(), 'a', 'b');
    const made = await Promise.all(['v', 'w'].map((name) => storeIn(below).create(name, 'pass', secrets(), [created])));
    for (const journal of made) await journal.close();
    expect(await storeIn(below).list()).toHaveLength(2);
  });

  it('T15 in which others have left a link or a file in the way of a new one writes into neither', async () => {
    const { folder, path } = await wallet();
    const aside = `${path}.new`;
    const elsewhere = join(folder, 'elsewhere');
    await writeFile(elsewhere, 'of somebody');
    for (const leave of [() => symlink(elsewhere, aside), () => writeFile(aside, 'for all to read', { mode: 0o666 })]) {
      await leave();
      const journal = await storeIn(folder).open('w', 'pass');
      await journal.compact([created, noted(7)]);
      await journal.close();
      const { mode } = await lstat(path);
      expect([(mode & 0o777).toString(8), await readFile(elsewhere, 'utf8')]).toEqual(['600', 'of somebody']);
      expect(await readAll(folder)).toEqual([created, noted(7)]);
    }
  });

  it('T16 that is full when the wallet is unlocked writes its pending events once, when there is space again', async () => {
    const { folder, path } = await wallet();
    const journal = await storeIn(folder).open('w', 'pass');
    await journal.lock();
    const kept = Array.from({ length: 600 }, (_, n) => noted(10 + n));
    await journal.append(kept, 'relaxed');
    const file = await open(path, 'r');
    const write = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'write');
    await file.close();
    // Of three records the second finds no room.
    const passOn = write.getMockImplementation();
    write.mockImplementationOnce(passOn!).mockRejectedValueOnce(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    try {
      await expect(journal.unlock('pass')).rejects.toMatchObject({ code: 'full' });
    } finally {
      write.mockRestore();
    }
    expect(journal.secrets.spendKey).toBeUndefined();
    await journal.append([noted(1000)], 'relaxed');
    await journal.unlock('pass');
    expect(journal.secrets).toEqual(secrets());
    await journal.close();
    expect(await readAll(folder)).toEqual([...earlier, ...last, ...kept, noted(1000)]);
  });

  it('holds no key and no event in clear', async () => {
    const { bytes } = await wallet();
    const file = Buffer.from(bytes);
    for (const clear of [
      secrets().spendKey!,
      secrets().viewKey,
      Buffer.from('English'),
      Buffer.from('note 1'),
      Buffer.from('pass'),
    ]) {
      expect(file.includes(Buffer.from(clear))).toBe(false);
    }
  });

  it('is written for its owner alone', async () => {
    const { folder, path } = await wallet();
    const { stat } = await import('node:fs/promises');
    expect((await stat(path)).mode & 0o077).toBe(0);
    expect((await stat(folder)).mode & 0o077).toBe(0);
  });
});

describe('T17 two writers: a lock file', () => {
  /** Where a folder takes no sockets; ours takes them, and heeds such a file too. */
  const lockOf = (folder: string) => join(folder, 'w.nightjar.lock');
  const here = { host: hostname(), space: readlinkSync('/proc/self/ns/pid'), born: '', id: 'x' };

  it('of a process that is gone is taken over, once', async () => {
    const { folder } = await wallet();
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await once(child, 'exit');
    await writeFile(lockOf(folder), stringifyJson({ ...here, pid: child.pid! }));
    const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => storeIn(folder).open('w', 'pass')));
    const opened = attempts.filter((attempt) => attempt.status === 'fulfilled');
    expect(opened).toHaveLength(1);
    for (const attempt of attempts) {
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'locked' });
    }
    await opened[0]!.value.close();
    expect(await readdir(folder)).toEqual(['w.nightjar']);
  });

  it('of a living process, of another machine, or half written is respected', async () => {
    const { folder } = await wallet();
    for (const lock of [
      stringifyJson({ ...here, pid: process.pid }),
      stringifyJson({ ...here, pid: 1, host: 'another machine' }),
      stringifyJson({ ...here, pid: 2 ** 22 + 1, space: 'pid:[another container]' }),
      '{"pid":',
    ]) {
      await writeFile(lockOf(folder), lock);
      await expect(storeIn(folder).open('w', 'pass'), lock).rejects.toMatchObject({ code: 'locked' });
    }
  });

  it.runIf(process.platform === 'linux')('of a process whose number now belongs to another is taken over', async () => {
    const { folder } = await wallet();
    await writeFile(lockOf(folder), stringifyJson({ ...here, pid: process.pid, born: 'an earlier boot 12' }));
    await (await storeIn(folder).open('w', 'pass')).close();
  });
});

it('T15 a pipe or device with the name of a wallet blocks nobody', async () => {
  const { folder } = await wallet();
  const end = await pipeAt(join(folder, 'pipe.nightjar'));
  await symlink('/dev/zero', join(folder, 'endless.nightjar'));
  const opened = Promise.allSettled(['pipe', 'endless'].map((name) => storeIn(folder).open(name, 'pass')));
  await end();
  expect((await opened).map((one) => one.status === 'rejected' && one.reason)).toEqual([
    expect.objectContaining({ code: 'unavailable' }),
    expect.objectContaining({ code: 'unavailable' }),
  ]);
});

it('T15 a pipe or device with the name of a keys file of the reference is refused, and not read', async () => {
  const folder = newFolder();
  await mkdir(folder);
  const end = await pipeAt(join(folder, 'pipe.keys'));
  const read = referenceFiles(join(folder, 'pipe')).catch((error: unknown) => error);
  await end();
  expect(await read).toMatchObject({ code: 'unavailable' });
});

/** A pipe with something in it, which comes to its end when what this resolves with is called. */
async function pipeAt(pipe: string): Promise<() => Promise<void>> {
  await once(spawn(findProgram('mkfifo', 'coreutils'), [pipe]), 'exit');
  const other = await open(pipe, 'r+');
  await other.write('no wallet');
  return () => other.close();
}
