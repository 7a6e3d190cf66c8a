import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, concatBytes, hexToBytes, parseJsonBytes, stringifyJson, U64_MAX } from '../../src/base/index.ts';
import type { ServedDevnet } from '../../src/devnet/index.ts';
import { decodePortableStorage, encodePortableStorage, type StorageObject, storage } from '../../src/protocol/index.ts';
import { RawConnection } from '../support/fuzz/wire.ts';
import { type OneChain, startOneChain } from '../support/one-chain.ts';
import type { Monerod } from '../support/programs.ts';
import { callRpc, post } from '../support/rpc.ts';

/** One chain on both: what the devnet mines, monerod accepts, and both say the same about it. */
const BLOCKS = 100;

let devnet: ServedDevnet;
let monerod: Monerod;
let bothJson: OneChain['bothJson'];
let bothRpc: OneChain['bothRpc'];
let bothBinary: OneChain['bothBinary'];
let passOn: OneChain['passOn'];
let stop: OneChain['stop'];

beforeAll(async () => {
  ({ devnet, monerod, bothJson, bothRpc, bothBinary, passOn, stop } = await startOneChain(BLOCKS));
});

afterAll(() => stop?.());

const { bool, object, packed, u8, u64, u64s, objects, bytes } = storage;

describe('the same chain', () => {
  it('is accepted by monerod, with its transactions', async () => {
    const { height, hash } = await monerod.path<{ height: number; hash: string }>('get_height');
    expect({ height, hash }).toEqual({ height: BLOCKS + 1, hash: devnet.node.chain.top.id });
    expect(devnet.node.chain.top.transactionCount).toBeGreaterThanOrEqual(5);
  });

  const calls: readonly [string, string][] = [
    ['get_info', '{}'],
    ['get_block_count', '{}'],
    ['on_get_block_hash', '[7]'],
    ['get_last_block_header', '{}'],
    ['get_block_header_by_height', '{"height":60}'],
    ['get_block_header_by_height', '{"height":0}'],
    ['get_block_header_by_height', '{"height":100000}'],
    ['getblockheadersrange', '{"start_height":1,"end_height":99}'],
    ['get_block_headers_range', '{"start_height":5,"end_height":4}'],
    ['get_block_headers_range', '{"start_height":5,"end_height":500}'],
    ['get_block', '{"height":98}'],
    ['get_block', '{"height":0}'],
    ['get_block', '{"hash":"00"}'],
    ['hard_fork_info', '{}'],
    ['hard_fork_info', '{"version":1}'],
    ['hard_fork_info', '{"version":14}'],
    ['hard_fork_info', '{"version":16}'],
    ['get_fee_estimate', '{}'],
    ['get_fee_estimate', '{"grace_blocks":10}'],
    ['get_output_histogram', '{}'],
    ['get_output_histogram', '{"amounts":[0],"unlocked":true}'],
    ['get_output_distribution', '{"amounts":[0],"binary":false}'],
    ['get_output_distribution', '{"amounts":[0],"binary":false,"cumulative":true}'],
    ['get_output_distribution', '{"amounts":[0],"binary":false,"from_height":90,"to_height":95}'],
    ['get_output_distribution', '{"amounts":[0,17592186044415],"binary":false,"cumulative":true,"from_height":3}'],
    ['get_output_distribution', '{"amounts":[0]}'],
    ['get_output_distribution', '{"amounts":[0],"compress":true}'],
    ['get_output_distribution', '{"amounts":[0],"from_height":5000}'],
    ['get_coinbase_tx_sum', '{"height":0,"count":50}'],
    ['get_coinbase_tx_sum', '{"height":80,"count":21}'],
    ['get_txpool_backlog', '{}'],
    ['get_alternate_chains', '{}'],
    ['get_connections', '{}'],
    ['get_bans', '{}'],
    ['get_miner_data', '{}'],
    ['sync_info', '{}'],
    ['submit_block', '["00"]'],
    ['submit_block', '["zz"]'],
    ['get_block_template', '{"wallet_address":"4","reserve_size":1}'],
    ['no_such_method', '{}'],
  ];
  it.each(calls)('answers %s %s alike', async (method, params) => {
    const [ours, theirs] = await bothRpc(method, params);
    expect(ours).toEqual(theirs);
  });

  const paths: readonly [string, string][] = [
    ['get_height', '{}'],
    ['get_info', '{}'],
    [
      'get_outs',
      '{"outputs":[{"amount":0,"index":1},{"amount":0,"index":95},{"amount":17592186044415,"index":0}],"get_txid":true}',
    ],
    ['get_outs', '{"outputs":[{"amount":0,"index":99}]}'],
    ['get_outs', '{"outputs":[{"amount":0,"index":100000}]}'],
    ['get_transactions', '{"txs_hashes":["zz"]}'],
    ['get_transactions', '{"txs_hashes":["00"]}'],
    ['is_key_image_spent', `{"key_images":["${'01'.padEnd(64, '0')}"]}`],
    ['get_transaction_pool', '{}'],
    ['get_transaction_pool_hashes', '{}'],
    ['get_transaction_pool_hashes.bin', '{}'],
    ['get_transaction_pool_stats', '{}'],
    ['get_alt_blocks_hashes', '{}'],
    ['mining_status', '{}'],
    ['send_raw_transaction', '{"tx_as_hex":"zz"}'],
    ['send_raw_transaction', '{"tx_as_hex":"00"}'],
    ['send_raw_transaction', '{"tx_as_hex":"00","do_sanity_checks":false}'],
  ];
  it.each(paths)('answers /%s %s alike', async (path, body) => {
    const [ours, theirs] = await bothJson(path, body);
    expect(ours).toEqual(theirs);
  });

  it('shows transactions alike: whole, split, pruned, unknown and as JSON', async () => {
    const block = devnet.node.chain.top.height - 1;
    const ids = devnet.node.chain.blockAt(block)!.transactions.map((tx) => `"${tx.id}"`);
    ids.push(
      `"${'ab'.repeat(32)}"`,
      `"${devnet.node.chain.blockAt(5)!.minerTx.id}"`,
      `"${devnet.node.chain.blockAt(0)!.minerTx.id}"`,
    );
    for (const options of [
      '',
      ',"split":true',
      ',"prune":true',
      ',"decode_as_json":true',
      ',"prune":true,"decode_as_json":true',
    ]) {
      const [ours, theirs] = await bothJson('get_transactions', `{"txs_hashes":[${ids.join(',')}]${options}}`);
      expect(ours, options).toEqual(theirs);
    }
  });

  it('sends binary replies that are the same byte for byte', async () => {
    const { chain } = devnet.node;
    const id = (height: number) => hexToBytes(chain.blockAt(height)!.id);
    const paying = chain.blockAt(chain.height - 2)!;
    const short = packed([id(90), id(50), id(0)]);
    const outputs = objects([3, 60, 95, 101].map((index) => object({ amount: u64(0), index: u64(index) })));
    const requests: readonly [string, StorageObject][] = [
      ['get_blocks.bin', object({ block_ids: packed([id(0)]), start_height: u64(0), prune: bool(true) })],
      ['getblocks.bin', object({ block_ids: short, start_height: u64(0), prune: bool(true) })],
      ['get_blocks.bin', object({ block_ids: short, start_height: u64(0), prune: bool(false) })],
      ['get_blocks.bin', object({ block_ids: short, start_height: u64(0), prune: bool(true), no_miner_tx: bool(true) })],
      ['get_blocks.bin', object({ block_ids: short, start_height: u64(95), prune: bool(true) })],
      ['get_blocks.bin', object({ block_ids: packed([id(BLOCKS), id(0)]), start_height: u64(0), prune: bool(true) })],
      ['get_blocks.bin', object({ block_ids: packed([id(0)]), start_height: u64(5000), prune: bool(true) })],
      ['get_blocks.bin', object({ block_ids: packed([new Uint8Array(32)]), start_height: u64(0), prune: bool(true) })],
      ['gethashes.bin', object({ block_ids: short, start_height: u64(0) })],
      ['get_hashes.bin', object({ block_ids: packed([id(BLOCKS), id(0)]), start_height: u64(0) })],
      ['get_hashes.bin', object({ block_ids: packed([new Uint8Array(32)]), start_height: u64(0) })],
      ['get_hashes.bin', object({ block_ids: bytes(id(0).subarray(1)) })],
      ['get_hashes.bin', object({})],
      ['get_hashes.bin', object({ block_ids: packed([new Uint8Array(32)]), start_height: u64(7) })],
      ['get_blocks.bin', object({ block_ids: bytes(id(0).subarray(1)) })],
      ['get_blocks.bin', object({ block_ids: short, start_height: u64(U64_MAX), max_block_count: u64(U64_MAX) })],
      ['get_blocks.bin', object({ block_ids: short, max_block_count: u64(U64_MAX) })],
      ['getblocks_by_height.bin', object({ heights: u64s([0n, 5n, BigInt(paying.height)]) })],
      ['get_blocks_by_height.bin', object({ heights: u64s([5000n]) })],
      ['get_blocks_by_height.bin', object({ heights: u64s([3n, 5000n, 4n]) })],
      ['get_o_indexes.bin', object({})],
      ['get_o_indexes.bin', object({ txid: bytes(id(0).subarray(1)) })],
      ['get_o_indexes.bin', object({ txid: bytes(hexToBytes(paying.transactions[0]!.id)) })],
      ['get_outs.bin', object({ outputs, get_txid: bool(true) })],
      ['get_outs.bin', object({ outputs, get_txid: bool(false) })],
      ['get_outs.bin', object({ outputs: objects([object({ amount: u64(0), index: u64(5000) })]), get_txid: bool(false) })],
      ...[true, false].map((compress): [string, StorageObject] => [
        'get_output_distribution.bin',
        object({
          amounts: u64s([0n]),
          from_height: u64(0),
          to_height: u64(0),
          cumulative: bool(true),
          binary: bool(true),
          compress: bool(compress),
        }),
      ]),
      ['get_output_distribution.bin', object({ amounts: u64s([0n]), from_height: u64(U64_MAX), to_height: u64(50) })],
    ];
    for (const [i, [path, request]] of requests.entries()) {
      const [ours, theirs] = (await bothBinary(path, request)).map(timeless) as [string, string];
      if (ours !== theirs) expect(readable(ours), `${path}, request ${i}`).toEqual(readable(theirs));
      expect(ours, `${path}, request ${i}`).toBe(theirs);
    }
  });

  it('reads binary requests alike whose fields are of other types, or that have something behind them', async () => {
    const { u16, i64, double, text, array, nested } = storage;
    const id = (height: number) => hexToBytes(devnet.node.chain.blockAt(height)!.id);
    const one = objects([object({ amount: u8(0), index: u8(1) })])!;
    const values: Readonly<Record<string, storage.StorageEntry>> = {
      ...{ u8: u8(1), u16: u16(300), u64: u64(7), most: u64(U64_MAX), signed: i64(5), negative: i64(-5), double: double(1) },
      ...{ bool: bool(true), text: text('x'), hash: bytes(id(3)), object: nested(object({ amount: u64(0) })), objects: one },
      ...{ numbers: u64s([1n, 2n])!, bytes: array({ of: 'uint8', items: Uint8Array.of(1, 2) }) },
      ...{
        negatives: array({ of: 'int64', items: BigInt64Array.of(-1n) }),
        none: array({ of: 'uint64', items: new BigUint64Array() }),
      },
      ...{ texts: array({ of: 'string', items: [Uint8Array.of(1)] }), nothing: array({ of: 'object', items: [] }) },
    };
    const requests: readonly [string, Readonly<Record<string, storage.StorageEntry | undefined>>, readonly string[]][] = [
      ['get_blocks.bin', { block_ids: packed([id(95), id(0)]) }, ['block_ids', 'start_height', 'prune', 'no_miner_tx']],
      [
        'get_blocks.bin',
        { block_ids: packed([id(95), id(0)]) },
        ['requested_info', 'pool_info_since', 'max_block_count', 'other'],
      ],
      ['get_hashes.bin', { block_ids: packed([id(50), id(0)]) }, ['block_ids', 'start_height', 'client']],
      ['get_blocks_by_height.bin', { heights: u64s([1n, 2n]) }, ['heights', 'client']],
      ['get_o_indexes.bin', { txid: bytes(id(1)) }, ['txid', 'client']],
      ['get_outs.bin', { outputs: one }, ['outputs', 'get_txid', 'client']],
      ['get_output_distribution.bin', { amounts: u64s([0n]) }, ['amounts', 'from_height', 'to_height', 'cumulative', 'compress']],
    ];
    const answers = async (path: string, body: Uint8Array) =>
      Promise.all(
        [devnet, monerod].map(async ({ url }) => {
          const answer = await post(`${url}/${path}`, body, 'application/octet-stream');
          return `${answer.status} ${timeless(bytesToHex(answer.body))}`;
        }),
      );
    for (const [path, request, fields] of requests) {
      const [longer, told] = await answers(path, concatBytes(encodePortableStorage(object(request)), Uint8Array.of(1, 2, 3)));
      expect(longer, path).toBe(told);
      for (const field of fields)
        for (const [name, value] of Object.entries(values)) {
          const [ours, theirs] = await answers(path, encodePortableStorage(object({ ...request, [field]: value })));
          expect(ours, `${path}, ${field} as ${name}`).toBe(theirs);
        }
    }
  });

  it('keeps the same pool', async () => {
    const id = devnet.faucet.give(devnet.minerWallet.address);
    await monerod.path('send_raw_transaction', { tx_as_hex: bytesToHex(devnet.node.pool.get(id)!.blob) });
    for (const path of ['get_transaction_pool', 'get_transaction_pool_hashes', 'get_transaction_pool_hashes.bin']) {
      const [ours, theirs] = await bothJson(path, '{}');
      expect(ours, path).toEqual(theirs);
    }
    const [ours, theirs] = await bothJson('get_transactions', `{"txs_hashes":["${id}"],"decode_as_json":true}`);
    expect(ours).toEqual(theirs);
    const tip = { block_ids: packed([hexToBytes(devnet.node.chain.top.id), hexToBytes(devnet.node.chain.blockAt(0)!.id)]) };
    for (const wanted of [0, 1, 2, 3]) {
      for (const prune of [true, false]) {
        const asked = { requested_info: u8(wanted), pool_info_since: u64(0), start_height: u64(0), prune: bool(prune) };
        const [our, their] = (await bothBinary('get_blocks.bin', object({ ...tip, ...asked }))).map(timeless);
        expect(our, `requested_info ${wanted}`).toBe(their);
        // The pool is told also when there are no such blocks.
        const [none, neither] = (await bothBinary('get_blocks.bin', object({ ...asked, start_height: u64(10_000) }))).map(
          timeless,
        );
        expect(none, `requested_info ${wanted} behind the newest block`).toBe(neither);
      }
    }
    devnet.node.mine(devnet.minerWallet);
    await passOn(devnet.node.chain.height - 1);
    // Within the second in which both began to remember, both tell all there is.
    const since = { requested_info: u8(2), pool_info_since: u64(1), start_height: u64(0), prune: bool(true) };
    const [told, retold] = (await bothBinary('get_blocks.bin', object(since))).map(timeless);
    expect(told).toBe(retold);
    const [height, same] = await bothJson('get_height', '{}');
    expect(height).toEqual(same);
  });
});

