import * as limits from '../limits.ts';
import { defined, definedText } from './call.ts';
import { count, flag, hash, hexNumber, int, listOf, objectOf, raw, text, u64, u64List, wide } from './fields.ts';
import { ALTERNATIVE_CHAIN, BAN, BLOCK_HEADER, CONNECTION, HISTOGRAM_ENTRY, INFO, SPAN } from './shapes.ts';

/** The JSON-RPC methods of the daemon's service. */

/** Whether the hash of the proof of work is wanted too. Restricted daemons never tell it. */
type FillProof = {
  readonly fillPowHash?: boolean;
};

const header = { block_header: objectOf(BLOCK_HEADER) } as const;
const acting = { acts: true } as const;

export const GET_BLOCK_COUNT = defined()('rpc', 'get_block_count getblockcount', { count });
export const ON_GET_BLOCK_HASH = definedText<readonly [height: number | bigint]>()('on_get_block_hash on_getblockhash');
export const GET_BLOCK_TEMPLATE = defined<{
  readonly walletAddress: string;
  readonly reserveSize?: number;
  /** Hex; in place of a reserve. */
  readonly extraNonce?: string;
  readonly prevBlock?: string;
}>()(
  'rpc',
  'get_block_template getblocktemplate',
  {
    blockhashing_blob: text,
    blocktemplate_blob: text,
    difficulty: wide,
    expected_reward: u64,
    height: count,
    next_seed_hash: hash,
    prev_hash: hash,
    reserved_offset: count,
    seed_hash: hash,
    seed_height: count,
  },
  { maxBytes: limits.TRANSACTIONS },
);
export const SUBMIT_BLOCK = defined<readonly [blob: string]>()('rpc', 'submit_block submitblock', { block_id: hash }, acting);
export const GENERATEBLOCKS = defined<{
  readonly amountOfBlocks: number;
  readonly walletAddress: string;
  readonly prevBlock?: string;
  readonly startingNonce?: number;
}>()('rpc', 'generateblocks', { blocks: listOf(hash), height: count }, { acts: true, maxBytes: limits.HASHES });
export const GET_LAST_BLOCK_HEADER = defined<FillProof | undefined>()('rpc', 'get_last_block_header getlastblockheader', header);
export const GET_BLOCK_HEADER_BY_HASH = defined<{ readonly hash?: string; readonly hashes?: readonly string[] } & FillProof>()(
  'rpc',
  'get_block_header_by_hash getblockheaderbyhash',
  { ...header, block_headers: listOf(objectOf(BLOCK_HEADER)) },
  { maxBytes: limits.HEADERS },
);
export const GET_BLOCK_HEADER_BY_HEIGHT = defined<{ readonly height: number | bigint } & FillProof>()(
  'rpc',
  'get_block_header_by_height getblockheaderbyheight',
  header,
);
export const GET_BLOCK_HEADERS_RANGE = defined<{ readonly startHeight: number; readonly endHeight: number } & FillProof>()(
  'rpc',
  'get_block_headers_range getblockheadersrange',
  { headers: listOf(objectOf(BLOCK_HEADER)) },
  { maxBytes: limits.HEADERS },
);
export const GET_BLOCK = defined<({ readonly height: number | bigint } | { readonly hash: string }) & FillProof>()(
  'rpc',
  'get_block getblock',
  { ...header, blob: text, json: text, miner_tx_hash: hash, tx_hashes: listOf(hash) },
  { maxBytes: limits.TRANSACTIONS },
);
export const GET_CONNECTIONS = defined()(
  'rpc',
  'get_connections',
  { connections: listOf(objectOf(CONNECTION)) },
  { maxBytes: limits.HEADERS },
);
export const GET_INFO = defined()('rpc', 'get_info', INFO);
export const HARD_FORK_INFO = defined<{ readonly version?: number } | undefined>()('rpc', 'hard_fork_info', {
  earliest_height: u64,
  enabled: flag,
  state: count,
  threshold: count,
  version: count,
  votes: count,
  voting: count,
  window: count,
});
export const SET_BANS = defined<{
  readonly bans: readonly { readonly host?: string; readonly ip?: number; readonly ban: boolean; readonly seconds?: number }[];
}>()('rpc', 'set_bans', {}, acting);
export const GET_BANS = defined()('rpc', 'get_bans', { bans: listOf(objectOf(BAN)) }, { maxBytes: limits.HEADERS });
export const BANNED = defined<{ readonly address: string }>()('rpc', 'banned', { banned: flag, seconds: count });
export const FLUSH_TXPOOL = defined<{ readonly txids?: readonly string[] } | undefined>()('rpc', 'flush_txpool', {}, acting);
export const GET_OUTPUT_HISTOGRAM = defined<{
  readonly amounts?: readonly bigint[];
  readonly minCount?: number;
  readonly maxCount?: number;
  readonly unlocked?: boolean;
  readonly recentCutoff?: number;
}>()('rpc', 'get_output_histogram', { histogram: listOf(objectOf(HISTOGRAM_ENTRY)) }, { maxBytes: limits.HISTOGRAM });
export const GET_VERSION = defined()('rpc', 'get_version', {
  current_height: count,
  hard_forks: listOf(objectOf({ height: count, hf_version: count })),
  release: flag,
  target_height: count,
  version: count,
});
export const GET_COINBASE_TX_SUM = defined<{ readonly height: number; readonly count: number }>()('rpc', 'get_coinbase_tx_sum', {
  emission_amount: wide,
  fee_amount: wide,
});
export const GET_FEE_ESTIMATE = defined<{ readonly graceBlocks?: number } | undefined>()('rpc', 'get_fee_estimate', {
  fee: u64,
  fees: listOf(u64),
  quantization_mask: u64,
});
export const GET_ALTERNATE_CHAINS = defined()(
  'rpc',
  'get_alternate_chains',
  { chains: listOf(objectOf(ALTERNATIVE_CHAIN)) },
  { maxBytes: limits.HASHES },
);
export const RELAY_TX = defined<{ readonly txids: readonly string[] }>()('rpc', 'relay_tx', {}, acting);
export const SYNC_INFO = defined()(
  'rpc',
  'sync_info',
  {
    height: count,
    next_needed_pruning_seed: count,
    overview: text,
    peers: listOf(objectOf({ info: objectOf(CONNECTION) })),
    spans: listOf(objectOf(SPAN)),
    target_height: count,
  },
  { maxBytes: limits.HEADERS },
);
/** `backlog`: weight, fee and seconds in the pool of each transaction, one number behind the other. */
export const GET_TXPOOL_BACKLOG = defined()(
  'rpc',
  'get_txpool_backlog',
  { backlog: u64List },
  { maxBytes: limits.BACKLOG, rawStrings: true },
);
/** `distribution` where it is not compressed, `compressedData` where it is: varints. */
export const GET_OUTPUT_DISTRIBUTION = defined<{
  readonly amounts: readonly bigint[];
  readonly cumulative?: boolean;
  readonly fromHeight?: number;
  readonly toHeight?: number;
  readonly binary?: boolean;
  readonly compress?: boolean;
}>()(
  'rpc',
  'get_output_distribution',
  {
    distributions: listOf(
      objectOf({
        amount: u64,
        base: u64,
        binary: flag,
        compress: flag,
        compressed_data: raw,
        distribution: u64List,
        start_height: count,
      }),
    ),
  },
  { maxBytes: limits.DISTRIBUTION, rawStrings: true },
);
export const GET_MINER_DATA = defined()(
  'rpc',
  'get_miner_data',
  {
    already_generated_coins: u64,
    difficulty: hexNumber,
    height: count,
    major_version: count,
    median_weight: count,
    prev_id: hash,
    seed_hash: hash,
    tx_backlog: listOf(objectOf({ fee: u64, id: hash, weight: count })),
  },
  { maxBytes: limits.BACKLOG },
);
export const PRUNE_BLOCKCHAIN = defined<{ readonly check?: boolean } | undefined>()(
  'rpc',
  'prune_blockchain',
  { pruned: flag, pruning_seed: count },
  acting,
);
export const CALC_POW = definedText<{
  readonly majorVersion: number;
  readonly height: number;
  readonly blockBlob: string;
  readonly seedHash: string;
}>()('calc_pow');
export const FLUSH_CACHE = defined<{ readonly badTxs?: boolean; readonly badBlocks?: boolean } | undefined>()(
  'rpc',
  'flush_cache',
  {},
  acting,
);
const AUXILIARY = { hash, id: hash } as const;
export const ADD_AUX_POW = defined<{
  readonly blocktemplateBlob: string;
  readonly auxPow: readonly { readonly id: string; readonly hash: string }[];
}>()(
  'rpc',
  'add_aux_pow',
  {
    aux_pow: listOf(objectOf(AUXILIARY)),
    blockhashing_blob: text,
    blocktemplate_blob: text,
    merkle_root: hash,
    merkle_tree_depth: u64,
  },
  { maxBytes: limits.TRANSACTIONS },
);
/** Of the release that follows 0.18. */
export const GET_TXIDS_LOOSE = defined<{ readonly txidTemplate: string; readonly numMatchingBits: number }>()(
  'rpc',
  'get_txids_loose',
  { txids: listOf(hash) },
  { maxBytes: limits.HASHES },
);

