import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bytesToHex,
  hexToBytes,
  type JsonValue,
  parseJson,
  parseJsonBytes,
  stringifyJson,
  U64_MAX,
} from '../../src/base/index.ts';
import { randomScalar, scalarMulBase } from '../../src/crypto/index.ts';
import { sampler } from '../../src/devnet/faucet.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { type ParsedTransaction, parseWholeTransaction } from '../../src/devnet/parsed.ts';
import { buildPayment, type PaymentInput } from '../../src/devnet/payment.ts';
import {
  decodePortableStorage,
  digitsOfAmount,
  encodePortableStorage,
  type KeyInput,
  type StorageObject,
  serializeTransaction,
  storage,
  type TransactionV1,
  type TransactionV2,
} from '../../src/protocol/index.ts';
import { COIN, FEE, flipped, rewritten, seededRandom } from '../devnet/support.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { callPath, callRpc, post } from '../support/rpc.ts';

/**
 * One chain on both: what the devnet mines, monerod accepts; what one refuses, the other refuses for the same reason; and
 * both say the same about it.
 */
const BLOCKS = 100;

let devnet: ServedDevnet;
let monerod: Monerod;
const random = seededRandom('devnet and monerod');

beforeAll(async () => {
  [devnet, monerod] = await Promise.all([
    serveDevnet({ history: { blocks: BLOCKS, transactions: 6 } }),
    // It would ban who asks for blocks of another chain more than three times.
    startMonerod({ extraArgs: ['--disable-rpc-ban'] }),
  ]);
  for (let height = 1; height < devnet.node.chain.height; height++) await passOn(height);
});

afterAll(async () => {
  await Promise.all([devnet?.stop(), monerod?.stop()]);
});

async function passOn(height: number): Promise<void> {
  const block = devnet.node.chain.blockAt(height)!;
  for (const tx of block.transactions) await monerod.path('send_raw_transaction', { tx_as_hex: bytesToHex(tx.blob) });
  await monerod.rpc('submit_block', [bytesToHex(block.blob)]);
}

/** What depends on the machine, the moment or the program, and not on the chain. */
const OWN = new Set([
  'database_size',
  'free_space',
  'start_time',
  'version',
  // The devnet has a test hash of its own, and says so.
  'pow_algorithm',
  'rpc_connections_count',
  'receive_time',
  'last_relayed_time',
  'received_timestamp',
  'relayed',
  'oldest',
]);

/** The same, whatever way it is written: texts of JSON are read, own fields left out. */
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

async function bothJson(path: string, body: string): Promise<[unknown, unknown]> {
  const [ours, theirs] = await Promise.all(
    [devnet.url, monerod.url].map(async (url) =>
      plain(parseJsonBytes((await post(`${url}/${path}`, body, 'application/json')).body)),
    ),
  );
  return [ours, theirs];
}

async function bothRpc(method: string, params: string): Promise<[unknown, unknown]> {
  return bothJson('json_rpc', `{"jsonrpc":"2.0","id":"0","method":"${method}","params":${params}}`);
}

async function bothBinary(path: string, request: StorageObject): Promise<[string, string]> {
  const body = encodePortableStorage(request);
  const [ours, theirs] = await Promise.all(
    [devnet.url, monerod.url].map(async (url) =>
      bytesToHex((await post(`${url}/${path}`, body, 'application/octet-stream')).body),
    ),
  );
  return [ours!, theirs!];
}

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

/** Hosts of Tor and I2P, with good and bad names and ports. */
const HIDDEN = [
  ...['a'.repeat(16), 'B2'.repeat(28), 'a'.repeat(17), '1'.repeat(16)].map((name) => `${name}.onion`),
  ...['80', '', '70000', 'x'].map((port) => `${'c'.repeat(56)}.onion:${port}`),
  ...['d'.repeat(52), 'd'.repeat(51)].flatMap((name) => [`${name}.b32.i2p`, `${name}.b32.i2p:99999`, `${name}.i2p`]),
];

