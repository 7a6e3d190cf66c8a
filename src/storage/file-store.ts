import { existsSync, statSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readFile, realpath, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from '../base/index.ts';
import type { Durability } from '../wallet/ports.ts';
import { type Backend, isWalletName, type RecordFile } from './backend.ts';
import { frame, joinContainer, splitContainer } from './container.ts';
import { StorageError } from './errors.ts';
import { lockFile } from './file-lock.ts';
import { readMark, removeMark, syncFolder, writeMark } from './file-mark.ts';
import { makeFolder } from './make-folder.ts';
import { openRegularFile } from './regular-file.ts';
import { HEADER_PREAMBLE, headerLength } from './seal/header.ts';
import { SealedJournalStore, type StoreOptions } from './sealed-store.ts';

const SUFFIX = '.nightjar';

/** Journals as files of one folder, one file for each wallet, with the same bytes as a backup. For Node. */
export class FileJournalStore extends SealedJournalStore {
  readonly #folder: string;

  /** The folder is created with the first wallet. */
  constructor(folder: string, options: StoreOptions = {}) {
    super(new FolderBackend(folder), options);
    this.#folder = folder;
  }

  /**
   * Whether a wallet of this name exists. The file system decides; some ignore case. An empty file does not count: its creator was killed
   * before there was a wallet.
   */
  has(name: string): boolean {
    const file = fileOf(this.#folder, name);
    return isWalletName(name) && existsSync(file) && statSync(file).size > 0;
  }
}

const fileOf = (folder: string, name: string): string => join(folder, name + SUFFIX);

/** Path to which a wallet's file is written before it is moved into place. */
const asideOf = (path: string): string => `${path}.new`;

class FolderBackend implements Backend {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async names(): Promise<readonly string[]> {
    const files = await typed(() =>
      readdir(this.#folder).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      }),
    );
    const names = files.filter((file) => file.endsWith(SUFFIX)).map((file) => file.slice(0, -SUFFIX.length));
    return names.filter(isWalletName).sort();
  }

  peek(name: string): Promise<Uint8Array> {
    return typed(async () => {
      const file = await openRegularFile(this.#path(name));
      try {
        const preamble = await readStart(file, HEADER_PREAMBLE);
        return await readStart(file, headerLength(preamble));
      } finally {
        await file.close();
      }
    });
  }

  async open(name: string): Promise<{ header: Uint8Array; file: RecordFile }> {
    await this.peek(name);
    return this.#locked(name, async (path, release) => {
      const { header, records, length } = splitContainer(await readFile(path));
      const file = new FileRecords(path, await open(path, 'r+'), records.length, length, release, records);
      return { header: Uint8Array.from(header), file };
    });
  }

  async create(name: string, header: Uint8Array, records: readonly Uint8Array[]): Promise<RecordFile> {
    await typed(() => makeFolder(resolve(this.#folder)), unusable);
    await typed(() => takeName(this.#path(name)));
    return this.#locked(name, async (path, release) => {
      // An empty file is a reserved name: reserved just now, or by a process that was killed.
      if ((await lstat(path)).size > 0) throw new StorageError('exists', 'a wallet of this name is there already');
      const bytes = joinContainer(header, records);
      try {
        await removeMark(path);
        return new FileRecords(path, await writeWhole(path, bytes), records.length, bytes.length, release);
      } catch (error) {
        await unlink(path).catch(() => undefined);
        throw error;
      }
    });
  }

  async remove(name: string): Promise<void> {
    await this.peek(name).catch((error: unknown) => {
      // A wallet too damaged to read can still be removed.
      if (!(error instanceof StorageError) || error.code === 'not-found') throw error;
    });
    await this.#locked(name, async (path, release) => {
      await removeMark(path);
      await rm(asideOf(path), { force: true });
      await unlink(path);
      await rm(this.#path(name), { force: true });
      await syncFolder(this.#folder);
      await release();
    });
  }

  #path(name: string): string {
    return fileOf(this.#folder, name);
  }

  /**
   * Runs work on a wallet's file with its lock, which stays locked when the work succeeds and is released when it fails. The path is the
   * one that the file system itself reports: by whatever case or link a file is reached, it has one lock and is replaced in place.
   */
  async #locked<T>(name: string, work: (path: string, release: () => Promise<void>) => Promise<T>): Promise<T> {
    const path = await realpath(this.#path(name)).catch(() => this.#path(name));
    const release = await typed(() => lockFile(path));
    try {
      return await typed(() => work(path, release));
    } catch (error) {
      await release();
      throw error;
    }
  }
}

/** Creates an empty file if the file system has none of this name; an existing one is left alone. */
async function takeName(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  await file?.close();
}

class FileRecords implements RecordFile {
  readonly #path: string;
  readonly #release: () => Promise<void>;
  #file: FileHandle;
  #count: number;
  /** Bytes up to the end of the last acknowledged record; anything after it is cut off before the next write. */
  #length: number;
  #torn: boolean;
  /** Whether the last record, whoever wrote it, may not be on the disk yet. */
  #unsynced = true;
  /** Whether a sync failed: the system may have dropped the data, and still report success next time. */
  #doubted = false;
  #released = false;
  /** The records read when the file was opened, for the first call of {@link records}. */
  #ahead: readonly Uint8Array[] | undefined;

  constructor(
    path: string,
    file: FileHandle,
    count: number,
    length: number,
    release: () => Promise<void>,
    ahead?: readonly Uint8Array[],
  ) {
    this.#path = path;
    this.#file = file;
    this.#count = count;
    this.#length = length;
    this.#torn = true;
    this.#release = release;
    this.#ahead = ahead;
  }

  get count(): number {
    return this.#count;
  }

  async *records(): AsyncIterable<Uint8Array> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    yield* ahead ?? splitContainer(await typed(() => readStart(this.#file, this.#length))).records;
  }

  async append(record: Uint8Array, durability: Durability): Promise<void> {
    const bytes = frame(this.#count, record);
    this.#ahead = undefined;
    await typed(async () => {
      try {
        if (durability === 'strict') await this.#requireInPlace();
        if (this.#torn) await this.#cutToWhole();
        // Records are synced one after the other, so that a power failure can damage the last one only.
        if (this.#unsynced) await this.#sync();
        this.#torn = true;
        await writeAt(this.#file, bytes, this.#length);
        this.#unsynced = true;
        if (durability === 'strict') await this.#sync();
      } catch (error) {
        await this.#file.truncate(this.#length).catch(() => undefined);
        throw error;
      }
    });
    this.#torn = false;
    this.#length += bytes.length;
    this.#count++;
  }

  /** A program that synchronises folders may have replaced the file. @throws StorageError `removed` */
  async #requireInPlace(): Promise<void> {
    const { nlink, ino } = await this.#file.stat();
    // Some file systems do not count links.
    if (nlink > 0 || (await stat(this.#path).catch(() => undefined))?.ino === ino) return;
    throw new StorageError('removed', "the wallet's file was removed or replaced while it was open");
  }

  async #sync(): Promise<void> {
    try {
      await this.#file.datasync();
    } catch (error) {
      this.#torn = true;
      this.#doubted = true;
      throw error;
    }
    this.#unsynced = false;
  }

  /**
   * Cuts the file to its acknowledged bytes, in a file with only this name: another name of the same file (a hard link) has a lock of its
   * own. If a sync failed, in a new file.
   */
  async #cutToWhole(): Promise<void> {
    if (this.#doubted || (await this.#file.stat()).nlink > 1) await this.#move(await readStart(this.#file, this.#length));
    else await this.#file.truncate(this.#length);
  }

  async #move(bytes: Uint8Array): Promise<void> {
    const before = this.#file;
    this.#file = await writeWhole(this.#path, bytes);
    this.#unsynced = false;
    this.#doubted = false;
    await before.close().catch(() => undefined);
  }

  async replace(header: Uint8Array, records: readonly Uint8Array[]): Promise<void> {
    const bytes = joinContainer(header, records);
    this.#ahead = undefined;
    await typed(() => this.#move(bytes));
    this.#count = records.length;
    this.#length = bytes.length;
    this.#torn = false;
  }

  mark(): Promise<string | undefined> {
    return typed(() => readMark(this.#path));
  }

  setMark(mark: string): Promise<void> {
    return typed(() => writeMark(this.#path, mark));
  }

  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    this.#ahead = undefined;
    try {
      await this.#file.close();
    } finally {
      await this.#release();
    }
  }
}

/**
 * Writes aside, syncs, and moves into place, so that there are the old bytes or the new ones, never a mixture. An existing file aside, of a
 * killed process or of somebody else, is not written into: it may be a link that leads elsewhere, or a file that others can read. Returns
 * the open file.
 */
async function writeWhole(path: string, bytes: Uint8Array): Promise<FileHandle> {
  const aside = asideOf(path);
  await rm(aside, { force: true });
  const file = await open(aside, 'wx+', 0o600);
  try {
    await writeAt(file, bytes, 0);
    await file.sync();
    await rename(aside, path);
  } catch (error) {
    await file.close();
    await unlink(aside).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
  return file;
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** The first `length` bytes; fewer if the file is shorter. */
async function readStart(file: FileHandle, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

const noWallet = (error: unknown) => new StorageError('not-found', 'there is no wallet of this name', {}, error);

const unusable = (error: unknown) =>
  new StorageError('unavailable', `the wallet folder cannot be used (${codeOf(error) || String(error)})`, {}, error);

/** Turns system errors into this room's. @param missing makes the error for a missing file */
async function typed<T>(work: () => Promise<T>, missing: (error: unknown) => StorageError = noWallet): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT') throw missing(error);
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
      throw new StorageError('full', 'the disk is full: free some room, nothing was changed', {}, error);
    }
    throw unusable(error);
  }
}
