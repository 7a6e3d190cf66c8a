import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { bytesToHex, concatBytes, parseJson, stringifyJson } from '../../src/base/index.ts';
import { decodePortableStorage, encodePortableStorage, storage } from '../../src/protocol/index.ts';
import { type ChainParameters, loadChain, type SyntheticChain } from './chain.ts';
import { Gate } from './gate.ts';

/**
 * Serves a synthetic chain to both wallets: prebuilt bytes, spliced. Run as a separate process (`daemon.ts <parameters as JSON> <blocks a reply>`),
 * it prints its port and ends with its parent's pipe. `/bench/…` is for the bench itself: see {@link Gate}.
 */

const { object, packed, text, u64 } = storage;

const GENESIS_VERSION = 16;

const utf8 = new TextEncoder();

/** An entry of an object in portable storage: name, type byte, raw value. */
const entry = (name: string, type: number, ...value: Uint8Array[]): Uint8Array =>
  concatBytes(Uint8Array.of(name.length), utf8.encode(name), Uint8Array.of(type), ...value);

/** The format's variable-length count. */
function count(n: number): Uint8Array {
  const word = new Uint8Array(4);
  new DataView(word.buffer).setUint32(0, ((n << 2) | 2) >>> 0, true);
  return word;
}

const OBJECT_ARRAY = 0x8c;
const FIELD_TYPES = { u64: 5, string: 10 } as const;
const DOCUMENT_HEADER = Uint8Array.of(0x01, 0x11, 0x01, 0x01, 0x01, 0x01, 0x02, 0x01, 0x01);

function u64le(n: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n), true);
  return bytes;
}

const OK = concatBytes(Uint8Array.of(2 << 2), utf8.encode('OK'));

/** A `get_blocks.bin` reply from `start`, in monerod's format, by splicing. */
function blocksReply(chain: SyntheticChain, start: number, most: number, pruned: boolean): Uint8Array {
  const slice = chain.blocks.slice(start, start + most);
  return concatBytes(
    DOCUMENT_HEADER,
    Uint8Array.of(5 << 2),
    entry('blocks', OBJECT_ARRAY, count(slice.length), ...slice.map((block) => (pruned ? block.pruned : block.whole))),
    entry('current_height', FIELD_TYPES.u64, u64le(chain.blocks.length)),
    entry('output_indices', OBJECT_ARRAY, count(slice.length), ...slice.map((block) => block.outputIndices)),
    entry('start_height', FIELD_TYPES.u64, u64le(start)),
    entry('status', FIELD_TYPES.string, OK),
  );
}

function byHeightReply(chain: SyntheticChain, heights: BigUint64Array): Uint8Array {
  const blocks = [...heights].map((height) => chain.blocks[Number(height)]!.whole);
  return concatBytes(
    DOCUMENT_HEADER,
    Uint8Array.of(2 << 2),
    entry('blocks', OBJECT_ARRAY, count(blocks.length), ...blocks),
    entry('status', FIELD_TYPES.string, OK),
  );
}

class Daemon {
  readonly #chain: SyntheticChain;
  readonly #blocksPerReply: number;
  readonly #heights: ReadonlyMap<string, number>;
  readonly #replies = new Map<string, Uint8Array>();

  constructor(chain: SyntheticChain, blocksPerReply: number) {
    this.#chain = chain;
    this.#blocksPerReply = blocksPerReply;
    this.#heights = new Map(chain.blocks.map((block, height) => [bytesToHex(block.id), height]));
    // The two grids that wallets use: a reply begins at the last block of the previous one, or after it.
    for (let start = 0; start < chain.blocks.length; start += blocksPerReply - 1) this.#blocks(start, true);
    for (let start = 0; start < chain.blocks.length; start += blocksPerReply) this.#blocks(start, true);
  }

