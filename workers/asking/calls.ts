import { CodedError, type JsonInput, U64_MAX } from '../../src/base/index.ts';

/** The calls that a person may ask a daemon by hand: those that tell, and change nothing on it. */

/** Kind of a parameter, and its form as text. */
export type ParameterKind =
  /** A whole number below 2^53. */
  | 'number'
  /** Whole numbers up to 2^64-1, with spaces or commas between them. */
  | 'numbers'
  /** 64 hex digits. */
  | 'id'
  /** Several of them, with spaces or commas between them. */
  | 'ids'
  /** An amount and an index a line. */
  | 'outputs'
  /** A name or address of a host. */
  | 'host'
  /** `true`, or nothing. */
  | 'flag';

/** A parameter of a call, as a person fills it in. */
export interface ReadingParameter {
  /** As the daemon has it. */
  readonly name: string;
  readonly kind: ParameterKind;
  readonly optional: boolean;
}

/** A call that only reads, and may be asked by hand. */
export interface ReadingCall {
  readonly name: string;
  readonly about: 'chain' | 'blocks' | 'transactions' | 'outputs' | 'node';
  readonly parameters: readonly ReadingParameter[];
  /** All are optional, and one is given all the same. */
  readonly needsOne?: true;
  /** Fixed parameters. */
  readonly always?: { readonly [name: string]: JsonInput };
  /** Its one parameter is given in a list. */
  readonly inList?: true;
}

/** `height:number` is needed, `version:number?` is not. */
function parameters(text: string): readonly ReadingParameter[] {
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
} as const satisfies Readonly<Record<string, Omit<ReadingCall, 'name' | 'parameters'> & { readonly takes: string }>>;

/** Names of the calls, as daemons have them. */
export type ReadingCallName = keyof typeof TABLE;

/** The calls of the table, with their parameters read. */
export const READING_CALLS: readonly ReadingCall[] = Object.entries(TABLE).map(([name, { takes, ...rest }]) => ({
  name,
  ...rest,
  parameters: parameters(takes),
}));

/** A question that cannot be asked. `bad-parameter`: `data` has the parameter's name and kind, and whether it is missing. */
export class AskingError extends CodedError<'no-reading-call' | 'bad-parameter'> {
  override readonly name = 'AskingError';
}

/** The person's text for each parameter. */
export type Written = { readonly [parameter: string]: string };

/**
 * Reads a call's parameters from texts.
 * @throws AskingError
 */
export function readWritten(name: string, written: Written): JsonInput {
  const call = READING_CALLS.find((each) => each.name === name);
  if (call === undefined) throw new AskingError('no-reading-call', `expected a call that only reads, got "${name}"`);
  const given = call.parameters.flatMap((parameter): [string, JsonInput][] => {
    const text = (written[parameter.name] ?? '').trim();
    if (text === '' && parameter.optional) return [];
    return [[parameter.name, readParameter(parameter, text)]];
  });
  const [first] = call.parameters;
  if (call.needsOne && given.length === 0 && first) throw badParameter(first, true);
  if (call.inList) return given.map(([, value]) => value);
  return { ...call.always, ...Object.fromEntries(given) };
}

function readParameter(parameter: ReadingParameter, text: string): JsonInput {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.length === 0) throw badParameter(parameter, true);
  const value = readers[parameter.kind](parts);
  if (value === undefined) throw badParameter(parameter, false);
  return value;
}

const isNumber = (text: string): boolean => /^\d{1,20}$/.test(text) && BigInt(text) <= U64_MAX;
const isId = (text: string): boolean => /^[0-9a-fA-F]{64}$/.test(text);
const only = (parts: readonly string[]): string => (parts.length === 1 ? (parts[0] as string) : '');

/** undefined where the text is not of the kind. */
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

function badParameter({ name, kind }: ReadingParameter, missing: boolean): AskingError {
  const wanted = missing ? `expected ${name} to be given` : `expected ${name} to be written as ${kind}`;
  return new AskingError('bad-parameter', wanted, { parameter: name, kind, missing });
}
