import * as limits from '../limits.ts';
import { call } from './call.ts';
import { count, flag, hash, listOf, objectOf, packedHashes, rawBytes, rawHash, text, u64, u64List } from './fields.ts';
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

const acting = { acts: true } as const;

/** A transaction of a block: whole where it is asked for whole, and without signatures and proofs where pruned. */
const BLOCK_TRANSACTION = (from: Parameters<typeof rawBytes>[0], name: string) =>
  typeof from[name] === 'string'
    ? { blob: rawBytes(from, name), prunableHash: '' }
    : objectOf({ blob: rawBytes, prunable_hash: rawHash })(from, name);

const BLOCKS = {
  blocks: listOf(objectOf({ block: rawBytes, block_weight: count, pruned: flag, txs: listOf(BLOCK_TRANSACTION) })),
} as const;
const POOLED = { double_spend_seen: flag, tx_blob: rawBytes, tx_hash: rawHash } as const;

/** The calls of the daemon's service that have paths of their own, with JSON. */
export const PATH_CALLS = {
  /** Number of blocks and id of the newest. */
  getHeight: call()({ hash, height: count }, { also: 'getheight' }),
  /** As `getInfo`, by its old path. */
  getInfoByPath: call()(INFO, { name: 'get_info', also: 'getinfo' }),
  /** Transactions of the chain and the pool. */
  getTransactions: call<{
    readonly txsHashes: readonly string[];
    readonly decodeAsJson?: boolean;
    readonly prune?: boolean;
    readonly split?: boolean;
  }>()(
    { missed_tx: listOf(hash), txs: listOf(objectOf(TRANSACTION)), txs_as_hex: listOf(text), txs_as_json: listOf(text) },
    { also: 'gettransactions', maxBytes: limits.TRANSACTIONS },
  ),
  /** Ids of blocks of branches that lost. */
  getAltBlocksHashes: call()({ blks_hashes: listOf(hash) }, { maxBytes: limits.HASHES }),
  /** 0 unspent, 1 spent on the chain, 2 in the pool, in the order asked. */
  isKeyImageSpent: call<{ readonly keyImages: readonly string[] }>()(
    { spent_status: listOf(count) },
    { maxBytes: limits.KEY_IMAGES },
  ),
  /** Hands in a transaction. A refusal is an answer: `status` is not OK, flags and `reason` say why. */
  sendRawTransaction: call<{
    readonly txAsHex: string;
    readonly doNotRelay?: boolean;
    readonly doSanityChecks?: boolean;
  }>()({ ...SEND_RESULT, status: text }, { also: 'sendrawtransaction', acts: true, anyStatus: true }),
  /** Outputs by amount and index. */
  getOuts: call<{
    readonly outputs: readonly { readonly amount: bigint; readonly index: bigint }[];
    readonly getTxid?: boolean;
  }>()({ outs: listOf(objectOf(OUTPUT_KEY)) }, { maxBytes: limits.HEADERS }),
  /** Has it mine to an address. */
  startMining: call<{
    readonly minerAddress: string;
    readonly threadsCount: number;
    readonly doBackgroundMining?: boolean;
    readonly ignoreBattery?: boolean;
  }>()({}, acting),
  /** Has it stop. */
  stopMining: call()({}, acting),
  /** Whether it mines, and how fast. */
  miningStatus: call()(MINING_STATUS),
  /** Has it write its chain to disk. */
  saveBc: call()({}, acting),
  /** Peers that it knows: `whiteList` answered lately, `grayList` did not. */
  getPeerList: call<{ readonly publicOnly?: boolean; readonly includeBlocked?: boolean } | undefined>()(
    { gray_list: listOf(objectOf(PEER)), white_list: listOf(objectOf(PEER)) },
    { maxBytes: limits.HEADERS },
  ),
  /** Peers that offer their service to everybody. */
  getPublicNodes: call<{ readonly gray?: boolean; readonly white?: boolean; readonly includeBlocked?: boolean } | undefined>()(
    { gray: listOf(objectOf(PUBLIC_NODE)), white: listOf(objectOf(PUBLIC_NODE)) },
    { maxBytes: limits.HEADERS },
  ),
  /** Whether it logs its hash rate. Not while it does not mine: `bad-status` with NOT MINING. */
  setLogHashRate: call<{ readonly visible: boolean }>()({}, acting),
  /** Log level, 0 to 4. */
  setLogLevel: call<{ readonly level: number }>()({}, acting),
  /** Log categories; those in force then. */
  setLogCategories: call<{ readonly categories?: string } | undefined>()({ categories: text }, acting),
  /** Whom it asks while it is behind. */
  setBootstrapDaemon: call<{
    readonly address: string;
    readonly username?: string;
    readonly password?: string;
    readonly proxy?: string;
  }>()({}, acting),
  /** The whole pool, with complete transactions. */
  getTransactionPool: call()(
    { spent_key_images: listOf(objectOf(SPENT_KEY_IMAGE)), transactions: listOf(objectOf(POOL_TRANSACTION)) },
    { maxBytes: limits.BLOCKS_REPLY.bytes },
  ),
  /** Ids of all that waits. */
  getTransactionPoolHashes: call()({ tx_hashes: listOf(hash) }, { maxBytes: limits.POOL_HASHES }),
  // The one path of this name that has JSON both ways, with raw bytes in it.
  /** As `getTransactionPoolHashes`, with raw bytes. */
  getTransactionPoolHashesBin: call()(
    { tx_hashes: packedHashes },
    { name: 'get_transaction_pool_hashes.bin', maxBytes: limits.POOL_HASHES, rawStrings: true },
  ),
  /** The pool in numbers. */
  getTransactionPoolStats: call()({ pool_stats: objectOf(POOL_STATS) }),
  /** Ends it. */
  stopDaemon: call()({}, acting),
  /** kB a second that it takes and gives. */
  getLimit: call()({ limit_down: count, limit_up: count }),
  /** Sets them: -1 for the default, 0 for as it is. */
  setLimit: call<{ readonly limitDown: number; readonly limitUp: number }>()({ limit_down: count, limit_up: count }, acting),
  /** How many peers it calls at most. */
  outPeers: call<{ readonly outPeers: number; readonly set?: boolean }>()({ out_peers: count }, acting),
  /** How many peers may call at most. */
  inPeers: call<{ readonly inPeers: number; readonly set?: boolean }>()({ in_peers: count }, acting),
  /** Traffic since it started. */
  getNetStats: call()({
    start_time: count,
    total_bytes_in: u64,
    total_bytes_out: u64,
    total_packets_in: u64,
    total_packets_out: u64,
  }),
  /** Of daemons long gone; `not-offered` by others. */
  startSaveGraph: call()({}, acting),
  /** Of daemons long gone; `not-offered` by others. */
  stopSaveGraph: call()({}, acting),
  /** Whether there is a newer release, or fetches it. */
  update: call<{ readonly command: 'check' | 'download'; readonly path?: string }>()(
    { auto_uri: text, hash: text, path: text, update: flag, user_uri: text, version: text },
    acting,
  ),
  /** Takes the newest blocks off. */
  popBlocks: call<{ readonly nblocks: number; readonly keepTxs?: boolean }>()({ height: count }, acting),
};

