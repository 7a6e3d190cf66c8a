import { hexToBytes } from '../../base/index.ts';
import { encodePortableStorage, storage } from '../../protocol/index.ts';
import type { ChainBlock } from '../chain.ts';
import type { PoolChanges, PoolTransaction } from '../pool.ts';

/** What a reply of `get_blocks.bin` says besides its blocks. */
export interface BlocksReplyHead {
  readonly startHeight: number;
  readonly currentHeight: number;
  readonly prune: boolean;
  readonly withMinerTx: boolean;
  /** Unix seconds. */
  readonly daemonTime: number;
  /** Word of the pool, where it was asked for. */
  readonly pool: PoolChanges | undefined;
}

/** Portable storage: the parts that never change, put together from bytes that are prepared once a block. */
const SIGNATURE = Buffer.from([0x01, 0x11, 0x01, 0x01, 0x01, 0x01, 0x02, 0x01, 0x01]);
const U64 = 5;
const STRING = 10;
const BOOL = 11;
const OBJECT = 12;
const ARRAY = 0x80;

interface Prepared {
  whole: Buffer | undefined;
  pruned: Buffer | undefined;
  indices: Buffer | undefined;
}

/** By block: entries go when the block does. */
const prepared = new WeakMap<ChainBlock, Prepared>();

/** Count with its size in the lowest two bits: 1, 2, 4 or 8 bytes. */
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

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

const BLOCK_FIELD = name('block', STRING);
const PRUNED_TRUE = Buffer.concat([name('pruned', BOOL), Buffer.from([1])]);
const TXS_OF_OBJECTS = name('txs', OBJECT | ARRAY);
const TXS_OF_STRINGS = name('txs', STRING | ARRAY);
const BLOB_FIELD = name('blob', STRING);
/** The reference leaves the prunable hash empty when it sends pruned transactions. */
const PRUNABLE_HASH = Buffer.concat([name('prunable_hash', STRING), count(32), Buffer.alloc(32)]);
const TX_OBJECT_HEAD = Buffer.concat([count(2), BLOB_FIELD]);
const INDICES_OF_OBJECTS = name('indices', OBJECT | ARRAY);
const INDICES_OF_U64 = name('indices', U64 | ARRAY);

/** A block as an object of the list `blocks`. */
function encodeBlock(block: ChainBlock, prune: boolean): Buffer {
  const parts: Uint8Array[] = [];
  const hasTransactions = block.transactions.length > 0;
  parts.push(count(1 + Number(prune) + Number(hasTransactions)), BLOCK_FIELD, count(block.blob.length), block.blob);
  // Fields that hold their default are left out: `pruned` when false, `block_weight`, which this call never fills in.
  if (prune) parts.push(PRUNED_TRUE);
  if (hasTransactions) parts.push(prune ? TXS_OF_OBJECTS : TXS_OF_STRINGS, count(block.transactions.length));
  for (const tx of block.transactions) {
    if (prune) parts.push(TX_OBJECT_HEAD, count(tx.prunedLength), tx.blob.subarray(0, tx.prunedLength), PRUNABLE_HASH);
    else parts.push(count(tx.blob.length), tx.blob);
  }
  return Buffer.concat(parts);
}

function encodeIndexList(indices: readonly number[]): Buffer {
  // An empty list is left out of the object.
  if (indices.length === 0) return count(0);
  return Buffer.concat([count(1), INDICES_OF_U64, count(indices.length), ...indices.map(u64)]);
}

/** A block's output indices as an object of the list `output_indices`: one list a transaction, the coinbase first. */
function encodeIndices(block: ChainBlock, withMinerTx: boolean): Buffer {
  const lists = [withMinerTx ? block.minerTx.outputIndices : [], ...block.transactions.map((tx) => tx.outputIndices)];
  return Buffer.concat([count(1), INDICES_OF_OBJECTS, count(lists.length), ...lists.map(encodeIndexList)]);
}

function preparedOf(block: ChainBlock): Prepared {
  let entry = prepared.get(block);
  if (entry === undefined) {
    entry = { whole: undefined, pruned: undefined, indices: undefined };
    prepared.set(block, entry);
  }
  return entry;
}

function blockBytes(block: ChainBlock, prune: boolean): Buffer {
  const entry = preparedOf(block);
  const key = prune ? 'pruned' : 'whole';
  entry[key] ??= encodeBlock(block, prune);
  return entry[key];
}

function indexBytes(block: ChainBlock, withMinerTx: boolean): Buffer {
  if (!withMinerTx) return encodeIndices(block, false);
  const entry = preparedOf(block);
  entry.indices ??= encodeIndices(block, true);
  return entry.indices;
}

/** How much of the pool is told. */
const EXTENTS = { changes: 1, all: 2 } as const;

/** One field as it lies in an object: a document of it alone, without what comes before the field. */
function field(text: string, entry: storage.StorageEntry | undefined): Buffer[] {
  if (entry === undefined) return [];
  return [Buffer.from(encodePortableStorage(storage.object({ [text]: entry })).subarray(SIGNATURE.length + 1))];
}

function pooled(entry: PoolTransaction, prune: boolean) {
  return storage.object({
    tx_hash: storage.bytes(hexToBytes(entry.id)),
    tx_blob: storage.bytes(prune ? entry.blob.subarray(0, entry.prunedLength) : entry.blob),
    double_spend_seen: storage.bool(entry.doubleSpendSeen),
  });
}

/**
 * The reply of `get_blocks.bin`, byte for byte as the reference's: fields by name, empty lists left out.
 * A block's bytes are prepared the first time it is asked for.
 */
export function encodeBlocksReply(blocks: readonly ChainBlock[], head: BlocksReplyHead): Buffer {
  const { pool, prune } = head;
  const lists = blocks.length > 0;
  const fields: readonly (readonly Uint8Array[])[] = [
    pool === undefined || pool.added.length === 0
      ? []
      : field('added_pool_txs', storage.objects(pool.added.map((tx) => pooled(tx, prune)))),
    lists ? [name('blocks', OBJECT | ARRAY), count(blocks.length), ...blocks.map((block) => blockBytes(block, prune))] : [],
    field('credits', storage.u64(0)),
    field('current_height', storage.u64(head.currentHeight)),
    field('daemon_time', storage.u64(head.daemonTime)),
    lists
      ? [
          name('output_indices', OBJECT | ARRAY),
          count(blocks.length),
          ...blocks.map((block) => indexBytes(block, head.withMinerTx)),
        ]
      : [],
    pool === undefined ? [] : field('pool_info_extent', storage.u8(EXTENTS[pool.extent])),
    pool === undefined ? [] : field('removed_pool_txids', storage.packed(pool.removed.map(hexToBytes))),
    field('start_height', storage.u64(head.startHeight)),
    field('status', storage.text('OK')),
    field('top_hash', storage.text('')),
    field('untrusted', storage.bool(false)),
  ];
  const present = fields.filter(({ length }) => length > 0);
  return Buffer.concat([SIGNATURE, count(present.length), ...present.flat()]);
}
