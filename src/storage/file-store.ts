import { type FileHandle, mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Durability } from '../wallet/ports.ts';
import { type Backend, isWalletName, type RecordFile } from './backend.ts';
import { frame, joinContainer, splitContainer } from './container.ts';
import { StorageError } from './errors.ts';
import { lockFile } from './file-lock.ts';
import { readMark, removeMark, syncFolder, writeMark } from './file-mark.ts';
import { HEADER_PREAMBLE, headerLength } from './seal/header.ts';
import { SealedJournalStore, type StoreOptions } from './store.ts';

const SUFFIX = '.nightjar';

/** Journals as files of one folder, one file a wallet, the same bytes as a backup. For Node. */
export class FileJournalStore extends SealedJournalStore {
  /** The folder is made when the first wallet is. */
  constructor(folder: string, options: StoreOptions = {}) {
    super(new FileShelf(folder), options);
  }
}

class FileShelf implements Backend {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async names(): Promise<readonly string[]> {
    try {
      const files = await readdir(this.#folder);
      const names = files.filter((file) => file.endsWith(SUFFIX)).map((file) => file.slice(0, -SUFFIX.length));
      return names.filter(isWalletName).sort();
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw typed(error);
    }
  }

  async peek(name: string): Promise<Uint8Array> {
    try {
      const file = await open(this.#path(name), 'r');
      try {
        const preamble = await readAt(file, 0, HEADER_PREAMBLE);
        return await readAt(file, 0, headerLength(preamble));
      } finally {
        await file.close();
      }
    } catch (error) {
      throw typed(error);
    }
  }

  async open(name: string): Promise<{ header: Uint8Array; medium: RecordFile }> {
    const path = this.#path(name);
    await this.peek(name);
    const release = await this.#lock(path);
    try {
      const { header, records, length } = splitContainer(await readFile(path));
      const medium = new FileMedium(path, await open(path, 'r+'), records.length, length, release);
      return { header: Uint8Array.from(header), medium };
    } catch (error) {
      await release();
      throw typed(error);
    }
  }

  async create(name: string, header: Uint8Array, records: readonly Uint8Array[]): Promise<RecordFile> {
    const path = this.#path(name);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw typed(error);
    });
    const release = await this.#lock(path);
    try {
      if ((await this.names()).includes(name)) throw new StorageError('exists', 'a wallet of this name is there already');
      const bytes = joinContainer(header, records);
      await removeMark(path);
      return new FileMedium(path, await writeWhole(path, bytes), records.length, bytes.length, release);
    } catch (error) {
      await release();
      throw typed(error);
    }
  }

  async remove(name: string): Promise<void> {
    const path = this.#path(name);
    await this.peek(name).catch((error: unknown) => {
      // A wallet too damaged to read can still be removed.
      if (!(error instanceof StorageError) || error.code === 'not-found') throw error;
    });
    const release = await this.#lock(path);
    try {
      await removeMark(path);
      await unlink(path);
      await syncFolder(this.#folder);
    } catch (error) {
      throw typed(error);
    } finally {
      await release();
    }
  }

  #path(name: string): string {
    return join(this.#folder, name + SUFFIX);
  }

  async #lock(path: string): Promise<() => Promise<void>> {
    try {
      return await lockFile(path);
    } catch (error) {
      throw typed(error);
    }
  }
}

class FileMedium implements RecordFile {
  readonly #path: string;
  readonly #release: () => Promise<void>;
  #file: FileHandle;
  #count: number;
  /** Bytes up to the end of the last acknowledged record; what lies behind is cut off before the next one is written. */
  #length: number;
  #torn: boolean;
  #released = false;

  constructor(path: string, file: FileHandle, count: number, length: number, release: () => Promise<void>) {
    this.#path = path;
    this.#file = file;
    this.#count = count;
    this.#length = length;
    this.#torn = true;
    this.#release = release;
  }

  get count(): number {
    return this.#count;
  }

  async *records(): AsyncIterable<Uint8Array> {
    const bytes = await this.#read();
    yield* splitContainer(bytes).records;
  }

  async append(record: Uint8Array, durability: Durability): Promise<void> {
    const bytes = frame(this.#count, record);
    try {
      if (this.#torn) await this.#file.truncate(this.#length);
      this.#torn = true;
      await writeAt(this.#file, bytes, this.#length);
      if (durability === 'strict') await this.#file.datasync();
    } catch (error) {
      await this.#file.truncate(this.#length).catch(() => undefined);
      throw typed(error);
    }
    this.#torn = false;
    this.#length += bytes.length;
    this.#count++;
  }

  async replace(header: Uint8Array, records: readonly Uint8Array[]): Promise<void> {
    await this.#rewrite(joinContainer(header, records), records.length);
  }

  async mark(): Promise<string | undefined> {
    try {
      return await readMark(this.#path);
    } catch (error) {
      throw typed(error);
    }
  }

  async setMark(mark: string): Promise<void> {
    try {
      await writeMark(this.#path, mark);
    } catch (error) {
      throw typed(error);
    }
  }

  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    try {
      await this.#file.close();
    } finally {
      await this.#release();
    }
  }

  async #rewrite(bytes: Uint8Array, count: number): Promise<void> {
    try {
      const before = this.#file;
      this.#file = await writeWhole(this.#path, bytes);
      await before.close().catch(() => undefined);
    } catch (error) {
      throw typed(error);
    }
    this.#count = count;
    this.#length = bytes.length;
    this.#torn = false;
  }

  async #read(): Promise<Uint8Array> {
    try {
      return await readAt(this.#file, 0, this.#length);
    } catch (error) {
      throw typed(error);
    }
  }
}

/** Written aside, synced, moved into place: the old bytes or the new ones, never a mixture. Returns the file, open. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<FileHandle> {
  const aside = `${path}.new`;
  const file = await open(aside, 'w+', 0o600);
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

/** Up to `length` bytes; fewer at the end of the file. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? '';
}

function typed(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = codeOf(error);
  if (code === 'ENOENT') return new StorageError('not-found', 'there is no wallet of this name', {}, error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    return new StorageError('full', 'the disk is full: free some room, nothing was changed', {}, error);
  }
  return new StorageError('unavailable', `the wallet folder cannot be used (${code || String(error)})`, {}, error);
}
