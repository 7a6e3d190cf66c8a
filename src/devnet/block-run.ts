import type { Database, Entry } from './store/database.ts';
import { heightKey, heightOfKey, placeKey, readBlobLength, readServedParts } from './store/records.ts';

/** A block to send: bytes that are not parsed. */
export interface ServedBlock {
  readonly blob: Uint8Array;
  /** Without the coinbase: whole, or up to the prunable part. */
  readonly transactions: readonly Uint8Array[];
  /** For each transaction, the coinbase first: eight bytes for each output. */
  readonly indices: readonly Uint8Array[];
}

/** Limits of one reply. After `minBlocks` blocks, it ends before the block that would exceed one. */
export interface RunLimits {
  readonly blocks: number;
  readonly minBlocks: number;
  readonly transactions: number;
  readonly bytes: number;
}

/**
 * Blocks from a height on, as many as fit in one reply.
 * @param prune omits prunable parts
 * @returns undefined when a requested part was pruned
 */
export function readBlockRun(database: Database, from: number, prune: boolean, limits: RunLimits): ServedBlock[] | undefined {
  const end = from + limits.blocks;
  const places = { from: placeKey(from, 0), to: placeKey(end, 0) };
  const records = new Reader(database.table('transactions').range(places));
  const prunable = prune ? undefined : new Reader(database.table('prunable').range(places));
  const run: ServedBlock[] = [];
  let transactions = 0;
  let bytes = 0;
  try {
    for (const { key, value: blob } of database.table('bodies').range({ from: heightKey(from), to: heightKey(end) })) {
      const block = readBlock(blob, heightOfKey(key), records, prunable);
      if (block === undefined) return undefined;
      transactions += block.transactions.length;
      bytes += block.transactions.reduce((sum, tx) => sum + tx.length, blob.length);
      if (run.length >= limits.minBlocks && (transactions > limits.transactions || bytes > limits.bytes)) break;
      run.push(block);
    }
    return run;
  } finally {
    records.end();
    prunable?.end();
  }
}

/** @param records where this block's transactions begin @param prunable likewise */
function readBlock(blob: Uint8Array, height: number, records: Reader, prunable: Reader | undefined): ServedBlock | undefined {
  const transactions: Uint8Array[] = [];
  const indices: Uint8Array[] = [];
  for (let entry = records.next; entry !== undefined && heightOfKey(entry.key) === height; entry = records.next) {
    records.advance();
    const parts = readServedParts(entry.value);
    indices.push(parts.indices);
    // The coinbase transaction is part of the block.
    if (indices.length === 1) continue;
    if (prunable === undefined || readBlobLength(entry.value) === parts.base.length) {
      transactions.push(parts.base);
      continue;
    }
    const rest = prunable.next;
    if (rest === undefined || Buffer.compare(rest.key, entry.key) !== 0) return undefined;
    prunable.advance();
    transactions.push(Buffer.concat([parts.base, rest.value]));
  }
  return { blob, transactions, indices };
}

/** Reads entries in order, with a look-ahead of one. */
class Reader {
  readonly #entries: Iterator<Entry>;
  next: Entry | undefined;

  constructor(entries: Iterable<Entry>) {
    this.#entries = entries[Symbol.iterator]();
    this.advance();
  }

  advance(): void {
    const { done, value } = this.#entries.next();
    this.next = done ? undefined : value;
  }

  end(): void {
    this.#entries.return?.();
  }
}
