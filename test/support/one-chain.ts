import { bytesToHex, parseJson, parseJsonBytes } from '../../src/base/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { encodePortableStorage, type StorageObject } from '../../src/protocol/index.ts';
import { feed } from './beside-monerod.ts';
import { type Monerod, startMonerod } from './programs.ts';
import { post } from './rpc.ts';

/** A devnet and a monerod on the devnet's chain, and the same request to both: the devnet's answer first. */
export interface OneChain {
  readonly devnet: ServedDevnet;
  readonly monerod: Monerod;
  /** Sends the devnet's blocks from a height on, with their transactions. */
  passOn(height: number): Promise<void>;
  bothJson(path: string, body: string): Promise<[unknown, unknown]>;
  bothRpc(method: string, params: string): Promise<[unknown, unknown]>;
  /** Answers in hex. */
  bothBinary(path: string, request: StorageObject): Promise<[string, string]>;
  stop(): Promise<void>;
}

/** @param blocks of the chain, with six transactions among the last of them */
export async function startOneChain(blocks: number): Promise<OneChain> {
  const [devnet, monerod] = await Promise.all([
    serveDevnet({ history: { blocks, transactions: 6 } }),
    // Otherwise it bans clients that request blocks of another chain more than three times.
    startMonerod({ extraArgs: ['--disable-rpc-ban'] }),
  ]);
  const both = async <T>(path: string, body: string | Uint8Array, type: string, read: (answer: Uint8Array) => T) => {
    const answers = [devnet.url, monerod.url].map(async (url) => read((await post(`${url}/${path}`, body, type)).body));
    return (await Promise.all(answers)) as [T, T];
  };
  const bothJson: OneChain['bothJson'] = (path, body) =>
    both(path, body, 'application/json', (answer) => plain(parseJsonBytes(answer)));
  await feed(monerod, devnet.node);
  return {
    ...{ devnet, monerod, bothJson },
    passOn: (height) => feed(monerod, devnet.node, height),
    bothRpc: (method, params) => bothJson('json_rpc', `{"jsonrpc":"2.0","id":"0","method":"${method}","params":${params}}`),
    bothBinary: (path, request) => both(path, encodePortableStorage(request), 'application/octet-stream', bytesToHex),
    stop: async () => void (await Promise.all([devnet.stop(), monerod.stop()])),
  };
}

/** Fields that depend on the machine, the moment or the program, and not on the chain. */
const OWN = new Set([
  'database_size',
  'free_space',
  'start_time',
  'version',
  // The devnet has its own test hash, and says so.
  'pow_algorithm',
  'rpc_connections_count',
  'receive_time',
  'last_relayed_time',
  'received_timestamp',
  'relayed',
  'oldest',
]);

/** Normalised: JSON in strings is parsed, program-specific fields are removed. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !OWN.has(name));
  return Object.fromEntries(entries.map(([name, field]) => [name, isJsonName(name) ? readTexts(field) : plain(field)]));
}

const isJsonName = (name: string): boolean => name === 'json' || name.endsWith('_json');

function readTexts(field: unknown): unknown {
  if (Array.isArray(field)) return field.map(readTexts);
  return typeof field === 'string' && field !== '' ? parseJson(field) : field;
}
