import {
  accessInfo,
  accessNotEnabled,
  accessNotNecessary,
  accessTracking,
  done,
  getTxidsLoose,
  obsolete,
  pruneBlockchain,
  setLogCategories,
  setLogLevel,
  stopDaemon,
  update,
} from './admin.ts';
import {
  getAltBlocksHashes,
  getBlock,
  getBlockHeaderByHash,
  getBlockHeaderByHeight,
  getBlockHeadersRange,
  getLastBlockHeader,
  onGetBlockHash,
  popBlocks,
} from './blocks.ts';
import type { RpcContext } from './context.ts';
import {
  getAlternateChains,
  getBlockCount,
  getCoinbaseTxSum,
  getFeeEstimate,
  getHeight,
  getInfo,
  getVersion,
  hardForkInfo,
} from './info.ts';
import { miningStatus, setLogHashRate, startMining, stopMining } from './mining.ts';
import {
  banned,
  getBans,
  getLimit,
  getNetStats,
  inPeers,
  nobody,
  outPeers,
  setBans,
  setBootstrapDaemon,
  setLimit,
  syncInfo,
} from './network.ts';
import { getOutputDistribution, getOutputHistogram } from './outputs.ts';
import type { Fields, Params } from './params.ts';
import {
  flushTxpool,
  getTransactionPool,
  getTransactionPoolHashes,
  getTransactionPoolHashesBin,
  getTransactionPoolStats,
  getTxpoolBacklog,
  relayTx,
} from './pool.ts';
import type { Reply } from './reply.ts';
import { addAuxPow, calcPow, generateBlocks, getBlockTemplate, getMinerData, submitBlock } from './templates.ts';
import { getOuts, getTransactions, isKeyImageSpent, sendRawTransaction } from './transactions.ts';

export type Method = (context: RpcContext, params: Params) => Reply | string | Promise<string>;

/** A call: what it is given, who may call, and how it is answered. */
export interface Call {
  /** The first of its names. */
  readonly name: string;
  readonly fields: Fields;
  readonly answer: Method;
  /** `all`: a restricted service answers it too, to the others it says that there is no such call. */
  readonly callers: 'all' | 'owner';
  /** What it is given is a list, and its one field is `params`. */
  readonly isPositional: boolean;
}

type Row = readonly [names: string, callers: Call['callers'], answer: Method, fields?: Fields];

function tableOf(rows: readonly Row[]): ReadonlyMap<string, Call> {
  return new Map(
    rows.flatMap(([names, callers, answer, fields = {}]) => {
      const all = names.split(' ');
      const call: Call = { name: all[0]!, fields, answer, callers, isPositional: 'params' in fields };
      return all.map((name) => [name, call] as const);
    }),
  );
}

const FILL = { fill_pow_hash: 'bool' } as const;
const CLIENT = { client: 'text' } as const;

/** The JSON-RPC methods by name, with the old spellings. */
export const JSON_RPC_METHODS = tableOf([
  ['get_block_count getblockcount', 'all', getBlockCount],
  ['on_get_block_hash on_getblockhash', 'all', onGetBlockHash, { params: 'u64s' }],
  [
    'get_block_template getblocktemplate',
    'all',
    getBlockTemplate,
    { reserve_size: 'u64', wallet_address: 'text', prev_block: 'text', extra_nonce: 'text' },
  ],
  ['get_miner_data', 'all', getMinerData],
  ['calc_pow', 'owner', calcPow, { major_version: 'u8', height: 'u64', block_blob: 'text', seed_hash: 'text' }],
  ['add_aux_pow', 'all', addAuxPow, { blocktemplate_blob: 'text', aux_pow: [{ id: 'text', hash: 'text' }] }],
  ['submit_block submitblock', 'all', submitBlock, { params: 'texts' }],
  [
    'generateblocks',
    'owner',
    generateBlocks,
    { amount_of_blocks: 'u64', wallet_address: 'text', prev_block: 'text', starting_nonce: 'u32' },
  ],
  ['get_last_block_header getlastblockheader', 'all', getLastBlockHeader, FILL],
  ['get_block_header_by_hash getblockheaderbyhash', 'all', getBlockHeaderByHash, { hash: 'text', hashes: 'texts', ...FILL }],
  ['get_block_header_by_height getblockheaderbyheight', 'all', getBlockHeaderByHeight, { height: 'u64', ...FILL }],
  [
    'get_block_headers_range getblockheadersrange',
    'all',
    getBlockHeadersRange,
    { start_height: 'u64', end_height: 'u64', ...FILL },
  ],
  ['get_block getblock', 'all', getBlock, { hash: 'text', height: 'u64', ...FILL }],
  ['get_connections', 'owner', nobody],
  ['get_info', 'all', getInfo],
  ['hard_fork_info', 'all', hardForkInfo, { version: 'u8' }],
  ['set_bans', 'owner', setBans, { bans: [{ host: 'text', ip: 'u32', ban: 'bool', seconds: 'u32' }] }],
  ['get_bans', 'owner', getBans],
  ['banned', 'owner', banned, { address: 'text' }],
  ['flush_txpool', 'owner', flushTxpool, { txids: 'texts' }],
  [
    'get_output_histogram',
    'all',
    getOutputHistogram,
    { amounts: 'u64s', min_count: 'u64', max_count: 'u64', unlocked: 'bool', recent_cutoff: 'u64' },
  ],
  ['get_version', 'all', getVersion],
  ['get_coinbase_tx_sum', 'owner', getCoinbaseTxSum, { height: 'u64', count: 'u64' }],
  ['get_fee_estimate', 'all', getFeeEstimate, { grace_blocks: 'u64' }],
  ['get_alternate_chains', 'owner', getAlternateChains],
  ['relay_tx', 'owner', relayTx, { txids: 'texts' }],
  ['sync_info', 'owner', syncInfo],
  ['get_txpool_backlog', 'all', getTxpoolBacklog],
  [
    'get_output_distribution',
    'all',
    getOutputDistribution,
    { amounts: 'u64s', from_height: 'u64', to_height: 'u64', cumulative: 'bool', binary: 'bool', compress: 'bool' },
  ],
  ['prune_blockchain', 'owner', pruneBlockchain, { check: 'bool' }],
  // The reference reads no more of `bad_txs`, which the specification has.
  ['flush_cache', 'owner', done, { bad_blocks: 'bool' }],
  ['get_txids_loose', 'all', getTxidsLoose, { txid_template: 'text', num_matching_bits: 'u32' }],
  ['rpc_access_info', 'all', accessInfo, CLIENT],
  ['rpc_access_submit_nonce', 'all', accessNotNecessary, { ...CLIENT, nonce: 'u32', cookie: 'u32' }],
  ['rpc_access_pay', 'all', accessNotNecessary, { ...CLIENT, paying_for: 'text', payment: 'u64' }],
  ['rpc_access_tracking', 'owner', accessTracking, { clear: 'bool' }],
  ['rpc_access_data', 'owner', accessNotEnabled],
  ['rpc_access_account', 'owner', accessNotEnabled, { ...CLIENT, delta_balance: 'i64' }],
]);