/** Those with portable storage both ways. */
export const BINARY_CALLS = {
  // `requestedInfo`: 0 blocks, 1 blocks and the pool, 2 the pool; of the pool, what changed since a time of the daemon's clock.
  /** Blocks with their transactions from a common ancestor or a height on, raw. */
  getBlocksBin: call<{
    readonly blockIds?: readonly string[];
    readonly startHeight?: number;
    readonly prune?: boolean;
    readonly noMinerTx?: boolean;
    readonly maxBlockCount?: number;
    readonly requestedInfo?: 0 | 1 | 2;
    readonly poolInfoSince?: bigint;
  }>()(
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
    { also: 'getblocks.bin', maxBytes: limits.BLOCKS_REPLY.bytes },
  ),
  /** Blocks at heights, raw. */
  getBlocksByHeightBin: call<{ readonly heights: readonly number[] }>()(BLOCKS, {
    also: 'getblocks_by_height.bin',
    maxBytes: limits.BLOCKS_BY_HEIGHT,
  }),
  /** Ids of blocks from a common ancestor on. */
  getHashesBin: call<{ readonly blockIds: readonly string[]; readonly startHeight?: number }>()(
    { current_height: count, m_block_ids: packedHashes, start_height: count },
    { also: 'gethashes.bin', maxBytes: limits.HASHES },
  ),
  /** Indices of a transaction's outputs. */
  getOIndexesBin: call<{ readonly txid: string }>()({ o_indexes: listOf(u64) }),
  /** Outputs by amount and index. */
  getOutsBin: call<{
    readonly outputs: readonly { readonly amount: bigint; readonly index: bigint }[];
    readonly getTxid?: boolean;
  }>()(
    { outs: listOf(objectOf({ height: count, key: rawHash, mask: rawHash, txid: rawHash, unlocked: flag })) },
    { maxBytes: limits.HEADERS },
  ),
  /** How many outputs of an amount each block has. */
  getOutputDistributionBin: call<{
    readonly amounts: readonly bigint[];
    readonly cumulative?: boolean;
    readonly fromHeight?: number;
    readonly toHeight?: number;
    readonly compress?: boolean;
  }>()(
    {
      distributions: listOf(
        objectOf({
          amount: u64,
          base: u64,
          compress: flag,
          compressed_data: rawBytes,
          distribution: u64List,
          start_height: count,
        }),
      ),
    },
    { maxBytes: limits.DISTRIBUTION },
  ),
};
