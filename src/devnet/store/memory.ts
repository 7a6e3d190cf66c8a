import { firstWhere } from '../../base/index.ts';
import { type Database, type Entry, type Range, TABLES, type Table, type TableName } from './database.ts';

const textOf = (key: Uint8Array): string => Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Key and value before a change. */
type Undo = readonly [table: MemoryTable, key: string, before: Uint8Array | undefined];

class MemoryTable implements Table {
  readonly #values = new Map<string, Uint8Array>();
  /** Sorted; undefined until they are needed again. */
  #keys: string[] | undefined = [];
  readonly #note: (undo: Undo) => void;

  constructor(note: (undo: Undo) => void) {
    this.#note = note;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#values.get(textOf(key));
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.#change(textOf(key), value);
  }

  delete(key: Uint8Array): void {
    this.#change(textOf(key), undefined);
  }

  #change(key: string, value: Uint8Array | undefined): void {
    this.#note([this, key, this.#values.get(key)]);
    this.set(key, value);
  }

  /** Changes a value without noting it for an undo. */
  set(key: string, value: Uint8Array | undefined): void {
    if (value === undefined) {
      if (!this.#values.delete(key)) return;
      if (this.#keys?.at(-1) === key) this.#keys.pop();
      else this.#keys = undefined;
      return;
    }
    if (!this.#values.has(key)) {
      // Most keys come in order, by height: no need to sort.
      if (this.#keys !== undefined && (this.#keys.length === 0 || this.#keys.at(-1)! < key)) this.#keys.push(key);
      else this.#keys = undefined;
    }
    this.#values.set(key, value);
  }

  *range({ from, to, reverse = false, limit = Number.POSITIVE_INFINITY }: Range = {}): Iterable<Entry> {
    this.#keys ??= [...this.#values.keys()].sort((a, b) => (a < b ? -1 : 1));
    const keys = this.#keys;
    const first = from === undefined ? 0 : placeOf(keys, textOf(from));
    const end = to === undefined ? keys.length : placeOf(keys, textOf(to));
    const count = Math.min(limit, end - first);
    for (let i = 0; i < count; i++) {
      const key = keys[reverse ? end - 1 - i : first + i]!;
      yield { key: bytesOf(key), value: this.#values.get(key)! };
    }
  }
}

/** Position of the first key that is not below `key`. */
const placeOf = (keys: readonly string[], key: string): number => firstWhere(keys.length, (at) => keys[at]! >= key);

/** Loses everything when the process ends. */
export class MemoryDatabase implements Database {
  readonly #tables: ReadonlyMap<TableName, MemoryTable>;
  /** Changes of the running transaction. */
  #undo: Undo[] | undefined;
  readonly bytes = 0;
  readonly freeBytes = 0;

  constructor() {
    const note = (undo: Undo): void => {
      if (this.#undo === undefined) throw new Error('expected a change within a transaction');
      this.#undo.push(undo);
    };
    this.#tables = new Map(TABLES.map((name) => [name, new MemoryTable(note)]));
  }

  table(name: TableName): Table {
    return this.#tables.get(name)!;
  }

  transaction<T>(run: () => T): T {
    if (this.#undo !== undefined) return run();
    const undo: Undo[] = [];
    this.#undo = undo;
    try {
      return run();
    } catch (error) {
      for (const [table, key, before] of undo.reverse()) table.set(key, before);
      throw error;
    } finally {
      this.#undo = undefined;
    }
  }

  close(): void {}
}
