import * as limits from '../limits.ts';
import { call, callForText } from './call.ts';
import { count, flag, hash, hexNumber, int, listOf, objectOf, rawBytes, text, u64, u64List, u128 } from './fields.ts';
import { ALTERNATIVE_CHAIN, BAN, BLOCK_HEADER, CONNECTION, HISTOGRAM_ENTRY, INFO, SPAN } from './shapes.ts';

/** Whether the hash of the proof of work is wanted too. Restricted daemons never tell it. */
type FillProof = {
  readonly fillPowHash?: boolean;
};

const header = { block_header: objectOf(BLOCK_HEADER) } as const;
const acting = { acts: true } as const;
const AUXILIARY = { hash, id: hash } as const;

/** Payment for calls, which releases after 0.18 have no more. `client`: a public key, a time and a signature in hex. */
type Client = {
  readonly client: string;
};

/** The JSON-RPC methods of the daemon's service. */
export const RPC_CALLS = {
  /** Number of blocks of its chain. */
  getBlockCount: call()({ count }, { also: 'getblockcount' }),
  /** Id of the block at a height. */
  onGetBlockHash: callForText<readonly [height: number | bigint]>({ also: 'on_getblockhash' }),
  /** A block to mine on. */
  getBlockTemplate: call<{
    readonly walletAddress: string;
    readonly reserveSize?: number;
    /** Hex; in place of a reserve. */
    readonly extraNonce?: string;
    readonly prevBlock?: string;
  }>()(
    {
      blockhashing_blob: text,
      blocktemplate_blob: text,
      difficulty: u128,
      expected_reward: u64,
      height: count,
      next_seed_hash: hash,
      prev_hash: hash,
      reserved_offset: count,
      seed_hash: hash,
      seed_height: count,
    },
    { also: 'getblocktemplate', maxBytes: limits.TRANSACTIONS },
  ),
  /** Hands in a mined block. A daemon that does not take it is `rpc-error` with code -7. `blockId` is empty before release 0.18.2. */
  submitBlock: call<readonly [blob: string]>()({ block_id: hash }, { also: 'submitblock', ...acting }),
  /** Mines blocks at once, on test chains of fixed difficulty. Ids, and the height of the last. */
  generateBlocks: call<{
    readonly amountOfBlocks: number;
    readonly walletAddress: string;
    readonly prevBlock?: string;
    readonly startingNonce?: number;
  }>()({ blocks: listOf(hash), height: count }, { name: 'generateblocks', acts: true, maxBytes: limits.HASHES }),
  /** Header of the newest block. */
  getLastBlockHeader: call<FillProof | undefined>()(header, { also: 'getlastblockheader' }),
  /** Headers by id: one by `hash`, several by `hashes`. */
  getBlockHeaderByHash: call<{ readonly hash?: string; readonly hashes?: readonly string[] } & FillProof>()(
    { ...header, block_headers: listOf(objectOf(BLOCK_HEADER)) },
    { also: 'getblockheaderbyhash', maxBytes: limits.HEADERS },
  ),
  /** Header of the block at a height. */
  getBlockHeaderByHeight: call<{ readonly height: number | bigint } & FillProof>()(header, { also: 'getblockheaderbyheight' }),
  /** Headers from one height to another, both included. */
  getBlockHeadersRange: call<{ readonly startHeight: number; readonly endHeight: number } & FillProof>()(
    { headers: listOf(objectOf(BLOCK_HEADER)) },
    { also: 'getblockheadersrange', maxBytes: limits.HEADERS },
  ),
  /** A block by height or id, with its header. */
  getBlock: call<({ readonly height: number | bigint } | { readonly hash: string }) & FillProof>()(
    { ...header, blob: text, json: text, miner_tx_hash: hash, tx_hashes: listOf(hash) },
    { also: 'getblock', maxBytes: limits.TRANSACTIONS },
  ),
  /** Peers that it is connected to. */
  getConnections: call()({ connections: listOf(objectOf(CONNECTION)) }, { maxBytes: limits.HEADERS }),
  /** The daemon and its chain as a whole. */
  getInfo: call()(INFO),
  /** A version of the protocol, or the current one. */
  hardForkInfo: call<{ readonly version?: number } | undefined>()({
    earliest_height: u64,
    enabled: flag,
    state: count,
    threshold: count,
    version: count,
    votes: count,
    voting: count,
    window: count,
  }),
  /** Bans hosts and networks, or ends bans. */
  setBans: call<{
    readonly bans: readonly { readonly host?: string; readonly ip?: number; readonly ban: boolean; readonly seconds?: number }[];
  }>()({}, acting),
  /** Banned hosts, and for how many seconds. */
  getBans: call()({ bans: listOf(objectOf(BAN)) }, { maxBytes: limits.HEADERS }),
  /** Whether a host is banned. */
  banned: call<{ readonly address: string }>()({ banned: flag, seconds: count }),
  /** Throws transactions out of the pool; all where none is named. */
  flushTxpool: call<{ readonly txids?: readonly string[] } | undefined>()({}, acting),
  /** How many outputs there are of each amount. */
  getOutputHistogram: call<{
    readonly amounts?: readonly bigint[];
    readonly minCount?: number;
    readonly maxCount?: number;
    readonly unlocked?: boolean;
    readonly recentCutoff?: number;
  }>()({ histogram: listOf(objectOf(HISTOGRAM_ENTRY)) }, { maxBytes: limits.HISTOGRAM }),
  /** Version of the daemon's service: major above sixteen bits of minor. */
  getVersion: call()({
    current_height: count,
    hard_forks: listOf(objectOf({ height: count, hf_version: count })),
    release: flag,
    target_height: count,
    version: count,
  }),
  /** Coins and fees of a run of blocks. */
  getCoinbaseTxSum: call<{ readonly height: number; readonly count: number }>()({
    emission_amount: u128,
    fee_amount: u128,
  }),
  /** Fees a byte of weight. */
  getFeeEstimate: call<{ readonly graceBlocks?: number } | undefined>()({
    fee: u64,
    fees: listOf(u64),
    quantization_mask: u64,
  }),
  /** Branches that lost. */
  getAlternateChains: call()({ chains: listOf(objectOf(ALTERNATIVE_CHAIN)) }, { maxBytes: limits.HASHES }),
  /** Sends transactions of the pool to peers. */
  relayTx: call<{ readonly txids: readonly string[] }>()({}, acting),
  /** How far it is behind its peers. */
  syncInfo: call()(
    {
      height: count,
      next_needed_pruning_seed: count,
      overview: text,
      peers: listOf(objectOf({ info: objectOf(CONNECTION) })),
      spans: listOf(objectOf(SPAN)),
      target_height: count,
    },
    { maxBytes: limits.HEADERS },
  ),
  // `backlog`: weight, fee and seconds in the pool of each transaction, one number behind the other; before 0.18.5.3, 2^64 less the seconds.
  /** Pool transactions by weight, fee and age. */
  getTxpoolBacklog: call()({ backlog: u64List }, { maxBytes: limits.BACKLOG, rawStrings: true }),
  // `distribution` where it is not compressed, `compressedData` where it is: varints.
  /** How many outputs of an amount each block has. */
  getOutputDistribution: call<{
    readonly amounts: readonly bigint[];
    readonly cumulative?: boolean;
    readonly fromHeight?: number;
    readonly toHeight?: number;
    readonly binary?: boolean;
    readonly compress?: boolean;
  }>()(
    {
      distributions: listOf(
        objectOf({
          amount: u64,
          base: u64,
          binary: flag,
          compress: flag,
          compressed_data: rawBytes,
          distribution: u64List,
          start_height: count,
        }),
      ),
    },
    { maxBytes: limits.DISTRIBUTION, rawStrings: true },
  ),
  /** Data from which a mining pool makes templates. */
  getMinerData: call()(
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
  ),
  /** Prunes its chain, or says whether it is. */
  pruneBlockchain: call<{ readonly check?: boolean } | undefined>()({ pruned: flag, pruning_seed: count }, acting),
  /** Proof of work of a block, 64 hex digits. */
  calcPow: callForText<{
    readonly majorVersion: number;
    readonly height: number;
    readonly blockBlob: string;
    readonly seedHash: string;
  }>(),
  /** Forgets what it took for bad. */
  flushCache: call<{ readonly badTxs?: boolean; readonly badBlocks?: boolean } | undefined>()({}, acting),
  /** Puts the root of other chains into a template. */
  addAuxPow: call<{
    readonly blocktemplateBlob: string;
    readonly auxPow: readonly { readonly id: string; readonly hash: string }[];
  }>()(
    {
      aux_pow: listOf(objectOf(AUXILIARY)),
      blockhashing_blob: text,
      blocktemplate_blob: text,
      merkle_root: hash,
      merkle_tree_depth: u64,
    },
    { maxBytes: limits.TRANSACTIONS },
  ),
  // New in the release after 0.18.
  /** Ids of transactions that begin with some bits. */
  getTxidsLoose: call<{ readonly txidTemplate: string; readonly numMatchingBits: number }>()(
    { txids: listOf(hash) },
    { maxBytes: limits.HASHES },
  ),
  /** Credits of a paying client, and its work. */
  rpcAccessInfo: call<Client>()({
    cookie: count,
    credits_per_hash_found: u64,
    diff: u64,
    hashing_blob: text,
    height: count,
    next_seed_hash: hash,
    seed_hash: hash,
    seed_height: count,
  }),
  /** Hands in work as payment. */
  rpcAccessSubmitNonce: call<Client & { readonly nonce: number; readonly cookie: number }>()({}, acting),
  /** Pays for a call to somebody else's service. */
  rpcAccessPay: call<Client & { readonly payingFor: string; readonly payment: bigint }>()({}, acting),
  /** How often each call was answered, and for how many credits. */
  rpcAccessTracking: call<{ readonly clear?: boolean } | undefined>()(
    { data: listOf(objectOf({ count: u64, credits: u64, rpc: text, time: u64 })) },
    acting,
  ),
  /** Balances of paying clients. */
  rpcAccessData: call()(
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
  ),
  /** Balance of a paying client, changed by a number. */
  rpcAccessAccount: call<Client & { readonly deltaBalance?: number }>()({ credits: u64, delta: int }, acting),
};