  #blocks(start: number, pruned: boolean): Uint8Array {
    const key = `${start} ${pruned}`;
    const cached = this.#replies.get(key) ?? blocksReply(this.#chain, start, this.#blocksPerReply, pruned);
    this.#replies.set(key, cached);
    return cached;
  }

  #commonHeight(ids: readonly Uint8Array[]): number {
    for (const id of ids) {
      const height = this.#heights.get(bytesToHex(id));
      if (height !== undefined) return height;
    }
    return 0;
  }

  binary(path: string, body: Uint8Array): Uint8Array | undefined {
    const request = decodePortableStorage(body);
    switch (path.replaceAll('_', '')) {
      case '/getblocks.bin': {
        const asked = request.getNumber('start_height', 0);
        const start = asked > 0 ? asked : this.#commonHeight(request.getPacked('block_ids', 32));
        return this.#blocks(start, request.getBoolean('prune', false));
      }
      case '/gethashes.bin': {
        const start = Math.max(request.getNumber('start_height', 0), this.#commonHeight(request.getPacked('block_ids', 32)));
        const ids = this.#chain.blocks.slice(start, start + 10_000).map((block) => block.id);
        return encodePortableStorage(
          object({
            current_height: u64(this.#chain.blocks.length),
            m_block_ids: packed(ids),
            start_height: u64(start),
            status: text('OK'),
          }),
        );
      }
      case '/getblocksbyheight.bin':
        return byHeightReply(this.#chain, request.getU64s('heights'));
      default:
        return undefined;
    }
  }

  json(path: string, method: string | undefined): Record<string, unknown> | undefined {
    const height = this.#chain.blocks.length;
    const tip = { hash: bytesToHex(this.#chain.blocks[height - 1]!.id), height };
    switch (method ?? path.replaceAll('_', '').slice(1)) {
      case 'getheight':
        return { ...tip, status: 'OK' };
      case 'get_info':
      case 'getinfo':
        return {
          height,
          target_height: height,
          top_block_hash: tip.hash,
          status: 'OK',
          nettype: 'fakechain',
          mainnet: false,
          stagenet: false,
          testnet: false,
          synchronized: true,
          offline: true,
          version: '0.18.0.0',
          target: 120,
          tx_pool_size: 0,
          block_weight_limit: 600_000,
          block_weight_median: 300_000,
          difficulty: 1,
          untrusted: false,
        };
      case 'get_version':
        return { release: false, status: 'OK', untrusted: false, version: 196_618 };
      case 'hard_fork_info':
        return {
          earliest_height: 1,
          enabled: true,
          state: 2,
          status: 'OK',
          threshold: 0,
          untrusted: false,
          version: GENESIS_VERSION,
          votes: 0,
          voting: GENESIS_VERSION,
          window: 10_080,
        };
      case 'get_fee_estimate':
        return {
          fee: 20_000,
          fees: [20_000, 80_000, 320_000, 4_000_000],
          quantization_mask: 10_000,
          status: 'OK',
          untrusted: false,
        };
      case 'gettransactionpool':
        return { status: 'OK', untrusted: false };
      case 'gettransactionpoolhashes':
      case 'gettransactionpoolhashes.bin':
        return { status: 'OK', untrusted: false };
      default:
        return undefined;
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return concatBytes(...chunks);
}

function send(response: ServerResponse, type: string, body: Uint8Array | string): void {
  const bytes = typeof body === 'string' ? utf8.encode(body) : body;
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
  response.end(bytes);
}

async function answer(daemon: Daemon, gate: Gate, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const body = await bodyOf(request);
  if (await gate.control(path)) return void response.writeHead(204).end();
  await gate.pass(path);
  if (path.endsWith('.bin') && !path.includes('pool')) {
    const reply = daemon.binary(path, body);
    if (reply) return send(response, 'application/octet-stream', reply);
  }
  if (path === '/json_rpc') {
    const call = parseJson(new TextDecoder().decode(body)) as { id?: unknown; method?: string };
    const result = daemon.json(path, call.method ?? '');
    const reply = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
    return send(response, 'application/json', stringifyJson({ id: call.id ?? '0', jsonrpc: '2.0', ...reply } as never));
  }
  const result = daemon.json(path, undefined);
  if (result) return send(response, 'application/json', stringifyJson(result as never));
  response.writeHead(404).end();
}

async function main(): Promise<void> {
  const parameters = parseJson(process.argv[2] ?? '{}') as unknown as ChainParameters;
  const daemon = new Daemon(await loadChain(parameters), Number(process.argv[3]));
  const gate = new Gate();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    answer(daemon, gate, request, response).catch((error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(String((server.address() as AddressInfo).port)));
  process.stdin.on('end', () => process.exit(0)).resume();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
