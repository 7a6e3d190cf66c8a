import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { bytesToHex, hexToBytes, type JsonObject, parseJson, parseJsonBytes } from '../../src/base/index.ts';
import { zeroCommit } from '../../src/crypto/index.ts';
import { checkParsing } from '../../src/devnet/consensus.ts';
import { MinerTimer } from '../../src/devnet/miner-timer.ts';
import { parseWholeTransaction } from '../../src/devnet/parsed.ts';
import { answer } from '../../src/devnet/rpc/answer.ts';
import { JSON_RPC_METHODS, PATH_METHODS } from '../../src/devnet/rpc/methods.ts';
import { encodeReply } from '../../src/devnet/rpc/reply.ts';
import { Service } from '../../src/devnet/rpc/service.ts';
import { isOwnHost } from '../../src/http/index.ts';
import { decodePortableStorage, encodePortableStorage, storage } from '../../src/protocol/index.ts';
import { BINARY, codeOf, type TestChain, testChain } from './support.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 400);
/** Milliseconds for one test. */
const PATIENCE = Math.max(60_000, 5 * RUNS);

let chain: TestChain;
const ask = (path: string, body: string | Uint8Array, isOffline = true) => {
  const { node } = chain;
  const service = new Service(node.now);
  service.offline = isOffline;
  return answer({ node, timer: new MinerTimer(node, { seconds: 1 }), service, startedAt: 0 }, path, Buffer.from(body));
};

