import * as admin from './admin.ts';
import * as blocks from './blocks.ts';
import type { RpcContext } from './context.ts';
import * as info from './info.ts';
import * as mining from './mining.ts';
import * as network from './network.ts';
import * as outputs from './outputs.ts';
import type { Fields, Params } from './params.ts';
import * as pool from './pool.ts';
import type { Reply } from './reply.ts';
import * as templates from './templates.ts';
import * as transactions from './transactions.ts';

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
  ['get_block_count getblockcount', 'all', info.getBlockCount],
  ['on_get_block_hash on_getblockhash', 'all', blocks.onGetBlockHash, { params: 'u64s' }],
  [
    'get_block_template getblocktemplate',
    'all',
    templates.getBlockTemplate,
    { reserve_size: 'u64', wallet_address: 'text', prev_block: 'text', extra_nonce: 'text' },
  ],
  ['get_miner_data', 'all', templates.getMinerData],
  ['calc_pow', 'owner', templates.calcPow, { major_version: 'u8', height: 'u64', block_blob: 'text', seed_hash: 'text' }],
  ['add_aux_pow', 'all', templates.addAuxPow, { blocktemplate_blob: 'text', aux_pow: [{ id: 'text', hash: 'text' }] }],
  ['submit_block submitblock', 'all', templates.submitBlock, { params: 'texts' }],
  [
    'generateblocks',
    'owner',
    templates.generateBlocks,
    { amount_of_blocks: 'u64', wallet_address: 'text', prev_block: 'text', starting_nonce: 'u32' },
  ],
  ['get_last_block_header getlastblockheader', 'all', blocks.getLastBlockHeader, FILL],
  [
    'get_block_header_by_hash getblockheaderbyhash',
    'all',
    blocks.getBlockHeaderByHash,
    { hash: 'text', hashes: 'texts', ...FILL },
  ],
  ['get_block_header_by_height getblockheaderbyheight', 'all', blocks.getBlockHeaderByHeight, { height: 'u64', ...FILL }],
  [
    'get_block_headers_range getblockheadersrange',
    'all',
    blocks.getBlockHeadersRange,
    { start_height: 'u64', end_height: 'u64', ...FILL },
  ],
  ['get_block getblock', 'all', blocks.getBlock, { hash: 'text', height: 'u64', ...FILL }],
  ['get_connections', 'owner', network.nobody],
  ['get_info', 'all', info.getInfo],
  ['hard_fork_info', 'all', info.hardForkInfo, { version: 'u8' }],
  ['set_bans', 'owner', network.setBans, { bans: [{ host: 'text', ip: 'u32', ban: 'bool', seconds: 'u32' }] }],
  ['get_bans', 'owner', network.getBans],
  ['banned', 'owner', network.banned, { address: 'text' }],
  ['flush_txpool', 'owner', pool.flushTxpool, { txids: 'texts' }],
  [
    'get_output_histogram',
    'all',
    outputs.getOutputHistogram,
    { amounts: 'u64s', min_count: 'u64', max_count: 'u64', unlocked: 'bool', recent_cutoff: 'u64' },
  ],
  ['get_version', 'all', info.getVersion],
  ['get_coinbase_tx_sum', 'owner', info.getCoinbaseTxSum, { height: 'u64', count: 'u64' }],
  ['get_fee_estimate', 'all', info.getFeeEstimate, { grace_blocks: 'u64' }],
  ['get_alternate_chains', 'owner', info.getAlternateChains],
  ['relay_tx', 'owner', pool.relayTx, { txids: 'texts' }],
  ['sync_info', 'owner', network.syncInfo],
  ['get_txpool_backlog', 'all', pool.getTxpoolBacklog],
  [
    'get_output_distribution',
    'all',
    outputs.getOutputDistribution,
    { amounts: 'u64s', from_height: 'u64', to_height: 'u64', cumulative: 'bool', binary: 'bool', compress: 'bool' },
  ],
  ['prune_blockchain', 'owner', admin.pruneBlockchain, { check: 'bool' }],
  // The reference reads no more of `bad_txs`, which the specification has.
  ['flush_cache', 'owner', admin.done, { bad_blocks: 'bool' }],
  ['get_txids_loose', 'all', admin.getTxidsLoose, { txid_template: 'text', num_matching_bits: 'u32' }],
  ['rpc_access_info', 'all', admin.accessInfo, CLIENT],
  ['rpc_access_submit_nonce', 'all', admin.accessNotNecessary, { ...CLIENT, nonce: 'u32', cookie: 'u32' }],
  ['rpc_access_pay', 'all', admin.accessNotNecessary, { ...CLIENT, paying_for: 'text', payment: 'u64' }],
  ['rpc_access_tracking', 'owner', admin.accessTracking, { clear: 'bool' }],
  ['rpc_access_data', 'owner', admin.accessNotEnabled],
  ['rpc_access_account', 'owner', admin.accessNotEnabled, { ...CLIENT, delta_balance: 'i64' }],
]);

