import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Durability } from '../wallet/ports.ts';
import type { Backend, RecordFile } from './backend.ts';
import { damagedError, isStorageError, StorageError } from './errors.ts';
import { SealedJournalStore, type StoreOptions } from './sealed-store.ts';

/** Name, generation, position. */
type RecordKey = [string, number, number];

interface Kept {
  readonly header: Uint8Array;
  readonly generation: number;
  /** Absent if none was set. */
  readonly mark?: string;
}

interface Schema extends DBSchema {
  wallets: { key: string; value: Kept };
  records: { key: RecordKey; value: Uint8Array };
}

type Database = IDBPDatabase<Schema>;

/** Options of a store in a browser. */
export interface IndexedDbOptions extends StoreOptions {
  /** Name of the database; "nightjar" by default. */
  readonly database?: string;
}

const VERSION = 1;
/** Generation of a wallet that is not written yet. */
const NONE = 0;
/** Records fetched at a time: opening a large wallet must not hold it in memory twice. */
const PAGE = 200;

/**
 * Journals in the browser's IndexedDB: one transaction for each record, with strict durability where requested, and one writer at a time
 * through a Web Lock, which the browser frees when its holder is gone.
 */
export class IndexedDbJournalStore extends SealedJournalStore {
  constructor(options: IndexedDbOptions = {}) {
    super(new IndexedDbBackend(options.database ?? 'nightjar'), options);
  }
}

class IndexedDbBackend implements Backend {
  readonly #name: string;
  #database: Promise<Database> | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  async names(): Promise<readonly string[]> {
    const keys: readonly unknown[] = await typed(async () => (await this.#open()).getAllKeys('wallets'));
    return keys.filter((key) => typeof key === 'string');
  }

  async peek(name: string): Promise<Uint8Array> {
    return (await this.#find(name)).header;
  }

  async open(name: string): Promise<{ header: Uint8Array; file: RecordFile }> {
    return this.#locked(name, async (release) => {
      const { header, generation } = await this.#find(name);
      const database = await this.#open();
      const count = await typed(() => database.count('records', allOf(name, generation)));
      const file = new IndexedDbRecords(() => this.#open(), name, generation, count, release);
      file.readAhead();
      return { header, file };
    });
  }

  async create(name: string, header: Uint8Array, records: readonly Uint8Array[]): Promise<RecordFile> {
    return this.#locked(name, async (release) => {
      const database = await this.#open();
      if ((await typed(() => database.getKey('wallets', name))) !== undefined) {
        throw new StorageError('exists', 'a wallet of this name is there already');
      }
      const file = new IndexedDbRecords(() => this.#open(), name, NONE, 0, release);
      await file.replace(header, records);
      return file;
    });
  }

  async remove(name: string): Promise<void> {
    await this.#locked(name, async (release) => {
      await this.#find(name).catch((error: unknown) => {
        // A wallet too damaged to read can still be removed.
        if (!isStorageError(error, 'damaged')) throw error;
      });
      const database = await this.#open();
      await typed(async () => {
        const transaction = database.transaction(['wallets', 'records'], 'readwrite', { durability: 'strict' });
        await committed(transaction, [
          transaction.objectStore('wallets').delete(name),
          transaction.objectStore('records').delete(everything(name)),
        ]);
      });
      await release();
    });
  }

  /** Runs work on a wallet with its lock, which stays locked when the work succeeds and is released when it fails. */
  async #locked<T>(name: string, work: (release: () => Promise<void>) => Promise<T>): Promise<T> {
    const release = await lock(`${this.#name}:${name}`);
    try {
      return await work(release);
    } catch (error) {
      await release();
      throw error;
    }
  }

  async #find(name: string): Promise<Kept> {
    const database = await this.#open();
    const wallet = await typed(() => database.get('wallets', name));
    if (wallet === undefined) throw new StorageError('not-found', 'there is no wallet of this name');
    if (!isKept(wallet)) throw damagedError(-1, 'a header and its generation');
    return wallet;
  }

  #open(): Promise<Database> {
    this.#database ??= typed(() =>
      openDB<Schema>(this.#name, VERSION, {
        upgrade(database) {
          database.createObjectStore('wallets');
          database.createObjectStore('records');
        },
        // A later version of the program wants to upgrade: close, and let the next call open again or report why it cannot.
        blocking: (_current, _wanted, event) => {
          this.#database = undefined;
          (event.target as IDBDatabase).close();
        },
        terminated: () => {
          this.#database = undefined;
        },
      }),
    ).catch((error: unknown) => {
      this.#database = undefined;
      throw error;
    });
    return this.#database;
  }
}

