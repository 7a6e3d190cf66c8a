import { CodedError, type JsonInput, U64_MAX } from '../../src/base/index.ts';

/** The read-only daemon calls that the settings page "Ask a node" offers. */

/** Kind of a parameter, and its form as text. */
export type ParameterKind =
  /** A whole number below 2^53. */
  | 'number'
  /** Whole numbers up to 2^64-1, separated by spaces or commas. */
  | 'numbers'
  /** 64 hex digits. */
  | 'id'
  /** Several ids, separated by spaces or commas. */
  | 'ids'
  /** One output per line: amount and index. */
  | 'outputs'
  /** Host name or IP address. */
  | 'host'
  /** `true`, or empty. */
  | 'flag';

/** A parameter that the person fills in. */
export interface CallParameter {
  /** Its name in the daemon's API. */
  readonly name: string;
  readonly kind: ParameterKind;
  readonly optional: boolean;
}

/** A read-only call. */
export interface ReadOnlyCall {
  readonly name: string;
  readonly about: 'chain' | 'blocks' | 'transactions' | 'outputs' | 'node';
  readonly parameters: readonly CallParameter[];
  /** All parameters are optional, but at least one must be given. */
  readonly needsOne?: true;
  /** Parameters that are always sent. */
  readonly always?: { readonly [name: string]: JsonInput };
  /** Its parameter is sent as an array, not by name. */
  readonly inList?: true;
}

/** Parses a parameter list: `height:number` is required, `version:number?` optional. */
function parameters(text: string): readonly CallParameter[] {
  return text
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', kind = ''] = part.replace('?', '').split(':');
      return { name, kind: kind as ParameterKind, optional: part.endsWith('?') };
    });
}

const TABLE = {
  get_info: { about: 'chain', takes: '' },
  sync_info: { about: 'chain', takes: '' },
  get_version: { about: 'chain', takes: '' },
  hard_fork_info: { about: 'chain', takes: 'version:number?' },
  get_fee_estimate: { about: 'chain', takes: '' },
  get_coinbase_tx_sum: { about: 'chain', takes: 'height:number count:number' },
  get_alternate_chains: { about: 'chain', takes: '' },
  get_alt_blocks_hashes: { about: 'chain', takes: '' },
  get_height: { about: 'blocks', takes: '' },
  get_block_count: { about: 'blocks', takes: '' },
  get_last_block_header: { about: 'blocks', takes: '' },
  get_block: { about: 'blocks', takes: 'height:number? hash:id?', needsOne: true },
  get_block_header_by_height: { about: 'blocks', takes: 'height:number' },
  get_block_header_by_hash: { about: 'blocks', takes: 'hash:id' },
  get_block_headers_range: { about: 'blocks', takes: 'start_height:number end_height:number' },
  on_get_block_hash: { about: 'blocks', takes: 'height:number', inList: true },
  get_transactions: { about: 'transactions', takes: 'txs_hashes:ids decode_as_json:flag?' },
  is_key_image_spent: { about: 'transactions', takes: 'key_images:ids' },
  get_transaction_pool: { about: 'transactions', takes: '' },
  get_transaction_pool_hashes: { about: 'transactions', takes: '' },
  get_transaction_pool_stats: { about: 'transactions', takes: '' },
  get_txpool_backlog: { about: 'transactions', takes: '' },
  get_outs: { about: 'outputs', takes: 'outputs:outputs', always: { get_txid: true } },
  'get_o_indexes.bin': { about: 'outputs', takes: 'txid:id' },
  get_output_histogram: { about: 'outputs', takes: 'amounts:numbers unlocked:flag?' },
  get_output_distribution: { about: 'outputs', takes: 'amounts:numbers from_height:number to_height:number' },
  get_connections: { about: 'node', takes: '' },
  get_peer_list: { about: 'node', takes: '' },
  get_public_nodes: { about: 'node', takes: '' },
  get_bans: { about: 'node', takes: '' },
  banned: { about: 'node', takes: 'address:host' },
  get_limit: { about: 'node', takes: '' },
  get_net_stats: { about: 'node', takes: '' },
  mining_status: { about: 'node', takes: '' },
  get_miner_data: { about: 'node', takes: '' },
} as const satisfies Readonly<Record<string, Omit<ReadOnlyCall, 'name' | 'parameters'> & { readonly takes: string }>>;