/** The calls with a path of their own, with the old spellings. */
export const PATH_METHODS = tableOf([
  ['get_height getheight', 'all', info.getHeight],
  ['get_info getinfo', 'all', info.getInfo],
  [
    'get_transactions gettransactions',
    'all',
    transactions.getTransactions,
    { txs_hashes: 'texts', decode_as_json: 'bool', prune: 'bool', split: 'bool' },
  ],
  ['is_key_image_spent', 'all', transactions.isKeyImageSpent, { key_images: 'texts' }],
  [
    'send_raw_transaction sendrawtransaction',
    'all',
    transactions.sendRawTransaction,
    { tx_as_hex: 'text', do_not_relay: 'bool', do_sanity_checks: 'bool' },
  ],
  ['get_outs', 'all', transactions.getOuts, { outputs: [{ amount: 'u64', index: 'u64' }], get_txid: 'bool' }],
  ['get_alt_blocks_hashes', 'owner', blocks.getAltBlocksHashes],
  ['get_transaction_pool', 'owner', pool.getTransactionPool],
  ['get_transaction_pool_hashes', 'all', pool.getTransactionPoolHashes],
  ['get_transaction_pool_hashes.bin', 'all', pool.getTransactionPoolHashesBin],
  ['get_transaction_pool_stats', 'all', pool.getTransactionPoolStats],
  [
    'start_mining',
    'owner',
    mining.startMining,
    { miner_address: 'text', threads_count: 'u64', do_background_mining: 'bool', ignore_battery: 'bool' },
  ],
  ['stop_mining', 'owner', mining.stopMining],
  ['mining_status', 'owner', mining.miningStatus],
  ['save_bc', 'owner', admin.done],
  ['get_peer_list', 'owner', network.nobody, { public_only: 'bool', include_blocked: 'bool' }],
  ['get_public_nodes', 'all', network.nobody, { gray: 'bool', white: 'bool', include_blocked: 'bool' }],
  ['set_log_hash_rate', 'owner', mining.setLogHashRate, { visible: 'bool' }],
  ['set_log_level', 'owner', admin.setLogLevel, { level: 'i8' }],
  ['set_log_categories', 'owner', admin.setLogCategories, { categories: 'text' }],
  [
    'set_bootstrap_daemon',
    'owner',
    network.setBootstrapDaemon,
    { address: 'text', username: 'text', password: 'text', proxy: 'text' },
  ],
  ['stop_daemon', 'owner', admin.stopDaemon],
  ['get_net_stats', 'owner', network.getNetStats],
  ['get_limit', 'all', network.getLimit],
  ['set_limit', 'owner', network.setLimit, { limit_down: 'i64', limit_up: 'i64' }],
  ['out_peers', 'owner', network.outPeers, { set: 'bool', out_peers: 'u32' }],
  ['in_peers', 'owner', network.inPeers, { set: 'bool', in_peers: 'u32' }],
  ['start_save_graph', 'owner', admin.obsolete],
  ['stop_save_graph', 'owner', admin.obsolete],
  ['update', 'owner', admin.update, { command: 'text', path: 'text' }],
  ['pop_blocks', 'owner', blocks.popBlocks, { nblocks: 'u64' }],
]);
