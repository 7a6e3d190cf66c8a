import { hexToBytes } from '../../base/index.ts';
import { ARRAY_FLAG, STORAGE_HEADER, TYPE_CODES } from '../../protocol/epee/wire.ts';
import { encodePortableStorage, storage } from '../../protocol/index.ts';
import type { ServedBlock } from '../block-run.ts';
import type { PoolTransaction } from '../pool-entry.ts';
import type { PoolChanges } from '../pool-log.ts';

/** Fields of a `get_blocks.bin` reply besides its blocks. */
export interface BlocksReplyHead {
  readonly startHeight: number;
  readonly currentHeight: number;
  readonly prune: boolean;
  readonly withMinerTx: boolean;
  /** Unix seconds. */
  readonly daemonTime: number;
  /** Changes of the pool, if requested. */
  readonly pool: PoolChanges | undefined;
  /** Maximum additions to the pool that are sent whole; of others only the ids are sent. All when absent. */
  readonly maxPoolTransactions: number | undefined;
  /** `OK` when absent. */
  readonly status?: string;
}

// Portable storage: the parts that never change, joined with stored bytes.
const { uint64: U64, string: STRING, bool: BOOL, object: OBJECT } = TYPE_CODES;

/** A count with its size in the lowest two bits: 1, 2 or 4 bytes. */
function count(value: number): Buffer {
  if (value < 64) return Buffer.from([value << 2]);
  if (value < 16_384) {
    const bytes = Buffer.alloc(2);
    bytes.writeUInt16LE((value << 2) | 1);
    return bytes;
  }
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(((value << 2) | 2) >>> 0);
  return bytes;
}

function name(text: string, type: number): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1'), Buffer.from([type])]);
}

const BLOCK_FIELD = name('block', STRING);
const PRUNED_TRUE = Buffer.concat([name('pruned', BOOL), Buffer.from([1])]);
const TXS_OF_OBJECTS = name('txs', OBJECT | ARRAY_FLAG);
const TXS_OF_STRINGS = name('txs', STRING | ARRAY_FLAG);
const BLOB_FIELD = name('blob', STRING);
/** The reference sends a prunable hash of zeros with pruned transactions. */
const PRUNABLE_HASH = Buffer.concat([name('prunable_hash', STRING), count(32), Buffer.alloc(32)]);
const TX_OBJECT_HEAD = Buffer.concat([count(2), BLOB_FIELD]);
const INDICES_OF_OBJECTS = name('indices', OBJECT | ARRAY_FLAG);
const INDICES_OF_U64 = name('indices', U64 | ARRAY_FLAG);
const NONE = count(0);
const ONE = count(1);

/** Adds a block as an object of the list `blocks`. */
function pushBlock(parts: Uint8Array[], { blob, transactions }: ServedBlock, prune: boolean): void {
  const hasTransactions = transactions.length > 0;
  parts.push(count(1 + Number(prune) + Number(hasTransactions)), BLOCK_FIELD, count(blob.length), blob);
  // Fields with their default are omitted: `pruned` when false, `block_weight`, which this call never fills in.
  if (prune) parts.push(PRUNED_TRUE);
  if (hasTransactions) parts.push(prune ? TXS_OF_OBJECTS : TXS_OF_STRINGS, count(transactions.length));
  for (const tx of transactions) {
    if (prune) parts.push(TX_OBJECT_HEAD, count(tx.length), tx, PRUNABLE_HASH);
    else parts.push(count(tx.length), tx);
  }
}

/** Adds a block's output indices as an object of the list `output_indices`: one list per transaction, the coinbase first. */
function pushIndices(parts: Uint8Array[], { indices }: ServedBlock, withMinerTx: boolean): void {
  parts.push(ONE, INDICES_OF_OBJECTS, count(indices.length));
  indices.forEach((list, i) => {
    // An empty list is omitted from the object.
    if (list.length === 0 || (i === 0 && !withMinerTx)) parts.push(NONE);
    else parts.push(ONE, INDICES_OF_U64, count(list.length / 8), list);
  });
}

/** How much of the pool is sent. */
const EXTENTS = { changes: 1, all: 2 } as const;

/** One field as encoded in an object: a document with only that field, without what precedes it. */
function field(text: string, entry: storage.StorageEntry | undefined): Buffer[] {
  if (entry === undefined) return [];
  return [Buffer.from(encodePortableStorage(storage.object({ [text]: entry })).subarray(STORAGE_HEADER.length + 1))];
}

function pooled(entry: PoolTransaction, prune: boolean) {
  return storage.object({
    tx_hash: storage.bytes(hexToBytes(entry.id)),
    tx_blob: storage.bytes(prune ? entry.blob.subarray(0, entry.prunedLength) : entry.blob),
    double_spend_seen: storage.bool(entry.doubleSpendSeen),
  });
}

/** The reply of `get_blocks.bin`, byte for byte like the reference's: fields sorted by name, empty lists omitted. */
export function encodeBlocksReply(blocks: readonly ServedBlock[], head: BlocksReplyHead): Buffer {
  const { pool, prune, withMinerTx, maxPoolTransactions } = head;
  const whole = pool?.added.slice(0, maxPoolTransactions) ?? [];
  const named = pool?.added.slice(whole.length) ?? [];
  const fields: readonly (readonly Uint8Array[])[] = [
    whole.length === 0 ? [] : field('added_pool_txs', storage.objects(whole.map((tx) => pooled(tx, prune)))),
    list('blocks', blocks, (parts, block) => pushBlock(parts, block, prune)),
    field('credits', storage.u64(0)),
    field('current_height', storage.u64(head.currentHeight)),
    field('daemon_time', storage.u64(head.daemonTime)),
    list('output_indices', blocks, (parts, block) => pushIndices(parts, block, withMinerTx)),
    pool === undefined ? [] : field('pool_info_extent', storage.u8(EXTENTS[pool.extent])),
    field('remaining_added_pool_txids', storage.packed(named.map(({ id }) => hexToBytes(id)))),
    pool === undefined ? [] : field('removed_pool_txids', storage.packed(pool.removed.map(hexToBytes))),
    field('start_height', storage.u64(head.startHeight)),
    field('status', storage.text(head.status ?? 'OK')),
    field('top_hash', storage.text('')),
    field('untrusted', storage.bool(false)),
  ];
  const present = fields.filter(({ length }) => length > 0);
  return Buffer.concat([STORAGE_HEADER, count(present.length), ...present.flat()]);
}

/** A list of objects, one per block; omitted when empty. */
function list(
  text: string,
  blocks: readonly ServedBlock[],
  push: (parts: Uint8Array[], block: ServedBlock) => void,
): Uint8Array[] {
  if (blocks.length === 0) return [];
  const parts: Uint8Array[] = [name(text, OBJECT | ARRAY_FLAG), count(blocks.length)];
  for (const block of blocks) push(parts, block);
  return parts;
}
