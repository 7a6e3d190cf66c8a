import * as admin from './admin.ts';
import * as blocks from './blocks.ts';
import type { RpcContext } from './context.ts';
import * as info from './info.ts';
import * as mining from './mining.ts';
import * as network from './network.ts';
import * as outputs from './outputs.ts';
import { flag, i64, type Method, method, text, u32, u64 } from './params.ts';
import * as pool from './pool.ts';
import type { Reply } from './reply.ts';
import * as templates from './templates.ts';
import * as transactions from './transactions.ts';

/** A call: who may make it, its parameters, and how it is answered. */
export interface Call extends Method {
  /** The first of its names. */
  readonly name: string;
  /** `all`: a restricted service answers it too; it reports other calls as unknown. */
  readonly callers: 'all' | 'owner';
  /** Whether its parameters are a list, in the one field `params`. */
  readonly isPositional: boolean;
}

type Answer = (context: RpcContext) => Reply;

/** The client that pays for a call: read and ignored. */
const CLIENT = { client: text } as const;

/** Calls that can be paid for (core_rpc_server_commands_defs.h, rpc_access_request_base). */
const PAYABLE: ReadonlySet<string> = new Set([
  ...['get_info', 'get_last_block_header', 'get_block_header_by_hash', 'get_block_header_by_height', 'get_block_headers_range'],
  ...['get_block', 'hard_fork_info', 'get_output_histogram', 'get_coinbase_tx_sum', 'get_fee_estimate', 'relay_tx', 'sync_info'],
  ...['get_txpool_backlog', 'get_output_distribution', 'rpc_access_info', 'rpc_access_submit_nonce', 'rpc_access_pay'],
  ...['get_transactions', 'is_key_image_spent', 'send_raw_transaction', 'get_outs', 'get_alt_blocks_hashes'],
  ...['get_transaction_pool', 'get_transaction_pool_hashes', 'get_transaction_pool_hashes.bin', 'get_transaction_pool_stats'],
]);

/** @param rows names, who may call, and how it is answered: by a function alone if there are no parameters */
function tableOf(
  rows: readonly (readonly [names: string, callers: Call['callers'], how: Method | Answer])[],
): ReadonlyMap<string, Call> {
  return new Map(
    rows.flatMap(([names, callers, how]) => {
      const all = names.split(' ');
      const name = all[0]!;
      const { fields, answer } = typeof how === 'function' ? method({}, how) : how;
      const isPositional = 'params' in fields;
      const call: Call = { fields: PAYABLE.has(name) ? { ...CLIENT, ...fields } : fields, answer, name, callers, isPositional };
      return all.map((each) => [each, call] as const);
    }),
  );
}