/** Without the clock, `daemon_time`, which is the daemon's own. */
function timeless(hex: string): string {
  const at = hex.indexOf(Buffer.from('\x0bdaemon_time\x05', 'latin1').toString('hex'));
  return at < 0 ? hex : hex.slice(0, at + 26) + '00'.repeat(8) + hex.slice(at + 42);
}

function readable(hex: string): unknown {
  return decodePortableStorage(hexToBytes(hex));
}

describe('the wire', () => {
  it.each([
    '{"method":"get_block_count"}',
    '{"id":null,"method":"get_block_count"}',
    '{"id":[1],"method":"get_block_count"}',
    '{"id":{"a":[true]},"method":"get_block_count"}',
    '{"id":1,"method":"get_block_count","params":[1]}',
    '{"id":1,"method":"get_block_count","params":["a"]}',
    '{"id":{"a":{"b":1}},"id":{"a":{"c":2}},"id":null,"id":[],"method":"get_block_count"}',
    '{"method":"get_block_header_by_height","params":{"height":5},"params":{"fill_pow_hash":false}}',
    '{"method":"get_block","params":{"height":1.5}}',
    '{"method":"nothing"}',
    '{"id":[1],"method":"nothing"}',
    '{"id":1}',
    '{"id":1,"method":5}',
    '{"id":1,"method":{}}',
    '{"id":{"":1,"a":{"":"b","c":[1]}},"method":"get_block_count"}',
    '{"id":{"":[],"a":{"":{"b":1}}},"method":"get_block_count"}',
    '{"id":{"":[1]},"method":"get_block_count"}',
    '{"id":1,"jsonrpc":2.0,"method":"get_block_count"}',
    '{"id":1,"jsonrpc":["2.0"],"method":"get_version"}',
    '{"id":1,"jsonrpc":{},"method":"nothing"}',
    '{"id":1,"jsonrpc":[],"method":"get_block_count"}',
    '{"id":"\\v\\b\\f\\n\\r\\t\\/\\\'\\"\\\\\\u0041","method":"nothing"}',
    '{"id":"\\x41","method":"nothing"}',
    '{"id":"\\U0041","method":"nothing"}',
    '{"id":"a\\',
  ])('%s is answered alike', async (body) => {
    const [ours, theirs] = await Promise.all(
      [devnet, monerod].map(async ({ url }) => {
        const answer = await post(`${url}/json_rpc`, body, 'application/json');
        return [answer.status, answer.status === 200 ? parseJsonBytes(answer.body) : undefined];
      }),
    );
    expect(ours).toEqual(theirs);
  });

  it.each([
    ['that names no host', []],
    ['that expects something', ['Host: 127.0.0.1', 'Expect: the-unexpected']],
  ])('a request %s is answered alike', async (_, headers) => {
    const body = '{"id":"0","method":"get_block_count"}';
    const head = ['POST /json_rpc HTTP/1.1', ...headers, `Content-Length: ${body.length}`].join('\r\n');
    const [ours, theirs] = await Promise.all(
      [devnet, monerod].map(async ({ port }) => {
        const line = await RawConnection.open(port);
        await line.send(`${head}\r\n\r\n${body}`);
        const { replies } = await line.replies(1, 60_000);
        line.reset();
        return replies.map((reply) => [reply.status, parseJsonBytes(Buffer.from(reply.body))]);
      }),
    );
    expect(ours).toEqual(theirs);
  });

  it.each(['get_info?x=1', 'get_info/', 'json_rpc?x', 'GET_INFO'])('nothing is served at /%s', async (path) => {
    const statuses = await Promise.all(
      [devnet, monerod].map(async ({ url }) => (await post(`${url}/${path}`, '{}', 'application/json')).status),
    );
    expect(statuses).toEqual([404, 404]);
  });

  it.each([
    'http://127.0.0.1:1',
    'https://node.example',
    'node.example',
    'http://name:word@node.example:5',
    '[::1]:5',
    'x y',
    'auto',
  ])('a bootstrap daemon "%s" is told alike', async (address) => {
    for (const given of [address, '127.0.0.1:99999', '']) {
      const statuses = await Promise.all(
        [devnet, monerod].map(async ({ url }) => {
          const answer = await post(`${url}/set_bootstrap_daemon`, stringifyJson({ address: given }), 'application/json');
          return [
            answer.status,
            (await callRpc<{ bootstrap_daemon_address: string }>(url, 'get_info', {})).bootstrap_daemon_address,
          ];
        }),
      );
      expect(statuses[0], given).toEqual(statuses[1]);
    }
  });
});
