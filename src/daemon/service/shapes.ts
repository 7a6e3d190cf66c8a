import { count, each, flag, hash, int, listOf, objectOf, text, u64, wide } from './fields.ts';

/** Objects that several replies hold. Field names are the daemon's own. */

export const BLOCK_HEADER = {
  ...each(count, 'block_size', 'block_weight', 'height', 'long_term_weight', 'major_version', 'minor_version', 'nonce'),
  ...each(count, 'num_txes', 'timestamp'),
  ...each(wide, 'cumulative_difficulty', 'difficulty'),
  ...each(u64, 'depth', 'reward'),
  ...each(hash, 'hash', 'miner_tx_hash', 'pow_hash', 'prev_hash'),
  orphan_status: flag,
} as const;

export const CONNECTION = {
  ...each(text, 'address', 'connection_id', 'host', 'ip', 'peer_id', 'port', 'state'),
  ...each(count, 'address_type', 'avg_download', 'avg_upload', 'current_download', 'current_upload', 'height', 'live_time'),
  ...each(count, 'pruning_seed', 'recv_idle_time', 'rpc_credits_per_hash', 'rpc_port', 'send_idle_time', 'support_flags'),
  ...each(flag, 'incoming', 'local_ip', 'localhost', 'ssl'),
  ...each(u64, 'recv_count', 'send_count'),
} as const;

export const BAN = { host: text, ip: count, seconds: count } as const;

export const PEER = {
  host: text,
  id: u64,
  ...each(count, 'ip', 'last_seen', 'port', 'pruning_seed', 'rpc_credits_per_hash', 'rpc_port'),
} as const;

export const PUBLIC_NODE = { host: text, last_seen: count, rpc_credits_per_hash: count, rpc_port: count } as const;

export const POOL_TRANSACTION = {
  ...each(count, 'blob_size', 'last_failed_height', 'last_relayed_time', 'max_used_block_height', 'receive_time', 'weight'),
  ...each(flag, 'do_not_relay', 'double_spend_seen', 'kept_by_block', 'relayed'),
  fee: u64,
  ...each(hash, 'id_hash', 'last_failed_id_hash', 'max_used_block_id_hash'),
  ...each(text, 'tx_blob', 'tx_json'),
} as const;

export const SPENT_KEY_IMAGE = { id_hash: hash, txs_hashes: listOf(hash) } as const;

export const POOL_STATS = {
  ...each(count, 'bytes_max', 'bytes_med', 'bytes_min', 'bytes_total', 'histo_98pc', 'num_10m', 'num_double_spends'),
  ...each(count, 'num_failing', 'num_not_relayed', 'oldest', 'txs_total'),
  fee_total: u64,
  histo: listOf(objectOf({ bytes: count, txs: count })),
} as const;

/** Of `get_transactions`. In the pool, height and time of the block are 2^64-1 or missing. */
export const TRANSACTION = {
  ...each(text, 'as_hex', 'as_json', 'prunable_as_hex', 'pruned_as_hex'),
  ...each(u64, 'block_height', 'block_timestamp', 'confirmations'),
  ...each(flag, 'double_spend_seen', 'in_pool', 'relayed'),
  ...each(hash, 'prunable_hash', 'tx_hash'),
  received_timestamp: count,
  output_indices: listOf(u64),
} as const;

export const OUTPUT_KEY = { height: count, key: hash, mask: hash, txid: hash, unlocked: flag } as const;

export const HISTOGRAM_ENTRY = { amount: u64, recent_instances: u64, total_instances: u64, unlocked_instances: u64 } as const;

export const ALTERNATIVE_CHAIN = {
  ...each(hash, 'block_hash', 'main_chain_parent_block'),
  difficulty: wide,
  ...each(count, 'height', 'length'),
  block_hashes: listOf(hash),
} as const;

export const SPAN = {
  ...each(text, 'connection_id', 'remote_address'),
  ...each(count, 'nblocks', 'rate', 'size', 'speed', 'start_block_height'),
} as const;

export const INFO = {
  ...each(count, 'adjusted_time', 'alt_blocks_count', 'block_size_limit', 'block_size_median', 'block_weight_limit'),
  ...each(count, 'block_weight_median', 'grey_peerlist_size', 'height', 'height_without_bootstrap', 'incoming_connections_count'),
  ...each(count, 'outgoing_connections_count', 'rpc_connections_count', 'start_time', 'target', 'target_height', 'tx_count'),
  ...each(count, 'tx_pool_size', 'white_peerlist_size'),
  ...each(text, 'bootstrap_daemon_address', 'nettype', 'version'),
  ...each(flag, 'busy_syncing', 'mainnet', 'offline', 'restricted', 'stagenet', 'synchronized', 'testnet', 'update_available'),
  ...each(flag, 'was_bootstrap_ever_used'),
  ...each(wide, 'cumulative_difficulty', 'difficulty'),
  ...each(u64, 'database_size', 'free_space'),
  top_block_hash: hash,
} as const;

export const MINING_STATUS = {
  ...each(flag, 'active', 'bg_ignore_battery', 'is_background_mining_enabled'),
  ...each(text, 'address', 'pow_algorithm'),
  ...each(int, 'bg_idle_threshold', 'bg_min_idle_seconds', 'bg_target'),
  ...each(u64, 'block_reward', 'speed'),
  ...each(count, 'block_target', 'threads_count'),
  difficulty: wide,
} as const;

export const SEND_RESULT = {
  ...each(flag, 'double_spend', 'fee_too_low', 'invalid_input', 'invalid_output', 'low_mixin', 'nonzero_unlock_time', 'not_rct'),
  ...each(flag, 'not_relayed', 'overspend', 'sanity_check_failed', 'too_big', 'too_few_outputs', 'tx_extra_too_big'),
  reason: text,
} as const;
