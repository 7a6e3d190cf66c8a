import type { Random } from '../crypto/random.ts';
import type { Durability } from '../wallet/ports.ts';
import type { Backend, RecordFile } from './backend.ts';
import { StorageError } from './errors.ts';
import { SealedJournalStore, type StoreOptions } from './sealed-store.ts';

interface Bytes {
  header: Uint8Array;
  records: Uint8Array[];
  mark: string | undefined;
}

/** Journals in memory: for tests, and where data cannot be stored. */
export class MemoryJournalStore extends SealedJournalStore {
  constructor(options: StoreOptions = {}) {
    super(new MemoryBackend(), options);
  }
}

/**
 * Journals in memory that nobody opens again: what seals one is forgotten when it is closed, so no password is hashed.
 * @internal
 */
export const passingStore = (random: Random): MemoryJournalStore =>
  new MemoryJournalStore({ random, hash: async (_, __, length) => random.bytes(length) });

class MemoryBackend implements Backend {
  readonly #wallets = new Map<string, Bytes>();
  readonly #locked = new Set<string>();

  async names(): Promise<readonly string[]> {
    return [...this.#wallets.keys()].sort();
  }

  async peek(name: string): Promise<Uint8Array> {
    return this.#find(name).header;
  }

  async open(name: string): Promise<{ header: Uint8Array; file: RecordFile }> {
    const wallet = this.#find(name);
    return { header: wallet.header, file: this.#lock(name, wallet) };
  }

  async create(name: string, header: Uint8Array, records: readonly Uint8Array[]): Promise<RecordFile> {
    if (this.#wallets.has(name)) throw new StorageError('exists', 'a wallet of this name is there already');
    const wallet = { header: header.slice(), records: records.map((record) => record.slice()), mark: undefined };
    const file = this.#lock(name, wallet);
    this.#wallets.set(name, wallet);
    return file;
  }

  async remove(name: string): Promise<void> {
    this.#find(name);
    if (this.#locked.has(name)) throw locked();
    this.#wallets.delete(name);
  }

  #find(name: string): Bytes {
    const wallet = this.#wallets.get(name);
    if (wallet === undefined) throw new StorageError('not-found', 'there is no wallet of this name');
    return wallet;
  }

  #lock(name: string, wallet: Bytes): RecordFile {
    if (this.#locked.has(name)) throw locked();
    this.#locked.add(name);
    return new MemoryRecords(wallet, () => this.#locked.delete(name));
  }
}

function locked(): StorageError {
  return new StorageError('locked', 'the wallet is open elsewhere: close it there first');
}

class MemoryRecords implements RecordFile {
  readonly #wallet: Bytes;
  #release: (() => void) | undefined;

  constructor(wallet: Bytes, release: () => void) {
    this.#wallet = wallet;
    this.#release = release;
  }

  get count(): number {
    return this.#wallet.records.length;
  }

  async *records(): AsyncIterable<Uint8Array> {
    yield* this.#wallet.records.slice();
  }

  async append(record: Uint8Array, _durability: Durability): Promise<void> {
    this.#wallet.records.push(record);
  }

  async replace(header: Uint8Array, records: readonly Uint8Array[]): Promise<void> {
    this.#wallet.header = header;
    this.#wallet.records = [...records];
  }

  async mark(): Promise<string | undefined> {
    return this.#wallet.mark;
  }

  async setMark(mark: string): Promise<void> {
    this.#wallet.mark = mark;
  }

  async release(): Promise<void> {
    this.#release?.();
    this.#release = undefined;
  }
}