/** Names of the calls in the daemon's API. */
export type ReadOnlyCallName = keyof typeof TABLE;

/** The calls of the table, with their parameter lists parsed. */
export const READ_ONLY_CALLS: readonly ReadOnlyCall[] = Object.entries(TABLE).map(([name, { takes, ...rest }]) => ({
  name,
  ...rest,
  parameters: parameters(takes),
}));

/** An invalid query. `bad-parameter`: `data` has the parameter's name and kind, and whether it is missing. */
export class NodeQueryError extends CodedError<'no-reading-call' | 'bad-parameter'> {
  override readonly name = 'NodeQueryError';
}

/** The text typed for each parameter. */
export type ParameterTexts = { readonly [parameter: string]: string };

/**
 * Parses the texts typed for a call into its parameters.
 * @throws NodeQueryError
 */
export function parseParameters(name: string, written: ParameterTexts): JsonInput {
  const call = READ_ONLY_CALLS.find((each) => each.name === name);
  if (call === undefined) throw new NodeQueryError('no-reading-call', `expected a call that only reads, got "${name}"`);
  const params = call.parameters.flatMap((parameter): [string, JsonInput][] => {
    const text = (written[parameter.name] ?? '').trim();
    if (text === '' && parameter.optional) return [];
    return [[parameter.name, readParameter(parameter, text)]];
  });
  const [first] = call.parameters;
  if (call.needsOne && params.length === 0 && first) throw badParameter(first, true);
  if (call.inList) return params.map(([, value]) => value);
  return { ...call.always, ...Object.fromEntries(params) };
}

function readParameter(parameter: CallParameter, text: string): JsonInput {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.length === 0) throw badParameter(parameter, true);
  const value = readers[parameter.kind](parts);
  if (value === undefined) throw badParameter(parameter, false);
  return value;
}

const isNumber = (text: string): boolean => /^\d{1,20}$/.test(text) && BigInt(text) <= U64_MAX;
const isId = (text: string): boolean => /^[0-9a-fA-F]{64}$/.test(text);
const only = (parts: readonly string[]): string => (parts.length === 1 ? (parts[0] as string) : '');

/** A parser for each kind; undefined for invalid text. */
const readers: Readonly<Record<ParameterKind, (parts: readonly string[]) => JsonInput | undefined>> = {
  number: (parts) => (/^\d{1,15}$/.test(only(parts)) ? Number(only(parts)) : undefined),
  numbers: (parts) => (parts.every(isNumber) ? parts.map(BigInt) : undefined),
  id: (parts) => (isId(only(parts)) ? only(parts).toLowerCase() : undefined),
  ids: (parts) => (parts.every(isId) ? parts.map((part) => part.toLowerCase()) : undefined),
  outputs: (parts) => {
    if (parts.length % 2 !== 0 || !parts.every(isNumber)) return undefined;
    const pairs = Array.from({ length: parts.length / 2 }, (_, at) => parts.slice(2 * at, 2 * at + 2) as [string, string]);
    return pairs.map(([amount, index]) => ({ amount: BigInt(amount), index: BigInt(index) }));
  },
  host: (parts) => only(parts) || undefined,
  flag: (parts) => (only(parts) === 'true' ? true : undefined),
};

function badParameter({ name, kind }: CallParameter, missing: boolean): NodeQueryError {
  const wanted = missing ? `expected ${name} to be given` : `expected ${name} to be written as ${kind}`;
  return new NodeQueryError('bad-parameter', wanted, { parameter: name, kind, missing });
}