/** The JSON-RPC methods by name, with the old spellings. */
export const JSON_RPC_METHODS = tableOf([
  ['get_block_count getblockcount', 'all', info.getBlockCount],
  ['on_get_block_hash on_getblockhash', 'all', blocks.onGetBlockHash],
  ['get_block_template getblocktemplate', 'all', templates.getBlockTemplate],
  ['get_miner_data', 'all', templates.getMinerData],
  ['calc_pow', 'owner', templates.calcPow],
  ['add_aux_pow', 'all', templates.addAuxPow],
  ['submit_block submitblock', 'all', templates.submitBlock],
  ['generateblocks', 'owner', templates.generateBlocks],
  ['get_last_block_header getlastblockheader', 'all', blocks.getLastBlockHeader],
  ['get_block_header_by_hash getblockheaderbyhash', 'all', blocks.getBlockHeaderByHash],
  ['get_block_header_by_height getblockheaderbyheight', 'all', blocks.getBlockHeaderByHeight],
  ['get_block_headers_range getblockheadersrange', 'all', blocks.getBlockHeadersRange],
  ['get_block getblock', 'all', blocks.getBlock],
  ['get_connections', 'owner', network.noPeers],
  ['get_info', 'all', info.getInfo],
  ['hard_fork_info', 'all', info.hardForkInfo],
  ['set_bans', 'owner', network.setBans],
  ['get_bans', 'owner', network.getBans],
  ['banned', 'owner', network.getBanned],
  ['flush_txpool', 'owner', pool.flushTxpool],
  ['get_output_histogram', 'all', outputs.getOutputHistogram],
  ['get_version', 'all', info.getVersion],
  ['get_coinbase_tx_sum', 'owner', info.getCoinbaseTxSum],
  ['get_fee_estimate', 'all', info.getFeeEstimate],
  ['get_alternate_chains', 'owner', info.getAlternateChains],
  ['relay_tx', 'owner', pool.relayTx],
  ['sync_info', 'owner', network.syncInfo],
  ['get_txpool_backlog', 'all', pool.getTxpoolBacklog],
  ['get_output_distribution', 'all', outputs.getOutputDistribution],
  ['prune_blockchain', 'owner', admin.pruneBlockchain],
  // The reference no longer reads `bad_txs`, which is in the specification.
  ['flush_cache', 'owner', method({ bad_blocks: flag }, admin.done)],
  ['get_txids_loose', 'all', admin.getTxidsLoose],
  ['rpc_access_info', 'all', admin.accessInfo],
  ['rpc_access_submit_nonce', 'all', method({ nonce: u32, cookie: u32 }, admin.accessNotNecessary)],
  ['rpc_access_pay', 'all', method({ paying_for: text, payment: u64 }, admin.accessNotNecessary)],
  ['rpc_access_tracking', 'owner', admin.accessTracking],
  ['rpc_access_data', 'owner', admin.accessNotEnabled],
  ['rpc_access_account', 'owner', method({ ...CLIENT, delta_balance: i64 }, admin.accessNotEnabled)],
]);

/** The calls with their own path, with the old spellings. */
export const PATH_METHODS = tableOf([
  ['get_height getheight', 'all', info.getHeight],
  ['get_info getinfo', 'all', info.getInfo],
  ['get_transactions gettransactions', 'all', transactions.getTransactions],
  ['is_key_image_spent', 'all', transactions.isKeyImageSpent],
  ['send_raw_transaction sendrawtransaction', 'all', transactions.sendRawTransaction],
  ['get_outs', 'all', transactions.getOuts],
  ['get_alt_blocks_hashes', 'owner', blocks.getAltBlocksHashes],
  ['get_transaction_pool', 'owner', pool.getTransactionPool],
  ['get_transaction_pool_hashes', 'all', pool.getTransactionPoolHashes],
  ['get_transaction_pool_hashes.bin', 'all', pool.getTransactionPoolHashesBin],
  ['get_transaction_pool_stats', 'all', pool.getTransactionPoolStats],
  ['start_mining', 'owner', mining.startMining],
  ['stop_mining', 'owner', mining.stopMining],
  ['mining_status', 'owner', mining.miningStatus],
  ['save_bc', 'owner', admin.done],
  ['get_peer_list', 'owner', method({ public_only: flag, include_blocked: flag }, network.noPeers)],
  ['get_public_nodes', 'all', method({ gray: flag, white: flag, include_blocked: flag }, network.noPeers)],
  ['set_log_hash_rate', 'owner', mining.setLogHashRate],
  ['set_log_level', 'owner', admin.setLogLevel],
  ['set_log_categories', 'owner', admin.setLogCategories],
  ['set_bootstrap_daemon', 'owner', network.setBootstrapDaemon],
  ['stop_daemon', 'owner', admin.stopDaemon],
  ['get_net_stats', 'owner', network.getNetStats],
  ['get_limit', 'all', network.getLimit],
  ['set_limit', 'owner', network.setLimit],
  ['out_peers', 'owner', network.outPeers],
  ['in_peers', 'owner', network.inPeers],
  ['start_save_graph', 'owner', admin.removedCall],
  ['stop_save_graph', 'owner', admin.removedCall],
  ['update', 'owner', admin.update],
  ['pop_blocks', 'owner', blocks.popBlocks],
]);
