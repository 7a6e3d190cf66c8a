import { isDeepStrictEqual } from 'node:util';
import { bytesToHex, parseJson, parseJsonBytes } from '../../src/base/index.ts';
import type { Chain } from '../../src/devnet/chain.ts';
import type { ServedDevnet } from '../../src/devnet/index.ts';
import { keyImagesOf } from '../../src/devnet/parsed.ts';
import { decodeAddress, encodeAddress } from '../../src/protocol/index.ts';
import type { ReferenceRelease } from './child.ts';
import type { DaemonQuestion, KnownChain } from './daemon-request-types.ts';
import { post } from './rpc.ts';

/** Parts of a devnet's chain that requests can refer to. It has a block with a transaction. */
export const knownOf = ({ node, minerWallet }: ServedDevnet): KnownChain => knownIn(node.chain, minerWallet.address);

/** @param address primary address of regtest */
export function knownIn(chain: Chain, address: string): KnownChain {
  const blocks = Array.from({ length: chain.height }, (_, height) => chain.blockAt(height)!);
  const paying = blocks.find(({ transactions }) => transactions.length > 0)!;
  const { spendKey, viewKey } = decodeAddress(address, 'regtest');
  return {
    height: chain.height,
    top: chain.top.id,
    block: paying.id,
    blockHeight: paying.height,
    transaction: paying.transactions[0]!.id,
    coinbase: chain.blockAt(5)!.minerTx.id,
    genesisCoinbase: chain.blockAt(0)!.minerTx.id,
    keyImage: keyImagesOf(paying.transactions[0]!)[0]!,
    address,
    subaddress: encodeAddress({ network: 'regtest', kind: 'subaddress', spendKey, viewKey }),
    integrated: encodeAddress({ network: 'regtest', kind: 'integrated', spendKey, viewKey, paymentId: new Uint8Array(8) }),
    foreign: encodeAddress({ network: 'stagenet', kind: 'standard', spendKey, viewKey }),
    blockBlob: bytesToHex(paying.blob),
  };
}

/** Fields that depend on the machine, the moment or the program, and not on the chain. */
const OWN = new Set([
  'adjusted_time',
  'credits',
  'database_size',
  'free_space',
  'last_relayed_time',
  'oldest',
  'pow_algorithm',
  'pruning_seed',
  'receive_time',
  'received_timestamp',
  'relayed',
  'rpc_connections_count',
  'start_time',
  'time',
  'total_bytes_in',
  'total_bytes_out',
  'total_packets_in',
  'total_packets_out',
  'version',
]);

/** JSON in strings is parsed; templates contain random keys, and are compared by length. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !OWN.has(name));
  return Object.fromEntries(entries.map(([name, field]) => [name, plainField(name, field)]));
}

function plainField(name: string, field: unknown): unknown {
  if (name === 'json' || name.endsWith('_json')) return readTexts(field);
  // Remaining seconds of a ban: the two were banned in different seconds, so the values are rounded to the same step.
  if (name === 'seconds' && typeof field === 'number') return Math.ceil(field / 10_000);
  return /^block(template|hashing)_blob$/.test(name) && typeof field === 'string' ? field.length : plain(field);
}

function readTexts(field: unknown): unknown {
  if (Array.isArray(field)) return field.map(readTexts);
  return typeof field === 'string' && field !== '' ? parseJson(field) : field;
}

/** A daemon's answer to a request: its reply without fields of its own, or the HTTP status of a refusal. */
async function answerTo(url: string, { kind, name, params }: DaemonQuestion): Promise<unknown> {
  const given = params === undefined ? '' : `,"params":${params}`;
  const body = kind === 'rpc' ? `{"jsonrpc":"2.0","id":"0","method":${JSON.stringify(name)}${given}}` : (params ?? '');
  const type = name.endsWith('.bin') ? 'application/octet-stream' : 'application/json';
  const answer = await post(`${url}/${kind === 'rpc' ? 'json_rpc' : name}`, body, type);
  if (answer.status !== 200) return { http: answer.status };
  try {
    return plain(parseJsonBytes(answer.body));
  } catch {
    return { raw: bytesToHex(answer.body) };
  }
}