describe('the same refusals', () => {
  const input = (): PaymentInput =>
    devnet.minerWallet.input(devnet.minerWallet.pick(2n * COIN)!, (below) => sampler(random, below))!;
  const pay = (change: { inputs?: readonly PaymentInput[]; fee?: bigint } = {}): ParsedTransaction => {
    const { inputs = [input()], fee = FEE } = change;
    const { spendKey, viewKey } = devnet.minerWallet;
    const destination = { kind: 'standard', spendKey, viewKey, paymentId: undefined } as const;
    return parseWholeTransaction(buildPayment({ inputs, destination, amount: COIN, fee, change: devnet.minerWallet, random }));
  };
  const shorter = (from: PaymentInput): PaymentInput => {
    const real = from.ring[from.place]!;
    const ring = from.ring.filter((member, i) => member === real || i !== (from.place === 0 ? 1 : 0));
    return { ...from, ring, place: ring.indexOf(real) };
  };
  const prunable = (tx: TransactionV2) => tx.prunable!;

  const cases: readonly [string, () => ParsedTransaction][] = [
    ['a fee that is too low', () => pay({ fee: 1_000_000_000n })],
    ['fifteen ring members', () => pay({ inputs: [shorter(input())] })],
    ['a changed fee', () => rewritten(pay(), (tx) => ({ ...tx, rct: { ...tx.rct, fee: tx.rct.fee + 1n } }))],
    [
      'a clear amount',
      () => rewritten(pay(), (tx) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, amount: 5n })) })),
    ],
    [
      'a bent range proof',
      () =>
        rewritten(pay(), (tx) => {
          const [proof] = prunable(tx).bulletproofsPlus;
          return { ...tx, prunable: { ...prunable(tx), bulletproofsPlus: [{ ...proof!, s1: flipped(proof!.s1) }] } };
        }),
    ],
    [
      'a bent signature',
      () =>
        rewritten(pay(), (tx) => {
          const [clsag] = prunable(tx).clsags;
          return { ...tx, prunable: { ...prunable(tx), clsags: [{ ...clsag!, c1: flipped(clsag!.c1) }] } };
        }),
    ],
    [
      'a ring member that does not exist',
      () =>
        rewritten(pay(), (tx) => {
          const [first] = tx.inputs;
          if (first?.type !== 'key') return tx;
          return { ...tx, inputs: [{ ...first, keyOffsets: [...first.keyOffsets.slice(0, -1), 1_000_000n] }] };
        }),
    ],
    [
      'ring members that are locked',
      () =>
        rewritten(pay(), (tx) => {
          const [first] = tx.inputs;
          if (first?.type !== 'key') return tx;
          return { ...tx, inputs: [{ ...first, keyOffsets: [75n, ...first.keyOffsets.slice(1).map(() => 1n)] }] };
        }),
    ],
    [
      'untagged outputs',
      () => rewritten(pay(), (tx) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, viewTag: undefined })) })),
    ],
    [
      'an output key that is no point',
      () =>
        rewritten(pay(), (tx) => ({
          ...tx,
          outputs: tx.outputs.map((output) => ({ ...output, key: new Uint8Array(32).fill(2) })),
        })),
    ],
    ['a large extra field', () => rewritten(pay({ fee: COIN }), (tx) => ({ ...tx, extra: new Uint8Array(149_000) }))],
    ['what is spent on the chain', () => devnet.node.chain.blockAt(devnet.node.chain.height - 3)!.transactions.map(respent)[0]!],
  ];

  /** The one output in the clear that both chains have: the genesis block's. Nobody knows its key. */
  const GENESIS = 17_592_186_044_415n;
  const anyPoint = () => scalarMulBase(randomScalar(random));
  const spending = (amount: bigint, ...keyOffsets: bigint[]): KeyInput => ({
    type: 'key',
    amount,
    keyOffsets,
    keyImage: anyPoint(),
  });
  /** A transaction of version 1 with everything right but the signature, unless changed. */
  const clear = (change: Partial<TransactionV1> = {}): ParsedTransaction => {
    const inputs = (change.inputs ?? [spending(GENESIS, 0n)]) as readonly KeyInput[];
    const sorted = inputs.toSorted((a, b) => Buffer.compare(b.keyImage, a.keyImage));
    const tx: TransactionV1 = {
      version: 1,
      unlockTime: 0n,
      outputs: digitsOfAmount(GENESIS - COIN).map((amount) => ({ amount, key: anyPoint(), viewTag: 7 })),
      extra: Uint8Array.of(1, ...anyPoint()),
      signatures: sorted.map(({ keyOffsets }) => keyOffsets.map(() => new Uint8Array(64))),
      ...change,
      inputs: sorted,
    };
    return parseWholeTransaction(serializeTransaction(tx));
  };
  const paying = (...amounts: bigint[]) => ({ outputs: amounts.map((amount) => ({ amount, key: anyPoint(), viewTag: 7 })) });
  const ofVersion1: readonly [string, () => ParsedTransaction][] = [
    ['version 1 whose signature does not hold', () => clear()],
    ['version 1 with an output of several digits', () => clear(paying(GENESIS - COIN))],
    ['version 1 with an output of nothing', () => clear(paying(10n * COIN, 0n))],
    ['version 1 that makes money', () => clear(paying(20n * COIN))],
    ['version 1 without a fee', () => clear(paying(...digitsOfAmount(GENESIS)))],
    ['version 1 with amounts past 2^64', () => clear(paying(10n ** 19n, 10n ** 19n))],
    ['version 1 without view tags', () => clear({ outputs: [{ amount: COIN, key: anyPoint(), viewTag: undefined }] })],
    ['version 1 with a fee too low', () => clear(paying(...digitsOfAmount(GENESIS - 1n)))],
    ['version 1 with an output that is not there', () => clear({ inputs: [spending(GENESIS, 1n)] })],
    ['version 1 with rings of two sizes', () => clear({ inputs: [spending(GENESIS, 0n), spending(0n, 5n, 1n)] })],
    [
      'version 1 with two inputs that can be mixed',
      () => clear({ inputs: [spending(GENESIS, 0n), spending(0n, 5n), spending(0n, 6n)] }),
    ],
  ];

  /** Another transaction with the key image of one that is on the chain. */
  function respent(mined: ParsedTransaction): ParsedTransaction {
    const [first] = mined.tx.inputs;
    return rewritten(pay(), (tx) => (first === undefined ? tx : { ...tx, inputs: [first] }));
  }

  it.each([...cases, ...ofVersion1])('of %s', async (_, make) => {
    const { blob } = make();
    const [ours, theirs] = await bothJson('send_raw_transaction', `{"tx_as_hex":"${bytesToHex(blob)}"}`);
    expect(theirs).toMatchObject({ status: 'Failed' });
    expect(silent(ours)).toEqual(theirs);
  });

  /** The reference raises flags and gives no reason for a refusal; the devnet gives one. */
  function silent(answer: unknown): unknown {
    const { status } = answer as { status: string };
    return status === 'Failed' ? { ...(answer as object), reason: '' } : answer;
  }

  it('of a second spend of what waits in the pool', async () => {
    const shared = input();
    const [first, second] = [pay({ inputs: [shared] }), pay({ inputs: [shared] })];
    const send = (parsed: ParsedTransaction) => bothJson('send_raw_transaction', `{"tx_as_hex":"${bytesToHex(parsed.blob)}"}`);
    for (const parsed of [first, second, first]) {
      const [ours, theirs] = await send(parsed);
      expect(silent(ours)).toEqual(theirs);
    }
    const image = first.tx.inputs[0];
    const key = image?.type === 'key' ? bytesToHex(image.keyImage) : '';
    const [ours, theirs]: JsonValue[] = (await bothJson('is_key_image_spent', `{"key_images":["${key}"]}`)) as JsonValue[];
    expect(ours).toEqual(theirs);
  });

  it('a host is banned whatever port is named with it, and bans are listed in one order', async () => {
    for (const ban of [true, false]) {
      const hosts = ['1.2.3.4:80', '1.2.3.5', '1.2.3.6:0', '1.2.3.7:', '1.2.3.8:70000', '1.2.3.9:x', '[::7]:80', '[::8]', '::9'];
      const networks = ['200.0.0.0/8', '9.2.0.0/16', '9.1.0.0/16', '11.0.0.0/16', '11.0.0.0/8', '8.3.1.0/24', '12.0.0.0/8:80'];
      for (const host of [...hosts, ...networks, ...HIDDEN]) {
        const [ours, theirs] = await bothRpc('set_bans', JSON.stringify({ bans: [{ host, ban, seconds: 10_000 }] }));
        expect(ours, host).toEqual(theirs);
      }
      // Whole hours: a second may pass between the two answers.
      const roughly = (answer: unknown) =>
        stringifyJson(answer as JsonValue).replace(/"seconds": ?(\d+)/g, (_, left) => `"hours":${Math.ceil(left / 3600)}`);
      const expectAlike = async (method: string, params: string) => {
        const [ours, theirs] = await bothRpc(method, params);
        expect(roughly(ours), params).toEqual(roughly(theirs));
      };
      for (const address of ['1.2.3.4', '1.2.3.4:90', '1.2.3.8', '::7', '[::8]:1', '9.1.3.3:5', '12.0.0.1', ...HIDDEN])
        await expectAlike('banned', JSON.stringify({ address }));
      await expectAlike('get_bans', '{}');
    }
  });

  it('what waits without being relayed is told to wallets, and is in the next block', async () => {
    await bothRpc('flush_txpool', '{}');
    const { id, blob } = pay();
    await bothJson('send_raw_transaction', `{"tx_as_hex":"${bytesToHex(blob)}","do_not_relay":true}`);
    const asked = object({ requested_info: u8(2), pool_info_since: u64(0), start_height: u64(0), prune: bool(true) });
    for (const reply of await bothBinary('get_blocks.bin', asked)) {
      const [added] = decodePortableStorage(hexToBytes(reply)).getObjects('added_pool_txs');
      expect(bytesToHex(added!.getFixedBytes('tx_hash', 32))).toBe(id);
    }
    const template = { wallet_address: devnet.minerWallet.address, reserve_size: 0 };
    for (const { url } of [devnet, monerod]) {
      const { blocktemplate_blob } = await callRpc<{ blocktemplate_blob: string }>(url, 'get_block_template', template);
      expect(blocktemplate_blob).toContain(id);
    }
    await bothRpc('flush_txpool', '{}');
  });

  it('what waits without being relayed stays so, whoever sends it again, until relay_tx', async () => {
    const { id, blob } = pay();
    const send = (kept: boolean) =>
      bothJson('send_raw_transaction', `{"tx_as_hex":"${bytesToHex(blob)}","do_not_relay":${kept}}`);
    const expectAlike = ([ours, theirs]: readonly [unknown, unknown]) => expect(ours).toEqual(theirs);
    const looked = async () => {
      for (const path of ['get_transaction_pool', 'get_transaction_pool_stats']) expectAlike(await bothJson(path, '{}'));
      for (const method of ['get_txpool_backlog', 'get_miner_data']) expectAlike(await bothRpc(method, '{}'));
      const entries = await Promise.all(
        [devnet.url, monerod.url].map((url) => callPath<{ transactions: Entry[] }>(url, 'get_transaction_pool', {})),
      );
      const [our, their] = entries.map(({ transactions }) => transactions.find(({ id_hash }) => id_hash === id)!);
      return [our!.last_relayed_time, their!.last_relayed_time];
    };
    type Entry = { id_hash: string; last_relayed_time: bigint | number };
    await bothRpc('flush_txpool', '{}');
    for (const kept of [true, false]) {
      expectAlike(await send(kept));
      expect(await looked()).toEqual([U64_MAX, U64_MAX]);
    }
    expectAlike(await bothRpc('relay_tx', `{"txids":["${id}"]}`));
    expect(devnet.node.pool.visible.map((entry) => entry.id)).toEqual([id]);
  });
});

