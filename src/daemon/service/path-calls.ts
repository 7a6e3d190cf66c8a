import * as limits from '../limits.ts';
import { defined } from './call.ts';
import { count, flag, hash, listOf, objectOf, packedHashes, raw, rawHash, text, u64, u64List } from './fields.ts';
import {
  INFO,
  MINING_STATUS,
  OUTPUT_KEY,
  PEER,
  POOL_STATS,
  POOL_TRANSACTION,
  PUBLIC_NODE,
  SEND_RESULT,
  SPENT_KEY_IMAGE,
  TRANSACTION,
} from './shapes.ts';

/** The calls of the daemon's service that have paths of their own: with JSON, and with portable storage (`.bin`). */

const acting = { acts: true } as const;

export const GET_HEIGHT = defined()('path', 'get_height getheight', { hash, height: count });
export const GET_INFO_PATH = defined()('path', 'get_info getinfo', INFO);
export const GET_TRANSACTIONS = defined<{
  readonly txsHashes: readonly string[];
  readonly decodeAsJson?: boolean;
  readonly prune?: boolean;
  readonly split?: boolean;
}>()(
  'path',
  'get_transactions gettransactions',
  { missed_tx: listOf(hash), txs: listOf(objectOf(TRANSACTION)), txs_as_hex: listOf(text), txs_as_json: listOf(text) },
  { maxBytes: limits.TRANSACTIONS },
);
export const GET_ALT_BLOCKS_HASHES = defined()(
  'path',
  'get_alt_blocks_hashes',
  { blks_hashes: listOf(hash) },
  { maxBytes: limits.HASHES },
);
/** 0 unspent, 1 spent on the chain, 2 spent in the pool. */
export const IS_KEY_IMAGE_SPENT = defined<{ readonly keyImages: readonly string[] }>()(
  'path',
  'is_key_image_spent',
  { spent_status: listOf(count) },
  { maxBytes: limits.KEY_IMAGES },
);
/** A refusal is an answer: `status` is OK or not, flags and `reason` say why. */
export const SEND_RAW_TRANSACTION = defined<{
  readonly txAsHex: string;
  readonly doNotRelay?: boolean;
  readonly doSanityChecks?: boolean;
}>()('path', 'send_raw_transaction sendrawtransaction', { ...SEND_RESULT, status: text }, { acts: true, anyStatus: true });
export const GET_OUTS = defined<{
  readonly outputs: readonly { readonly amount: bigint; readonly index: bigint }[];
  readonly getTxid?: boolean;
}>()('path', 'get_outs', { outs: listOf(objectOf(OUTPUT_KEY)) }, { maxBytes: limits.HEADERS });
export const START_MINING = defined<{
  readonly minerAddress: string;
  readonly threadsCount: number;
  readonly doBackgroundMining?: boolean;
  readonly ignoreBattery?: boolean;
}>()('path', 'start_mining', {}, acting);
export const STOP_MINING = defined()('path', 'stop_mining', {}, acting);
export const MINING_STATUS_PATH = defined()('path', 'mining_status', MINING_STATUS);
export const SAVE_BC = defined()('path', 'save_bc', {}, acting);
export const GET_PEER_LIST = defined<{ readonly publicOnly?: boolean; readonly includeBlocked?: boolean } | undefined>()(
  'path',
  'get_peer_list',
  { gray_list: listOf(objectOf(PEER)), white_list: listOf(objectOf(PEER)) },
  { maxBytes: limits.HEADERS },
);
export const GET_PUBLIC_NODES = defined<
  { readonly gray?: boolean; readonly white?: boolean; readonly includeBlocked?: boolean } | undefined
