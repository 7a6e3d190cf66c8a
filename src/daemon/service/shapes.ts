import { count, flag, hash, int, listOf, objectOf, text, u64, u128 } from './fields.ts';

/** Objects that several replies hold. Field names are the daemon's own. */

export const BLOCK_HEADER = {
  block_size: count,
  block_weight: count,
  cumulative_difficulty: u128,
  depth: u64,
  difficulty: u128,
  hash,
  height: count,
  long_term_weight: count,
  major_version: count,
  miner_tx_hash: hash,
  minor_version: count,
  nonce: count,
  num_txes: count,
  orphan_status: flag,
  pow_hash: hash,
  prev_hash: hash,
  reward: u64,
  timestamp: count,
} as const;

/** A peer that is connected: of `get_connections` and `sync_info`. Rates in bytes a second. */
export const CONNECTION = {
  address: text,
  address_type: count,
  avg_download: count,
  avg_upload: count,
  connection_id: text,
  current_download: count,
  current_upload: count,
  height: count,
  host: text,
  incoming: flag,
  ip: text,
  live_time: count,
  local_ip: flag,
  localhost: flag,
  peer_id: text,
  port: text,
  pruning_seed: count,
  recv_count: u64,
  recv_idle_time: count,
  rpc_credits_per_hash: count,
  rpc_port: count,
  send_count: u64,
  send_idle_time: count,
  ssl: flag,
  state: text,
  support_flags: count,
} as const;

/** An entry of `get_bans`. `seconds` is what is left of the ban. */
export const BAN = { host: text, ip: count, seconds: count } as const;

/** A peer of `get_peer_list`. `last_seen` in unix seconds. */
export const PEER = {
  host: text,
  id: u64,
  ip: count,
  last_seen: count,
  port: count,
  pruning_seed: count,
  rpc_credits_per_hash: count,
  rpc_port: count,
} as const;

/** A node of `get_public_nodes`. `last_seen` in unix seconds. */
export const PUBLIC_NODE = { host: text, last_seen: count, rpc_credits_per_hash: count, rpc_port: count } as const;

/** A transaction of the pool. `last_relayed_time` is 2^64-1 while it is not to be relayed. */
export const POOL_TRANSACTION = {
  blob_size: count,
  do_not_relay: flag,
  double_spend_seen: flag,
  fee: u64,
  id_hash: hash,
  kept_by_block: flag,
  last_failed_height: count,
  last_failed_id_hash: hash,
  last_relayed_time: u64,
  max_used_block_height: count,
  max_used_block_id_hash: hash,
  receive_time: count,
  relayed: flag,
  tx_blob: text,
  tx_json: text,
  weight: count,
} as const;

/** A key image that the pool spends, and by which transactions. */
export const SPENT_KEY_IMAGE = { id_hash: hash, txs_hashes: listOf(hash) } as const;

/** Result of `get_transaction_pool_stats`. Bytes are weight, fees are in atomic units. */
export const POOL_STATS = {
  bytes_max: count,
  bytes_med: count,
  bytes_min: count,
  bytes_total: count,
  fee_total: u64,
  histo: listOf(objectOf({ bytes: count, txs: count })),
  histo_98pc: count,
  num_10m: count,
  num_double_spends: count,
  num_failing: count,
  num_not_relayed: count,
  oldest: count,
  txs_total: count,
} as const;

/** A transaction of `get_transactions`. While it is in the pool, height and time of its block are 2^64-1 or missing. */
export const TRANSACTION = {
  as_hex: text,
  as_json: text,
  block_height: u64,
  block_timestamp: u64,
  confirmations: u64,
  double_spend_seen: flag,
  in_pool: flag,
  output_indices: listOf(u64),
  prunable_as_hex: text,
  prunable_hash: hash,
  pruned_as_hex: text,
  received_timestamp: count,
  relayed: flag,
  tx_hash: hash,
} as const;

/** An output of `get_outs`. `mask` is its commitment. */
export const OUTPUT_KEY = { height: count, key: hash, mask: hash, txid: hash, unlocked: flag } as const;

/** Entry of `get_output_histogram` for one amount. */
export const HISTOGRAM_ENTRY = { amount: u64, recent_instances: u64, total_instances: u64, unlocked_instances: u64 } as const;

/** A branch beside the main chain, from `get_alternate_chains`. */
export const ALTERNATIVE_CHAIN = {
  block_hash: hash,
  block_hashes: listOf(hash),
  difficulty: u128,
  height: count,
  length: count,
  main_chain_parent_block: hash,
} as const;

/** A range of blocks that a peer was asked for, from `sync_info`. */
export const SPAN = {
  connection_id: text,
  nblocks: count,
  rate: count,
  remote_address: text,
  size: count,
  speed: count,
  start_block_height: count,
} as const;

/** `get_info`. A restricted daemon leaves much of it empty or 0. */
export const INFO = {
  adjusted_time: count,
  alt_blocks_count: count,
  block_size_limit: count,
  block_size_median: count,
  block_weight_limit: count,
  block_weight_median: count,
  bootstrap_daemon_address: text,
  busy_syncing: flag,
  cumulative_difficulty: u128,
  database_size: u64,
  difficulty: u128,
  free_space: u64,
  grey_peerlist_size: count,
  height: count,
  height_without_bootstrap: count,
  incoming_connections_count: count,
  mainnet: flag,
  nettype: text,
  offline: flag,
  outgoing_connections_count: count,
  restricted: flag,
  rpc_connections_count: count,
  stagenet: flag,
  start_time: count,
  synchronized: flag,
  target: count,
  target_height: count,
  testnet: flag,
  top_block_hash: hash,
  tx_count: count,
  tx_pool_size: count,
  update_available: flag,
  version: text,
  was_bootstrap_ever_used: flag,
  white_peerlist_size: count,
} as const;

/** `mining_status`. `speed` in hashes a second, `block_target` in seconds. */
export const MINING_STATUS = {
  active: flag,
  address: text,
  bg_idle_threshold: int,
  bg_ignore_battery: flag,
  bg_min_idle_seconds: int,
  bg_target: int,
  block_reward: u64,
  block_target: count,
  difficulty: u128,
  is_background_mining_enabled: flag,
  pow_algorithm: text,
  speed: u64,
  threads_count: count,
} as const;

/** `send_raw_transaction`: why it was refused, as flags; `reason` is the daemon's own words. */
export const SEND_RESULT = {
  double_spend: flag,
  fee_too_low: flag,
  invalid_input: flag,
  invalid_output: flag,
  low_mixin: flag,
  nonzero_unlock_time: flag,
  not_rct: flag,
  not_relayed: flag,
  overspend: flag,
  reason: text,
  sanity_check_failed: flag,
  too_big: flag,
  too_few_outputs: flag,
  tx_extra_too_big: flag,
} as const;