describe('the wire', () => {
  it.each([
    '{"method":"get_block_count"}',
    '{"id":null,"method":"get_block_count"}',
    '{"id":[1],"method":"get_block_count"}',
    '{"id":{"a":[true]},"method":"get_block_count"}',
    '{"method":"get_block","params":{"height":1.5}}',
    '{"method":"nothing"}',
    '{"id":[1],"method":"nothing"}',
    '{"id":1}',
    '{"id":1,"method":5}',
    '{"id":1,"method":{}}',
  ])('%s is answered alike', async (body) => {
    const [ours, theirs] = await Promise.all(
      [devnet, monerod].map(async ({ url }) => {
        const answer = await post(`${url}/json_rpc`, body, 'application/json');
        return [answer.status, answer.status === 200 ? parseJsonBytes(answer.body) : undefined];
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

describe('the other way round', () => {
  const blob = async (hash: string) => hexToBytes((await monerod.rpc<{ blob: string }>('get_block', { hash })).blob);

  it('takes what monerod mines, with the transactions of its pool', async () => {
    const waiting = devnet.node.pool.visible.map((entry) => entry.id);
    expect(waiting).not.toEqual([]);
    for (const hash of await monerod.generateBlocks(3, devnet.minerWallet.address)) devnet.node.submitBlock(await blob(hash));
    for (const id of waiting) expect(devnet.node.chain.transaction(id)).toBeDefined();
    const [ours, theirs] = await bothRpc('get_last_block_header', '{}');
    expect(ours).toEqual(theirs);
  });

  it('changes over to a longer branch of monerod when monerod does', async () => {
    const parent = devnet.node.chain.blockAt(devnet.node.chain.height - 3)!;
    const old = devnet.node.chain.top.id;
    const { blocks } = await monerod.rpc<{ blocks: string[] }>('generateblocks', {
      amount_of_blocks: 3,
      wallet_address: devnet.minerWallet.address,
      prev_block: parent.id,
    });
    for (const [i, hash] of blocks.entries()) {
      devnet.node.submitBlock(await blob(hash));
      expect(devnet.node.chain.top.id).toBe(i < 2 ? old : hash);
    }
    for (const call of ['get_last_block_header', 'get_alternate_chains']) {
      const [ours, theirs] = await bothRpc(call, '{}');
      expect(ours).toEqual(theirs);
    }
    const [ours, theirs] = await bothJson('get_alt_blocks_hashes', '{}');
    const sorted = (value: unknown) => [...(value as { blks_hashes: string[] }).blks_hashes].sort();
    expect(sorted(ours)).toEqual(sorted(theirs));
  });

  it('takes blocks off alike', async () => {
    const [ours, theirs] = await bothJson('pop_blocks', '{"nblocks":2}');
    expect(ours).toEqual(theirs);
    const [height, same] = await bothJson('get_height', '{}');
    expect(height).toEqual(same);
  });
});