describe('answers of the daemon', { timeout: PATIENCE }, () => {
  beforeAll(async () => {
    chain = await testChain(85, 'rpc');
    chain.node.submitTransaction(chain.pay().blob);
    chain.mine(1);
    chain.node.submitTransaction(chain.pay().blob);
  });

  it('find no newer release, whether anybody is followed or not', async () => {
    const told = async (command: string, isOffline: boolean) =>
      parseJsonBytes((await ask('/update', JSON.stringify({ command }), isOffline)).body) as JsonObject;
    expect(await told('check', true)).toMatchObject({ status: 'Daemon is running offline', update: false });
    expect(await told('check', false)).toMatchObject({ status: 'Error checking for updates', update: false });
    expect(await told('x', false)).toMatchObject({ status: "unknown command: 'x'", update: false });
  });

  it('T6 hold against any JSON: a reply or a clear refusal, the chain unharmed', async () => {
    const top = chain.node.chain.top.id;
    // Calls that change the chain or the pool by design are left out.
    const changing = /generateblocks|pop_blocks|flush|start_mining|stop_mining|relay|calc_pow/;
    const names = [...JSON_RPC_METHODS.keys()].filter((name) => !changing.test(name));
    const paths = [...PATH_METHODS.keys()].filter((name) => !changing.test(name));
    const field = fc.constantFrom(
      ...['height', 'hash', 'hashes', 'heights', 'amounts', 'outputs', 'txs_hashes', 'key_images', 'tx_as_hex', 'start_height'],
      ...[
        'end_height',
        'wallet_address',
        'reserve_size',
        'prev_block',
        'count',
        'version',
        'grace_blocks',
        'from_height',
        'to_height',
      ],
    );
    const params = fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue({ maxDepth: 2 })));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.constantFrom(...paths), params, async (name, path, value) => {
        const rpc = await ask('/json_rpc', JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: value }));
        expect(rpc.status).toBe(200);
        const reply = parseJsonBytes(rpc.body) as JsonObject;
        expect('result' in reply || 'error' in reply).toBe(true);
        expect([200, 400]).toContain((await ask(`/${path}`, JSON.stringify(value))).status);
      }),
      { numRuns: RUNS },
    );
    expect(chain.node.chain.top.id).toBe(top);
  });

  it('T6 hold against any bytes', async () => {
    const { top } = chain.node.chain;
    const request = encodePortableStorage(
      storage.object({
        block_ids: storage.packed([hexToBytes(top.id), hexToBytes(chain.node.chain.blockAt(0)!.id)]),
        heights: storage.u64s([1n, 86n]),
        txid: storage.bytes(hexToBytes(top.transactions[0]!.id)),
        outputs: storage.objects([storage.object({ amount: storage.u64(0), index: storage.u64(3) })]),
        amounts: storage.u64s([0n]),
        start_height: storage.u64(5),
        prune: storage.bool(true),
        compress: storage.bool(true),
      }),
    );
    const change = fc.array(fc.tuple(fc.nat(request.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...BINARY), change, fc.nat(request.length), async (path, changes, length) => {
        const bytes = request.slice(0, length > request.length / 2 ? request.length : length);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        const reply = await ask(`/${path}`, bytes);
        expect([200, 400]).toContain(reply.status);
        if (reply.status === 200) expect(decodePortableStorage(reply.body).getText('status')).not.toBe('');
      }),
      { numRuns: RUNS },
    );
  });

  it('T15 tell many outputs at once without computing anything for one: commitments of clear amounts are kept', () => {
    for (const index of [0, 3, 80]) {
      const output = chain.node.chain.output(0n, index)!;
      expect(output.amount).toBeGreaterThan(0n);
      expect(bytesToHex(output.commitment ?? new Uint8Array())).toBe(bytesToHex(zeroCommit(output.amount)));
    }
  });

  it('T6 hold against any transaction', async () => {
    const whole = chain.pay().blob;
    const pool = chain.node.pool.visible.map((entry) => entry.id);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = whole.slice();
        bytes[at]! ^= change;
        const reply = await ask(
          '/send_raw_transaction',
          JSON.stringify({ tx_as_hex: bytesToHex(bytes), do_sanity_checks: at % 2 === 0 }),
        );
        // Of a commitment that is no point, monerod says no more than that.
        if (reply.status === 500) expect(codeOf(() => checkParsing(parseWholeTransaction(bytes)))).toBe('bad-commitment');
        else expect((parseJson(Buffer.from(reply.body).toString()) as JsonObject).status).toBe('Failed');
      }),
      { numRuns: 150 },
    );
    expect(chain.node.pool.visible.map((entry) => entry.id)).toEqual(pool);
  });

  it('are the same for old and new spellings', async () => {
    const pairs = [
      ['get_block_count', 'getblockcount'],
      ['get_last_block_header', 'getlastblockheader'],
      ['get_block', 'getblock'],
    ];
    for (const [name, old] of pairs) {
      const replies = await Promise.all([name, old].map((method) => ask('/json_rpc', JSON.stringify({ id: '0', method }))));
      const bodies = replies.map(({ body }) => Buffer.from(body).toString());
      expect(bodies[0]).toBe(bodies[1]);
    }
    for (const [name, old] of [
      ['get_height', 'getheight'],
      ['get_info', 'getinfo'],
    ]) {
      expect((await ask(`/${name}`, '')).body).toEqual((await ask(`/${old}`, '')).body);
    }
  });

  it('T15 cost no more where a request names one thing very often', async () => {
    const rpc = async (method: string, params: object) => {
      const { body } = await ask('/json_rpc', JSON.stringify({ id: '0', method, params }));
      return parseJsonBytes(body) as JsonObject;
    };
    // Chains with one id have one place, under whatever nonce.
    const chains = Array.from({ length: 2_000 }, () => ({ id: 'ab'.repeat(32), hash: 'cd'.repeat(32) }));
    const blocktemplate_blob = bytesToHex(chain.node.chain.top.blob);
    const merged = await rpc('add_aux_pow', { blocktemplate_blob, aux_pow: chains });
    expect(merged.error).toMatchObject({ code: -5, message: 'Failed to find a suitable nonce' });
    const read = vi.spyOn(chain.node.chain, 'records');
    const amounts = new Array<number>(500).fill(0);
    const { result } = await rpc('get_output_distribution', { amounts, binary: false });
    const { distributions } = result as { distributions: unknown[] };
    expect(new Set(distributions.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(distributions).toHaveLength(500);
    const request = storage.object({ amounts: storage.u64s(amounts.map(BigInt)) });
    const { body } = await ask('/get_output_distribution.bin', encodePortableStorage(request));
    expect(decodePortableStorage(body).getObjects('distributions')).toHaveLength(500);
    expect(read.mock.calls).toHaveLength(2);
    read.mockRestore();
    const { top } = chain.node.chain;
    const looked = [vi.spyOn(chain.node.chain, 'blockAt'), vi.spyOn(chain.node.chain, 'transaction')];
    const heights = storage.u64s(new Array<bigint>(500).fill(BigInt(top.height)));
    const blocks = await ask('/get_blocks_by_height.bin', encodePortableStorage(storage.object({ heights })));
    expect(decodePortableStorage(blocks.body).getObjects('blocks')).toHaveLength(500);
    const txs_hashes = new Array<string>(500).fill(top.transactions[0]!.id);
    const { body: told } = await ask('/get_transactions', JSON.stringify({ txs_hashes, decode_as_json: true }));
    expect((parseJsonBytes(told) as { txs: unknown[] }).txs).toHaveLength(500);
    expect(looked.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBeLessThan(10);
    for (const spy of looked) spy.mockRestore();
  });

  it('follow the protocol of JSON-RPC', async () => {
    const error = async (body: string) =>
      ((parseJson(Buffer.from((await ask('/json_rpc', body)).body).toString()) as JsonObject).error as JsonObject).code;
    expect(await error('{bad')).toBe(-32700);
    expect(await error('')).toBe(-32600);
    expect(await error('{"id":"0"}')).toBe(-32600);
    expect(await error('{"id":"0","method":"nope"}')).toBe(-32601);
    expect(await error('{"id":"0","method":"get_block","params":{"height":"x"}}')).toBe(-32602);
    expect((await ask('/nope', '')).status).toBe(404);
    expect((await ask('/get_height', 'bad')).status).toBe(400);
  });

  it('carry raw bytes in JSON strings as the reference writes them', () => {
    const every = Uint8Array.from({ length: 256 }, (_, i) => i);
    const reply = encodeReply({ bytes: every, empty: [], amount: 2n ** 64n - 1n, text: 'a "quoted" ü' });
    const read = parseJsonBytes(reply) as { bytes: string; amount: bigint };
    expect(Uint8Array.from(read.bytes, (letter) => letter.charCodeAt(0))).toEqual(every);
    expect(read.amount).toBe(2n ** 64n - 1n);
    expect(Object.keys(read)).toEqual(['amount', 'bytes', 'text']);
  });
});

describe('T15 the Host header', () => {
  it('is one of the loopback names, with the right port or none', () => {
    for (const host of ['127.0.0.1:80', 'localhost:80', '[::1]:80', '127.0.0.1', 'LOCALHOST'])
      expect(isOwnHost(host, 80)).toBe(true);
    for (const host of [
      undefined,
      '',
      '127.0.0.1:81',
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1@evil',
      '0.0.0.0:80',
    ]) {
      expect(isOwnHost(host, 80)).toBe(false);
    }
  });
});