/** The calls with a path of their own, with the old spellings. */
export const PATH_METHODS = tableOf([
  ['get_height getheight', 'all', getHeight],
  ['get_info getinfo', 'all', getInfo],
  [
    'get_transactions gettransactions',
    'all',
    getTransactions,
    { txs_hashes: 'texts', decode_as_json: 'bool', prune: 'bool', split: 'bool' },
  ],
  ['is_key_image_spent', 'all', isKeyImageSpent, { key_images: 'texts' }],
  [
    'send_raw_transaction sendrawtransaction',
    'all',
    sendRawTransaction,
    { tx_as_hex: 'text', do_not_relay: 'bool', do_sanity_checks: 'bool' },
  ],
  ['get_outs', 'all', getOuts, { outputs: [{ amount: 'u64', index: 'u64' }], get_txid: 'bool' }],
  ['get_alt_blocks_hashes', 'owner', getAltBlocksHashes],
  ['get_transaction_pool', 'owner', getTransactionPool],
  ['get_transaction_pool_hashes', 'all', getTransactionPoolHashes],
  ['get_transaction_pool_hashes.bin', 'all', getTransactionPoolHashesBin],
  ['get_transaction_pool_stats', 'all', getTransactionPoolStats],
  [
    'start_mining',
    'owner',
    startMining,
    { miner_address: 'text', threads_count: 'u64', do_background_mining: 'bool', ignore_battery: 'bool' },
  ],
  ['stop_mining', 'owner', stopMining],
  ['mining_status', 'owner', miningStatus],
  ['save_bc', 'owner', done],
  ['get_peer_list', 'owner', nobody, { public_only: 'bool', include_blocked: 'bool' }],
  ['get_public_nodes', 'all', nobody, { gray: 'bool', white: 'bool', include_blocked: 'bool' }],
  ['set_log_hash_rate', 'owner', setLogHashRate, { visible: 'bool' }],
  ['set_log_level', 'owner', setLogLevel, { level: 'i8' }],
  ['set_log_categories', 'owner', setLogCategories, { categories: 'text' }],
  ['set_bootstrap_daemon', 'owner', setBootstrapDaemon, { address: 'text', username: 'text', password: 'text', proxy: 'text' }],
  ['stop_daemon', 'owner', stopDaemon],
  ['get_net_stats', 'owner', getNetStats],
  ['get_limit', 'all', getLimit],
  ['set_limit', 'owner', setLimit, { limit_down: 'i64', limit_up: 'i64' }],
  ['out_peers', 'owner', outPeers, { set: 'bool', out_peers: 'u32' }],
  ['in_peers', 'owner', inPeers, { set: 'bool', in_peers: 'u32' }],
  ['start_save_graph', 'owner', obsolete],
  ['stop_save_graph', 'owner', obsolete],
  ['update', 'owner', update, { command: 'text', path: 'text' }],
  ['pop_blocks', 'owner', popBlocks, { nblocks: 'u64' }],
]);
