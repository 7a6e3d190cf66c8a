import {
  generateBlocks,
  getAltBlocksHashes,
  getBlock,
  getBlockHeaderByHash,
  getBlockHeaderByHeight,
  getBlockHeadersRange,
  getBlockTemplate,
  getLastBlockHeader,
  getMinerData,
  onGetBlockHash,
  popBlocks,
  submitBlock,
} from './blocks.ts';
import { OK, type RpcContext } from './context.ts';
import {
  getAlternateChains,
  getBlockCount,
  getCoinbaseTxSum,
  getFeeEstimate,
  getHeight,
  getInfo,
  getVersion,
  hardForkInfo,
  syncInfo,
} from './info.ts';
import { miningStatus, startMining, stopMining } from './mining.ts';
import { getOutputDistribution, getOutputHistogram } from './outputs.ts';
import type { Params } from './params.ts';
import type { Reply } from './reply.ts';
import {
  flushTxpool,
  getOuts,
  getTransactionPool,
  getTransactionPoolHashes,
  getTransactionPoolHashesBin,
  getTransactionPoolStats,
  getTransactions,
  getTxpoolBacklog,
  isKeyImageSpent,
  relayTx,
  sendRawTransaction,
} from './transactions.ts';

export type Method = (context: RpcContext, params: Params) => Reply | string;

const nothing: Method = () => ({ ...OK });

/** The JSON-RPC methods by name, with the old spellings. */
export const JSON_RPC_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['get_block_count', getBlockCount],
  ['getblockcount', getBlockCount],
  ['on_get_block_hash', onGetBlockHash],
  ['on_getblockhash', onGetBlockHash],
  ['get_block_template', getBlockTemplate],
  ['getblocktemplate', getBlockTemplate],
  ['get_miner_data', getMinerData],
  ['submit_block', submitBlock],
  ['submitblock', submitBlock],
  ['generateblocks', generateBlocks],
  ['get_last_block_header', getLastBlockHeader],
  ['getlastblockheader', getLastBlockHeader],
  ['get_block_header_by_hash', getBlockHeaderByHash],
  ['getblockheaderbyhash', getBlockHeaderByHash],
  ['get_block_header_by_height', getBlockHeaderByHeight],
  ['getblockheaderbyheight', getBlockHeaderByHeight],
  ['get_block_headers_range', getBlockHeadersRange],
  ['getblockheadersrange', getBlockHeadersRange],
  ['get_block', getBlock],
  ['getblock', getBlock],
  ['get_connections', nothing],
  ['get_info', getInfo],
  ['hard_fork_info', hardForkInfo],
  ['get_bans', nothing],
  ['flush_txpool', flushTxpool],
  ['get_output_histogram', getOutputHistogram],
  ['get_version', getVersion],
  ['get_coinbase_tx_sum', getCoinbaseTxSum],
  ['get_fee_estimate', getFeeEstimate],
  ['get_alternate_chains', getAlternateChains],
  ['relay_tx', relayTx],
  ['sync_info', syncInfo],
  ['get_txpool_backlog', getTxpoolBacklog],
  ['get_output_distribution', getOutputDistribution],
]);

/** The calls with a path of their own, with the old spellings. */
export const PATH_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['get_height', getHeight],
  ['getheight', getHeight],
  ['get_info', getInfo],
  ['getinfo', getInfo],
  ['get_transactions', getTransactions],
  ['gettransactions', getTransactions],
  ['is_key_image_spent', isKeyImageSpent],
  ['send_raw_transaction', sendRawTransaction],
  ['sendrawtransaction', sendRawTransaction],
  ['get_outs', getOuts],
  ['get_alt_blocks_hashes', getAltBlocksHashes],
  ['get_transaction_pool', getTransactionPool],
  ['get_transaction_pool_hashes', getTransactionPoolHashes],
  ['get_transaction_pool_hashes.bin', getTransactionPoolHashesBin],
  ['get_transaction_pool_stats', getTransactionPoolStats],
  ['start_mining', startMining],
  ['stop_mining', stopMining],
  ['mining_status', miningStatus],
  ['pop_blocks', popBlocks],
  ['save_bc', nothing],
]);
