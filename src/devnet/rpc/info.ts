import { U64_MAX } from '../../base/index.ts';
import { FEE_QUANTIZATION, feeEstimates, nettypeOf } from '../../protocol/index.ts';
import { chainTime } from '../chain.ts';
import { BLOCK_VERSION, ERA, REWARD_WINDOW, SURGE_FACTOR, TARGET_SECONDS } from '../rules.ts';
import { decodeBlock } from '../store/records.ts';
import { DAEMON_RPC_VERSION, OK, PAID_OK, type RpcContext, VERSION_TEXT } from './context.ts';
import { wideFields } from './headers.ts';
import { count, listOf, method, RpcError, text, u8 } from './params.ts';
import type { Reply } from './reply.ts';

/** Answers about the daemon and its chain as a whole. */

/** `get_info` with all its fields. Those that a restricted service hides are 0, empty, or the largest value. */
export function getInfo(context: RpcContext): Reply {
  const { node, service, restricted = false } = context;
  return {
    ...PAID_OK,
    ...ofChain(node),
    ...hiddenFromStrangers(context),
    busy_syncing: false,
    grey_peerlist_size: 0,
    incoming_connections_count: 0,
    mainnet: false,
    nettype: nettypeOf(node.network),
    offline: service.offline,
    outgoing_connections_count: 0,
    restricted,
    stagenet: node.network === 'stagenet',
    synchronized: true,
    target: TARGET_SECONDS,
    target_height: 0,
    testnet: node.network === 'testnet',
    update_available: false,
    was_bootstrap_ever_used: false,
    white_peerlist_size: 0,
  };
}

function ofChain(node: RpcContext['node']): Reply {
  const { chain } = node;
  const limit = 2 * chain.weightMedian;
  return {
    ...wideFields('difficulty', node.difficulty),
    ...wideFields('cumulative_difficulty', chain.top.cumulativeDifficulty),
    adjusted_time: chainTime(chain, node.now()),
    block_size_limit: limit,
    block_size_median: chain.weightMedian,
    block_weight_limit: limit,
    block_weight_median: chain.weightMedian,
    height: chain.height,
    top_block_hash: chain.top.id,
    tx_count: chain.top.transactionCount,
  };
}

function hiddenFromStrangers({ node, startedAt, service, restricted = false }: RpcContext): Reply {
  const { chain, pool, database } = node;
  return {
    alt_blocks_count: restricted ? 0 : node.branches.blockCount,
    bootstrap_daemon_address: restricted ? '' : service.bootstrapAddress,
    database_size: restricted ? roundUp(database.bytes, RESTRICTED_SIZE_STEP) : database.bytes,
    free_space: restricted ? U64_MAX : database.freeBytes,
    height_without_bootstrap: restricted ? 0 : chain.height,
    rpc_connections_count: restricted ? 0 : service.connections,
    start_time: restricted ? 0 : startedAt,
    tx_pool_size: (restricted ? pool.visible : pool.all).length,
    version: restricted ? '' : VERSION_TEXT,
  };
}

/** Bytes: a restricted service reports the size of the database in steps of 5 GiB. */
const RESTRICTED_SIZE_STEP = 5 * 1024 ** 3;
const roundUp = (value: number, step: number): number => Math.ceil(value / step) * step;

/** Version of the daemon's RPC, and the height each protocol version begins at (`on_get_version`). */
export function getVersion({ node }: RpcContext): Reply {
  const hard_forks = [
    { hf_version: 1, height: 0 },
    { hf_version: BLOCK_VERSION, height: 1 },
  ];
  return { ...OK, current_height: node.chain.height, hard_forks, release: false, version: DAEMON_RPC_VERSION };
}

/** Number of blocks, and the id of the newest (`on_get_height`). */
export function getHeight({ node }: RpcContext): Reply {
  return { ...OK, height: node.chain.height, hash: node.chain.top.id };
}

/** Number of blocks (`on_getblockcount`). The reference reads a list of texts and ignores it. */
export const getBlockCount = method({ params: listOf(text) }, ({ node }) => ({ ...OK, count: node.chain.height }));

const VOTES_WINDOW = 10_080;

/** Version 16 is active since block 1, all others are past or unknown. Blocks vote for their own minor version. */
export const hardForkInfo = method({ version: u8 }, ({ node: { chain } }, params) => {
  const version = params.version || BLOCK_VERSION;
  // Only the genesis block votes for no more than version 1.
  const votes = version > BLOCK_VERSION ? 0 : version <= 1 ? chain.height : chain.height - 1;
  return {
    ...PAID_OK,
    earliest_height: version <= 1 ? 0 : version <= BLOCK_VERSION ? 1 : U64_MAX,
    enabled: version <= BLOCK_VERSION,
    state: 0,
    threshold: 0,
    version: BLOCK_VERSION,
    votes: Math.min(votes, VOTES_WINDOW),
    voting: BLOCK_VERSION,
    window: Math.min(chain.height, VOTES_WINDOW),
  };
});

/**
 * Atomic units per byte of weight, by priority, lowest first: enough for the requested further blocks (`on_get_base_fee_estimate`).
 * @throws RpcError `nothing` for more blocks than the median covers
 */
export const getFeeEstimate = method({ grace_blocks: count }, ({ node: { chain } }, { grace_blocks: grace }) => {
  if (grace >= REWARD_WINDOW) throw new RpcError('nothing', '');
  const longTerm = chain.longTermMedianAfter(grace);
  const shortTerm = Math.min(Math.max(chain.shortTermMedian(grace), longTerm), SURGE_FACTOR * longTerm);
  const fees = feeEstimates(chain.baseReward, shortTerm, longTerm, ERA);
  return { ...PAID_OK, fee: fees[0], fees, quantization_mask: FEE_QUANTIZATION };
});

/** Alternative branches, each with the ids of its blocks, newest first (`on_get_alternate_chains`). */
export function getAlternateChains(context: RpcContext): Reply {
  const chains = context.node.branches.all.map(({ blockIds, height, parentId, cumulativeDifficulty }) => ({
    block_hash: blockIds[0],
    block_hashes: blockIds,
    // Height of the branch's newest block, although the specification differs.
    height: height + blockIds.length - 1,
    length: blockIds.length,
    main_chain_parent_block: parentId,
    ...wideFields('difficulty', cumulativeDifficulty),
  }));
  return { ...OK, chains };
}

/** New coins and fees of consecutive blocks. */
export const getCoinbaseTxSum = method({ height: count, count }, ({ node: { chain } }, params) => {
  const from = params.height;
  if (from >= chain.height || params.count > chain.height)
    return { ...PAID_OK, ...wideFields('emission_amount'), ...wideFields('fee_amount'), status: 'height or count is too large' };
  const to = Math.min(from + params.count, chain.height);
  let emission = 0n;
  let fees = 0n;
  for (const record of chain.records(from, to)) {
    const block = decodeBlock(record);
    emission += block.reward;
    fees += block.fees;
  }
  return { ...PAID_OK, ...wideFields('emission_amount', emission), ...wideFields('fee_amount', fees) };
});