/** Payment for calls, which releases after 0.18 have no more. `client`: a public key, a time and a signature in hex. */
type Client = {
  readonly client: string;
};
export const RPC_ACCESS_INFO = defined<Client>()('rpc', 'rpc_access_info', {
  cookie: count,
  credits_per_hash_found: u64,
  diff: u64,
  hashing_blob: text,
  height: count,
  next_seed_hash: hash,
  seed_hash: hash,
  seed_height: count,
});
export const RPC_ACCESS_SUBMIT_NONCE = defined<Client & { readonly nonce: number; readonly cookie: number }>()(
  'rpc',
  'rpc_access_submit_nonce',
  {},
  acting,
);
export const RPC_ACCESS_PAY = defined<Client & { readonly payingFor: string; readonly payment: bigint }>()(
  'rpc',
  'rpc_access_pay',
  {},
  acting,
);
export const RPC_ACCESS_TRACKING = defined<{ readonly clear?: boolean } | undefined>()(
  'rpc',
  'rpc_access_tracking',
  { data: listOf(objectOf({ count: u64, credits: u64, rpc: text, time: u64 })) },
  acting,
);
export const RPC_ACCESS_DATA = defined()(
  'rpc',
  'rpc_access_data',
  {
    entries: listOf(
      objectOf({
        balance: u64,
        client: text,
        credits_total: u64,
        credits_used: u64,
        dupe: u64,
        last_request_time: count,
        last_update_time: count,
        nonces_bad: u64,
        nonces_dupe: u64,
        nonces_good: u64,
        nonces_stale: u64,
      }),
    ),
    hashrate: u64,
  },
  { maxBytes: limits.HEADERS },
);
export const RPC_ACCESS_ACCOUNT = defined<Client & { readonly deltaBalance?: number }>()(
  'rpc',
  'rpc_access_account',
  { credits: u64, delta: int },
  acting,
);