/** Requests that the devnet answers differently than the reference, and why: a line of the table in docs/devnet.md. */
export interface Difference {
  /** Names of calls. */
  readonly calls: RegExp;
  /** The parameters; any if absent. */
  readonly params?: RegExp;
  /** Only compared with this release. */
  readonly release?: ReferenceRelease;
  readonly why: string;
}

const AS_TEXT = /^\{"(amounts":\[)?[^[]*"5"\]?\}$/;

export const DIFFERENCES: readonly Difference[] = [
  { calls: /^calc_pow$/, params: /"major_version":(7|8|16),/, why: 'proofs of work after version 6 are a Keccak-256 of its own' },
  { calls: /^(start|stop)_save_graph$/, why: 'the save_graph paths are still there' },
  { calls: /^get_txids_loose$/, why: 'get_txids_loose of the release after 0.18 is there already' },
  { calls: /./, params: AS_TEXT, release: '0.18.0.0', why: 'integers are not read from texts of digits' },
  { calls: /./, params: /\{"amount":"0"/, release: '0.18.0.0', why: 'integers are not read from texts of digits' },
  { calls: /^on_get_?block_?hash$/, params: /^\["1"\]$/, release: '0.18.0.0', why: 'integers are not read from texts of digits' },
  { calls: /^on_get_?block_?hash$/, params: /^\[\d+\]$/, release: '0.18.0.0', why: 'a height past the chain is an error' },
  {
    calls: /^get_?block_?template$/,
    params: /"reserve_size":(128|255)\}/,
    release: '0.18.0.0',
    why: 'reserves of 128 bytes and more are served',
  },
  { calls: /^get_version$/, release: '0.18.0.0', why: 'get_version tells heights and hard forks' },
  { calls: /^flush_cache$/, params: /bad_txs/, release: '0.18.0.0', why: 'bad_txs of flush_cache is not read' },
  { calls: /^is_key_image_spent$/, params: /\["00"\]/, release: '0.18.0.0', why: 'a key image of another length says so' },
  { calls: /^send_?raw_?transaction$/, release: '0.18.0.0', why: 'send_raw_transaction tells of unlock times' },
  { calls: /^[gs]et_limit$/, release: '0.18.0.0', why: 'limits begin at 32,768 and 8,192 kB a second' },
  { calls: /^banned$/, params: /::1/, release: '0.18.0.0', why: 'IPv6 hosts can be banned' },
  { calls: /^[gs]et_bans$/, release: '0.18.0.0', why: 'IPv6 hosts can be banned' },
  {
    calls: /^(get_alt_blocks_hashes|get_transaction_pool)$/,
    release: '0.18.0.0',
    why: 'a restricted service refuses get_alt_blocks_hashes and get_transaction_pool',
  },
];

export interface Comparison {
  readonly asked: number;
  /** Requests that were answered differently, without a known difference. */
  readonly unlike: { readonly question: string; readonly ours: unknown; readonly theirs: unknown }[];
  /** The known differences found. */
  readonly known: ReadonlySet<Difference>;
}

/** Sends both the same requests, one after the other: each may affect the next. */
export async function compare(
  urls: { readonly ours: string; readonly theirs: string },
  release: ReferenceRelease,
  questions: readonly DaemonQuestion[],
): Promise<Comparison> {
  const unlike: Comparison['unlike'] = [];
  const known = new Set<Difference>();
  for (const question of questions) {
    const [ours, theirs] = await Promise.all([answerTo(urls.ours, question), answerTo(urls.theirs, question)]);
    if (isDeepStrictEqual(ours, theirs)) continue;
    const difference = DIFFERENCES.find(
      ({ calls, params, release: of = release }) =>
        of === release && calls.test(question.name) && (params === undefined || params.test(question.params ?? '')),
    );
    if (difference === undefined) unlike.push({ question: `${question.name} ${question.params ?? ''}`, ours, theirs });
    else known.add(difference);
  }
  return { asked: questions.length, unlike, known };
}
