/**
 * Tables of the chain and related data. Keys and values are bytes; heights, amounts and indices in keys are big-endian, so that they sort
 * in order. `records.ts` defines their contents.
 */
export const TABLES = [
  /** Height to facts about a block besides its bytes. */
  'blocks',
  /** Height to a block in wire format. */
  'bodies',
  /** Block id to height. */
  'heights',
  /** Height and position in the block, the coinbase first, to a transaction without its prunable part. */
  'transactions',
  /** The same key to the prunable part, if not pruned. */
  'prunable',
  /** Transaction id to the key of the tables above. */
  'places',
  /** Amount (0 for RingCT) and index to an output. */
  'outputs',
  /** Amount to the number of its outputs. */
  'amounts',
  /** Spent key image to an empty value. */
  'spent',
  /** Long-term weight to the number of blocks in the window that have it. */
  'weights',
  /** Block id to a block of an alternative branch. */
  'alternatives',
  /** Transaction id to a transaction of the pool. */
  'pool',
  /** Height and output index to a coin that the devnet owns. */
  'coins',
  /** Name to a single value. */
  'properties',
] as const;
/** Names of the tables, as on disk. */
export type TableName = (typeof TABLES)[number];

/** One row. Keys sort by their bytes. */
export interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Which rows of a table, in which order. */
export interface Range {
  /** The first key; the first of all when absent. */
  readonly from?: Uint8Array;
  /** The exclusive end; none when absent. */
  readonly to?: Uint8Array;
  /** From the last to the first. */
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** Entries by key, in the order of their bytes. Returned bytes stay valid, and are never changed. */
export interface Table {
  get(key: Uint8Array): Uint8Array | undefined;
  /** Only within a transaction. */
  put(key: Uint8Array, value: Uint8Array): void;
  /** Only within a transaction. Does nothing if the key is missing. */
  delete(key: Uint8Array): void;
  /** The table must not be changed during iteration. */
  range(range?: Range): Iterable<Entry>;
}

/** Storage of a devnet. */
export interface Database {
  table(name: TableName): Table;
  /**
   * Makes changes atomically: durable when this returns, none of them when it throws. A nested one is part of the outer one.
   * @throws what `run` throws, or the error that prevents the changes from being written
   */
  transaction<T>(run: () => T): T;
  /** Bytes used on disk, and those that are free there; 0 if nothing is stored. */
  readonly bytes: number;
  readonly freeBytes: number;
  close(): void;
}
