/**
 * Tables of the chain and what hangs on it. Keys and values are bytes; heights, amounts and indices in keys are big-endian, so that they
 * lie in order. What stands in each is in `records.ts`.
 */
export const TABLES = [
  /** Height to what is known of a block besides its bytes. */
  'blocks',
  /** Height to a block as on the wire. */
  'bodies',
  /** Block id to height. */
  'heights',
  /** Height and place in the block, the coinbase first, to a transaction without its prunable part. */
  'transactions',
  /** The same key to the prunable part, while it is kept. */
  'prunable',
  /** Transaction id to the key of the tables above. */
  'places',
  /** Amount (0 for RingCT) and index to an output. */
  'outputs',
  /** Amount to the number of its outputs. */
  'amounts',
  /** Key image to nothing. */
  'spent',
  /** Long-term weight to the number of blocks in the window that have it. */
  'weights',
  /** Block id to a block of a branch that lost. */
  'alternatives',
  /** Transaction id to one that waits to be mined. */
  'pool',
  /** Height and output index to a coin of the devnet's own. */
  'coins',
  /** Name to what there is one of. */
  'properties',
] as const;
/** Names of the tables, as they are on disk. */
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
  /** The first key that is out of it; none when absent. */
  readonly to?: Uint8Array;
  /** From the last to the first. */
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** Entries by key, in the order of their bytes. What is read is the reader's own, and never changed. */
export interface Table {
  get(key: Uint8Array): Uint8Array | undefined;
  /** Within a transaction alone. */
  put(key: Uint8Array, value: Uint8Array): void;
  /** Within a transaction alone. Nothing happens when there is none. */
  delete(key: Uint8Array): void;
  /** The table must not be changed while this is read. */
  range(range?: Range): Iterable<Entry>;
}

/** Where a devnet keeps everything. */
export interface Database {
  table(name: TableName): Table;
  /**
   * Makes changes as one: durable when this returns, none of them when it throws. One inside another is a part of it.
   * @throws what `run` throws, or what keeps the changes from being written
   */
  transaction<T>(run: () => T): T;
  /** Bytes that it takes on disk, and those that are free there; 0 where nothing is kept. */
  readonly bytes: number;
  readonly freeBytes: number;
  close(): void;
}
