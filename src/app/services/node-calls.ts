import type { AnswerLine, ParameterKind, ReadOnlyCall, ReadOnlyCallName } from '../../../workers/client.ts';
import { writeAmount, writeDate } from '../language/formats.ts';
import { language } from '../language/language.svelte.ts';
import { m } from '../language/messages.ts';

/** Texts of the settings page "Ask a node". */

type Say = () => string;

/** Headings of the groups of calls. */
export const TOPIC_TITLES: Readonly<Record<ReadOnlyCall['about'], Say>> = {
  chain: m.ask_chain,
  blocks: m.ask_blocks,
  transactions: m.ask_transactions,
  outputs: m.ask_outputs,
  node: m.ask_node,
};

/** Descriptions of the calls. */
export const CALL_TITLES: Readonly<Record<ReadOnlyCallName, Say>> = {
  get_info: m.ask_c_info,
  sync_info: m.ask_c_sync,
  get_version: m.ask_c_version,
  hard_fork_info: m.ask_c_fork,
  get_fee_estimate: m.ask_c_fee,
  get_coinbase_tx_sum: m.ask_c_coinbase,
  get_alternate_chains: m.ask_c_branches,
  get_alt_blocks_hashes: m.ask_c_branch_ids,
  get_height: m.ask_c_height,
  get_block_count: m.ask_c_count,
  get_last_block_header: m.ask_c_last,
  get_block: m.ask_c_block,
  get_block_header_by_height: m.ask_c_header_height,
  get_block_header_by_hash: m.ask_c_header_id,
  get_block_headers_range: m.ask_c_headers,
  on_get_block_hash: m.ask_c_block_id,
  get_transactions: m.ask_c_transactions,
  is_key_image_spent: m.ask_c_spent,
  get_transaction_pool: m.ask_c_pool,
  get_transaction_pool_hashes: m.ask_c_pool_ids,
  get_transaction_pool_stats: m.ask_c_pool_stats,
  get_txpool_backlog: m.ask_c_backlog,
  get_outs: m.ask_c_outs,
  'get_o_indexes.bin': m.ask_c_indices,
  get_output_histogram: m.ask_c_histogram,
  get_output_distribution: m.ask_c_distribution,
  get_connections: m.ask_c_connections,
  get_peer_list: m.ask_c_peers,
  get_public_nodes: m.ask_c_public,
  get_bans: m.ask_c_bans,
  banned: m.ask_c_banned,
  get_limit: m.ask_c_limit,
  get_net_stats: m.ask_c_net,
  mining_status: m.ask_c_mining,
  get_miner_data: m.ask_c_miner,
};

/** Field labels of the parameters. */
export const PARAMETERS: Readonly<Record<string, Say>> = {
  height: m.ask_p_height,
  hash: m.ask_p_hash,
  start_height: m.ask_p_from,
  end_height: m.ask_p_to,
  from_height: m.ask_p_from,
  to_height: m.ask_p_to,
  version: m.ask_p_version,
  count: m.ask_p_count,
  txs_hashes: m.ask_p_ids,
  txid: m.ask_p_id,
  decode_as_json: m.ask_p_json,
  key_images: m.ask_p_images,
  outputs: m.ask_p_outputs,
  amounts: m.ask_p_amounts,
  unlocked: m.ask_p_unlocked,
  address: m.ask_p_host,
};

/** Error texts for invalid parameters. */
export const PARAMETER_HINTS: Readonly<Record<ParameterKind, Say>> = {
  number: m.ask_bad_number,
  numbers: m.ask_bad_number,
  id: m.ask_bad_id,
  ids: m.ask_bad_id,
  outputs: m.ask_bad_outputs,
  host: m.ask_missing,
  flag: m.ask_missing,
};

const SIZES = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
  ['byte', 1],
] as const;
const SPANS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A size or duration in its largest unit. */
function writeMeasure(value: number, of: 'bytes' | 'seconds'): string {
  const [unit, size] = (of === 'bytes' ? SIZES : SPANS).find(([, size]) => value >= size) ?? ['byte', 1];
  const style = { style: 'unit', unit, unitDisplay: 'long', numberingSystem: 'latn', maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(language.writing.locale, style).format(value / size);
}

/** A measured value with its unit, localized. */
export function measureText({ unit, value }: NonNullable<AnswerLine['measure']>): string {
  if (unit === 'amount') return `${writeAmount(value)} XMR`;
  if (unit === 'time') return writeDate(Number(value) * 1000, 'moment');
  return writeMeasure(Number(value), unit);
}

/** Error of a query. */
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
}

/** Text for a failed query; undefined where the general error text fits. */
export function queryErrorText({ code, message, data }: Failure, gateway: boolean): string | undefined {
  const { status } = (data ?? {}) as { status?: unknown };
  if (code === 'http-status' && status === 403) return gateway ? m.ask_not_passed() : m.ask_not_offered();
  if (code === 'not-offered') return m.ask_not_offered();
  if (code === 'restricted') return m.ask_restricted();
  if (code === 'payment-required') return m.ask_paid();
  if (code === 'rpc-error' || code === 'bad-status') return m.ask_says({ message: message.replace(/^[\w.]+: /, '') });
  return undefined;
}