class IndexedDbRecords implements RecordFile {
  readonly #open: () => Promise<Database>;
  readonly #name: string;
  #generation: number;
  #count: number;
  #release: (() => Promise<void>) | undefined;
  /** The first page of records, fetched while the password is hashed. */
  #ahead: Promise<readonly Uint8Array[]> | undefined;

  constructor(open: () => Promise<Database>, name: string, generation: number, count: number, release: () => Promise<void>) {
    this.#open = open;
    this.#name = name;
    this.#generation = generation;
    this.#count = count;
    this.#release = release;
  }

  get count(): number {
    return this.#count;
  }

  async *records(): AsyncIterable<Uint8Array> {
    const [generation, count] = [this.#generation, this.#count];
    const ahead = this.#ahead;
    this.#ahead = undefined;
    for (let from = 0; from < count; from += PAGE) {
      yield* (from === 0 ? await ahead : undefined) ?? (await this.#page(generation, from, count));
    }
  }

  /** Begins to fetch the first page. A failure is reported to its reader. */
  readAhead(): void {
    this.#ahead = this.#page(this.#generation, 0, this.#count);
    this.#ahead.catch(() => undefined);
  }

  async #page(generation: number, from: number, count: number): Promise<readonly Uint8Array[]> {
    const to = Math.min(from + PAGE, count) - 1;
    if (to < from) return [];
    const range = IDBKeyRange.bound([this.#name, generation, from], [this.#name, generation, to]);
    const page = await typed(async () => (await this.#open()).getAll('records', range));
    if (page.length !== to - from + 1) throw damagedError(from + page.length, 'the record to be there');
    const other = page.findIndex((record: unknown) => !(record instanceof Uint8Array));
    if (other >= 0) throw damagedError(from + other, 'a record of bytes');
    return page;
  }

  async append(record: Uint8Array, durability: Durability): Promise<void> {
    this.#ahead = undefined;
    await typed(async () => {
      const transaction = (await this.#open()).transaction(['wallets', 'records'], 'readwrite', { durability });
      const wallet = transaction.objectStore('wallets').get(this.#name);
      await committed(transaction, [
        // `add`, not `put`: a record is never overwritten.
        transaction.objectStore('records').add(record, [this.#name, this.#generation, this.#count]),
        wallet.then((row) => this.#requireOurs(row)),
      ]);
    });
    this.#count++;
  }

  async replace(header: Uint8Array, records: readonly Uint8Array[]): Promise<void> {
    const generation = this.#generation + 1;
    this.#ahead = undefined;
    const mark = await this.mark();
    await typed(async () => {
      const transaction = (await this.#open()).transaction(['wallets', 'records'], 'readwrite', { durability: 'strict' });
      const store = transaction.objectStore('records');
      const there = store.count(allOf(this.#name, this.#generation));
      const wallet = transaction.objectStore('wallets').get(this.#name);
      await committed(transaction, [
        ...(this.#generation === NONE
          ? []
          : [wallet.then((row) => this.#requireOurs(row)), there.then((n) => this.#requireNoMore(n))]),
        store.delete(everything(this.#name)),
        ...records.map((record, position) => store.add(record, [this.#name, generation, position])),
        transaction.objectStore('wallets').put({ header, generation, ...(mark === undefined ? {} : { mark }) }, this.#name),
      ]);
    });
    this.#generation = generation;
    this.#count = records.length;
  }

  /**
   * Clearing the site's data leaves an open page with a new, empty database; a script that took the lock away may have rewritten the
   * wallet.
   */
  #requireOurs(row: Kept | undefined): void {
    if (row?.generation !== this.#generation)
      throw new StorageError('removed', 'the wallet was removed, or written anew in another place, while it was open');
  }

  /** Requires that no records would be dropped that the new holder of a lost lock has written. */
  #requireNoMore(count: number): void {
    if (count > this.#count)
      throw new StorageError('locked', 'the wallet is open in another tab or window: close it there first');
  }

  async mark(): Promise<string | undefined> {
    return typed(async () => (await (await this.#open()).get('wallets', this.#name))?.mark);
  }

  async setMark(mark: string): Promise<void> {
    await typed(async () => {
      const transaction = (await this.#open()).transaction('wallets', 'readwrite', { durability: 'strict' });
      const row = await transaction.store.get(this.#name);
      if (row === undefined) throw new StorageError('removed', 'the wallet was removed while it was open');
      await committed(transaction, [transaction.store.put({ ...row, mark }, this.#name)]);
    });
  }

  async release(): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    this.#ahead = undefined;
    await release?.();
  }
}

/** Whether a row is one of ours: any page of this origin can write there, and so can a person. */
function isKept(row: unknown): row is Kept {
  if (typeof row !== 'object' || row === null || !('header' in row && 'generation' in row)) return false;
  return row.header instanceof Uint8Array && Number.isSafeInteger(row.generation);
}

interface Transaction {
  readonly done: Promise<void>;
  abort(): void;
  readonly error: DOMException | null;
}

/** Waits for all of the work and the commit; if the transaction was aborted, throws the reason rather than an abort error. */
async function committed(transaction: Transaction, work: readonly Promise<unknown>[]): Promise<void> {
  try {
    await Promise.all([...work, transaction.done]);
  } catch (error) {
    if (error instanceof StorageError) transaction.abort();
    throw transaction.error ?? error;
  }
}

const everything = (name: string) => IDBKeyRange.bound([name], [name, []]);
const allOf = (name: string, generation: number) => IDBKeyRange.bound([name, generation], [name, generation, []]);

/**
 * Takes a Web Lock at once or not at all; returns its release, which resolves when the lock is free. @throws StorageError `locked`,
 * `unavailable`
 */
async function lock(name: string): Promise<() => Promise<void>> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  if (locks === undefined) {
    throw new StorageError('unavailable', 'this page cannot keep a wallet to itself: it needs https or a loopback address');
  }
  return new Promise((resolve, reject) => {
    const freed: Promise<unknown> = locks.request(`nightjar ${name}`, { ifAvailable: true }, (granted) => {
      if (granted === null) {
        reject(new StorageError('locked', 'the wallet is open in another tab or window: close it there first'));
        return undefined;
      }
      return new Promise<void>((letGo) => {
        resolve(async () => {
          letGo();
          // A lock that was taken away is no longer held.
          await freed.catch(() => undefined);
        });
      });
    });
    freed.catch(reject);
  });
}

/** Turns platform errors into this room's. */
async function typed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const name = error instanceof Error || error instanceof DOMException ? error.name : '';
    if (name === 'QuotaExceededError') {
      throw new StorageError('full', "the browser's room for this site is full: free some, nothing was changed", {}, error);
    }
    if (name === 'VersionError') {
      throw new StorageError('newer-version', 'a later version of the program was here: reload the page', {}, error);
    }
    throw new StorageError('unavailable', `the browser's storage failed (${name || 'unknown reason'})`, {}, error);
  }
}
