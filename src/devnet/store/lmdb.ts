import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database as Opened, RootDatabase } from 'lmdb';
import { DevnetError } from '../errors.ts';
import { type Database, type Entry, type Range, TABLES, type Table, type TableName } from './database.ts';

type Bytes = Buffer<ArrayBufferLike>;
const asBuffer = (bytes: Uint8Array): Bytes => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

class LmdbTable implements Table {
  readonly #opened: Opened<Bytes, Bytes>;

  constructor(opened: Opened<Bytes, Bytes>) {
    this.#opened = opened;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#opened.get(asBuffer(key));
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.#opened.putSync(asBuffer(key), asBuffer(value));
  }

  delete(key: Uint8Array): void {
    this.#opened.removeSync(asBuffer(key));
  }

  range({ from, to, reverse = false, limit = Number.POSITIVE_INFINITY }: Range = {}): Iterable<Entry> {
    if (reverse) return backwards(this.#opened, { from, to, limit });
    return this.#opened.getRange({
      limit,
      ...(from === undefined ? {} : { start: asBuffer(from) }),
      ...(to === undefined ? {} : { end: asBuffer(to) }),
    });
  }
}

interface Backwards {
  readonly from: Uint8Array | undefined;
  readonly to: Uint8Array | undefined;
  readonly limit: number;
}

/** In reverse, LMDB includes the first key of a range and excludes the last: here it is the other way round. */
function* backwards(opened: Opened<Bytes, Bytes>, { from, to, limit }: Backwards): Iterable<Entry> {
  let left = limit;
  for (const entry of opened.getRange({ reverse: true, ...(to === undefined ? {} : { start: asBuffer(to) }) })) {
    if (to !== undefined && Buffer.compare(entry.key, to) >= 0) continue;
    if (left-- <= 0 || (from !== undefined && Buffer.compare(entry.key, from) < 0)) return;
    yield entry;
  }
}

/** One LMDB file, whose pages in use are never overwritten: a killed process leaves the last complete change. */
export class LmdbDatabase implements Database {
  readonly #root: RootDatabase<Bytes, Bytes>;
  readonly #tables: ReadonlyMap<TableName, LmdbTable>;
  readonly #path: string;
  readonly #closed: () => void;
  #inTransaction = false;

  private constructor(root: RootDatabase<Bytes, Bytes>, path: string, closed: () => void) {
    this.#root = root;
    this.#path = path;
    this.#closed = closed;
    const open = (name: TableName) => root.openDB<Bytes, Bytes>({ name, encoding: 'binary', keyEncoding: 'binary' });
    this.#tables = new Map(TABLES.map((name) => [name, new LmdbTable(open(name))]));
  }

  /**
   * @param path of the file, created when missing
   * @param closed called after it is closed
   * @throws DevnetError `no-store` where this machine cannot load LMDB
   */
  static async open(path: string, closed: () => void): Promise<LmdbDatabase> {
    const lmdb = await loaded();
    const root = lmdb.open<Bytes, Bytes>({
      path,
      noSubdir: true,
      maxDbs: TABLES.length,
      encoding: 'binary',
      keyEncoding: 'binary',
      // A commit returns once it is on disk.
      overlappingSync: false,
    });
    return new LmdbDatabase(root, path, closed);
  }

  table(name: TableName): Table {
    return this.#tables.get(name)!;
  }

  transaction<T>(run: () => T): T {
    if (this.#inTransaction) return run();
    this.#inTransaction = true;
    try {
      return this.#root.transactionSync(run);
    } finally {
      this.#inTransaction = false;
      this.#root.resetReadTxn();
    }
  }

  get bytes(): number {
    return statSync(this.#path).size;
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(dirname(this.#path));
    return bavail * bsize;
  }

  close(): void {
    void this.#root.close();
    this.#closed();
  }
}

async function loaded(): Promise<typeof import('lmdb')> {
  try {
    return await import('lmdb');
  } catch {
    throw new DevnetError(
      'no-store',
      'expected the package lmdb, with which a chain is kept on disk: it has no build for this machine, or was left out when packages were installed. Without --data-dir the chain is kept in memory',
    );
  }
}