>()(
  'path',
  'get_public_nodes',
  { gray: listOf(objectOf(PUBLIC_NODE)), white: listOf(objectOf(PUBLIC_NODE)) },
  { maxBytes: limits.HEADERS },
);
export const SET_LOG_HASH_RATE = defined<{ readonly visible: boolean }>()('path', 'set_log_hash_rate', {}, acting);
export const SET_LOG_LEVEL = defined<{ readonly level: number }>()('path', 'set_log_level', {}, acting);
export const SET_LOG_CATEGORIES = defined<{ readonly categories?: string } | undefined>()(
  'path',
  'set_log_categories',
  { categories: text },
  acting,
);
export const SET_BOOTSTRAP_DAEMON = defined<{
  readonly address: string;
  readonly username?: string;
  readonly password?: string;
  readonly proxy?: string;
}>()('path', 'set_bootstrap_daemon', {}, acting);
export const GET_TRANSACTION_POOL = defined()(
  'path',
  'get_transaction_pool',
  { spent_key_images: listOf(objectOf(SPENT_KEY_IMAGE)), transactions: listOf(objectOf(POOL_TRANSACTION)) },
  { maxBytes: limits.BLOCKS_REPLY.bytes },
);
export const GET_TRANSACTION_POOL_HASHES = defined()(
  'path',
  'get_transaction_pool_hashes',
  { tx_hashes: listOf(hash) },
  { maxBytes: limits.POOL_HASHES },
);
/** The one path of this name that has JSON both ways, with raw bytes in it. */
export const GET_TRANSACTION_POOL_HASHES_BIN = defined()(
  'path',
  'get_transaction_pool_hashes.bin',
  { tx_hashes: packedHashes },
  { maxBytes: limits.POOL_HASHES, rawStrings: true },
);
export const GET_TRANSACTION_POOL_STATS = defined()('path', 'get_transaction_pool_stats', { pool_stats: objectOf(POOL_STATS) });
export const STOP_DAEMON = defined()('path', 'stop_daemon', {}, acting);
export const GET_LIMIT = defined()('path', 'get_limit', { limit_down: count, limit_up: count });
export const SET_LIMIT = defined<{ readonly limitDown: number; readonly limitUp: number }>()(
  'path',
  'set_limit',
  { limit_down: count, limit_up: count },
  acting,
);
export const OUT_PEERS = defined<{ readonly outPeers: number; readonly set?: boolean }>()(
  'path',
  'out_peers',
  { out_peers: count },
  acting,
);
export const IN_PEERS = defined<{ readonly inPeers: number; readonly set?: boolean }>()(
  'path',
  'in_peers',
  { in_peers: count },
  acting,
);
export const GET_NET_STATS = defined()('path', 'get_net_stats', {
  start_time: count,
  total_bytes_in: u64,
  total_bytes_out: u64,
  total_packets_in: u64,
  total_packets_out: u64,
});
/** Of daemons long gone, as {@link STOP_SAVE_GRAPH}. */
export const START_SAVE_GRAPH = defined()('path', 'start_save_graph', {}, acting);
export const STOP_SAVE_GRAPH = defined()('path', 'stop_save_graph', {}, acting);
export const UPDATE = defined<{ readonly command: 'check' | 'download'; readonly path?: string }>()(
  'path',
  'update',
  { auto_uri: text, hash: text, path: text, update: flag, user_uri: text, version: text },
  acting,
);
export const POP_BLOCKS = defined<{ readonly nblocks: number; readonly keepTxs?: boolean }>()(
  'path',
  'pop_blocks',
  { height: count },
  acting,
);

/** A transaction of a block: whole where it is asked for whole, and without signatures and proofs where pruned. */
const BLOCK_TRANSACTION = (from: Parameters<typeof raw>[0], name: string) =>
  typeof from[name] === 'string'
    ? { blob: raw(from, name), prunableHash: '' }
    : objectOf({ blob: raw, prunable_hash: rawHash })(from, name);

const BLOCKS = {
  blocks: listOf(objectOf({ block: raw, block_weight: count, pruned: flag, txs: listOf(BLOCK_TRANSACTION) })),
} as const;
const POOLED = { double_spend_seen: flag, tx_blob: raw, tx_hash: rawHash } as const;

/** `requestedInfo`: 0 blocks, 1 blocks and the pool, 2 the pool; of the pool, what changed since a time of the daemon's clock. */
export const GET_BLOCKS_BIN = defined<{
  readonly blockIds?: readonly string[];
  readonly startHeight?: number;
  readonly prune?: boolean;
  readonly noMinerTx?: boolean;
  readonly maxBlockCount?: number;
  readonly requestedInfo?: 0 | 1 | 2;
  readonly poolInfoSince?: bigint;
}>()(
  'binary',
  'get_blocks.bin getblocks.bin',
  {
    ...BLOCKS,
    added_pool_txs: listOf(objectOf(POOLED)),
    current_height: count,
    daemon_time: count,
    output_indices: listOf(objectOf({ indices: listOf(objectOf({ indices: listOf(u64) })) })),
    pool_info_extent: count,
    remaining_added_pool_txids: packedHashes,
    removed_pool_txids: packedHashes,
    start_height: count,
  },
  { maxBytes: limits.BLOCKS_REPLY.bytes },
);
export const GET_BLOCKS_BY_HEIGHT_BIN = defined<{ readonly heights: readonly number[] }>()(
  'binary',
  'get_blocks_by_height.bin getblocks_by_height.bin',
  BLOCKS,
  { maxBytes: limits.BLOCKS_BY_HEIGHT },
);
export const GET_HASHES_BIN = defined<{ readonly blockIds: readonly string[]; readonly startHeight?: number }>()(
  'binary',
  'get_hashes.bin gethashes.bin',
  { current_height: count, m_block_ids: packedHashes, start_height: count },
  { maxBytes: limits.HASHES },
);
export const GET_O_INDEXES_BIN = defined<{ readonly txid: string }>()('binary', 'get_o_indexes.bin', { o_indexes: listOf(u64) });
export const GET_OUTS_BIN = defined<{
  readonly outputs: readonly { readonly amount: bigint; readonly index: bigint }[];
  readonly getTxid?: boolean;
}>()(
  'binary',
  'get_outs.bin',
  { outs: listOf(objectOf({ height: count, key: rawHash, mask: rawHash, txid: rawHash, unlocked: flag })) },
  { maxBytes: limits.HEADERS },
);
export const GET_OUTPUT_DISTRIBUTION_BIN = defined<{
  readonly amounts: readonly bigint[];
  readonly cumulative?: boolean;
  readonly fromHeight?: number;
  readonly toHeight?: number;
  readonly compress?: boolean;
}>()(
  'binary',
  'get_output_distribution.bin',
  {
    distributions: listOf(
      objectOf({ amount: u64, base: u64, compress: flag, compressed_data: raw, distribution: u64List, start_height: count }),
    ),
  },
  { maxBytes: limits.DISTRIBUTION },
);
