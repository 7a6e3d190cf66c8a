import { FEE_QUANTIZATION, feeEstimates } from '../../protocol/index.ts';
import { BLOCK_VERSION, ERA, SURGE_FACTOR, TARGET_SECONDS } from '../rules.ts';
import { DAEMON_RPC_VERSION, OK, PAID_OK, type RpcContext, VERSION_TEXT } from './context.ts';
import { difficultyFields } from './headers.ts';
import type { Params } from './params.ts';
import type { Reply } from './reply.ts';

/** Answers about the daemon and its chain as a whole. */

export function getInfo({ node, startedAt }: RpcContext): Reply {
  const { chain, pool } = node;
  const limit = 2 * chain.weightMedian;
  return {
    ...PAID_OK,
    ...difficultyFields('difficulty', 1),
    ...difficultyFields('cumulative_difficulty', chain.height),
    adjusted_time: node.now(),
    alt_blocks_count: node.alternativeChains.reduce((sum, branch) => sum + branch.blockIds.length, 0),
    block_size_limit: limit,
    block_size_median: chain.weightMedian,
    block_weight_limit: limit,
    block_weight_median: chain.weightMedian,
    bootstrap_daemon_address: '',
    busy_syncing: false,
    database_size: 0,
    free_space: 0,
    grey_peerlist_size: 0,
    height: chain.height,
    height_without_bootstrap: chain.height,
    incoming_connections_count: 0,
    mainnet: false,
    nettype: 'fakechain',
    offline: true,
    outgoing_connections_count: 0,
    restricted: false,
    rpc_connections_count: 1,
    stagenet: false,
    start_time: startedAt,
    synchronized: true,
    target: TARGET_SECONDS,
    target_height: 0,
    testnet: false,
    top_block_hash: chain.top.id,
    tx_count: chain.top.transactionCount,
    tx_pool_size: pool.visible.length,
    update_available: false,
    version: VERSION_TEXT,
    was_bootstrap_ever_used: false,
    white_peerlist_size: 0,
  };
}

export function getVersion({ node }: RpcContext): Reply {
  const hard_forks = [
    { hf_version: 1, height: 0 },
    { hf_version: BLOCK_VERSION, height: 1 },
  ];
  return { ...OK, current_height: node.chain.height, hard_forks, release: false, version: DAEMON_RPC_VERSION };
}

export function getHeight({ node }: RpcContext): Reply {
  return { ...OK, height: node.chain.height, hash: node.chain.top.id };
}

export function getBlockCount({ node }: RpcContext): Reply {
  return { ...OK, count: node.chain.height };
}

/** Version 16 has been there since block 1, all others are over or unknown. */
export function hardForkInfo({ node }: RpcContext, params: Params): Reply {
  const version = params.number('version') || BLOCK_VERSION;
  return {
    ...PAID_OK,
    earliest_height: version <= 1 ? 0 : version <= BLOCK_VERSION ? 1 : Number.MAX_SAFE_INTEGER,
    enabled: version <= BLOCK_VERSION,
    state: 0,
    threshold: 0,
    version: BLOCK_VERSION,
    // The genesis block is the only one that votes for no more than version 1.
    votes: Math.min(version <= 1 ? node.chain.height : node.chain.height - 1, 10_080),
    voting: BLOCK_VERSION,
    window: Math.min(node.chain.height, 10_080),
  };
}

export function getFeeEstimate({ node: { chain } }: RpcContext, params: Params): Reply {
  const grace = Math.min(params.number('grace_blocks'), 99);
  const longTerm = chain.longTermMedian;
  const shortTerm = Math.min(Math.max(chain.shortTermMedian(grace), longTerm), SURGE_FACTOR * longTerm);
  const fees = feeEstimates(chain.baseReward, shortTerm, longTerm, ERA);
  return { ...PAID_OK, fee: fees[0], fees, quantization_mask: FEE_QUANTIZATION };
}

export function syncInfo({ node }: RpcContext): Reply {
  return { ...PAID_OK, height: node.chain.height, next_needed_pruning_seed: 1, overview: '[]', target_height: 0 };
}

export function getAlternateChains({ node }: RpcContext): Reply {
  const chains = node.alternativeChains.map(({ blockIds, height, parentId }) => ({
    block_hash: blockIds[0],
    block_hashes: blockIds,
    // Of the branch's newest block, whatever the specification says.
    height: height + blockIds.length - 1,
    length: blockIds.length,
    main_chain_parent_block: parentId,
    ...difficultyFields('difficulty', height + blockIds.length),
  }));
  return { ...OK, chains };
}

/** Coins and fees of a run of blocks. Sums stay far below 2^64 on this chain. */
export function getCoinbaseTxSum({ node: { chain } }: RpcContext, params: Params): Reply {
  const from = params.number('height');
  const to = Math.min(from + params.number('count'), chain.height);
  let emission = 0n;
  let fees = 0n;
  for (let height = from; height < to; height++) {
    const block = chain.blockAt(height)!;
    emission += block.reward;
    fees += block.transactions.reduce((sum, tx) => sum + tx.fee, 0n);
  }
  return {
    ...PAID_OK,
    emission_amount: emission,
    emission_amount_top64: 0,
    fee_amount: fees,
    fee_amount_top64: 0,
    wide_emission_amount: `0x${emission.toString(16)}`,
    wide_fee_amount: `0x${fees.toString(16)}`,
  };
}
