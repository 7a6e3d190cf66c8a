import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { hexToBytes, type JsonObject, parseJsonBytes } from '../../src/base/index.ts';
import { MinerTimer } from '../../src/devnet/miner-timer.ts';
import { answer } from '../../src/devnet/rpc/answer.ts';
import { parseEpeeJson } from '../../src/devnet/rpc/epee-json.ts';
import { type Call, JSON_RPC_METHODS, PATH_METHODS } from '../../src/devnet/rpc/methods.ts';
import { Service } from '../../src/devnet/rpc/service.ts';
import { decodePortableStorage, encodePortableStorage, storage } from '../../src/protocol/index.ts';
import { fuzzRuns, mutate } from '../protocol/support/fuzz.ts';
import { knownIn } from '../support/daemon-comparison.ts';
import { questionsFor } from '../support/daemon-requests.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { BINARY, type TestChain, testChain } from './support.ts';

/**
 * Every call of a daemon, by its path and by its method, and every `.bin` path: requests in good and bad forms, with bytes changed, cut, repeated
 * and mixed. `FUZZ_RUNS` inputs each; `FUZZ_CALLS`, a pattern, takes some of the calls.
 */
const RUNS = fuzzRuns(60);
const ONLY = new RegExp(process.env.FUZZ_CALLS ?? '.');
const SEED = 20_260_701;
const MEGABYTE = 2 ** 20;
/** Bytes of JavaScript's heap by which a call's inputs may leave the node larger: caches that have their bound. */
const GROWTH = 48 * MEGABYTE;
/** They are made to change the chain, or to begin what goes on. */
const CHANGING = /generateblocks|pop_blocks|start_mining/;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Each call once, by the name that comes first. */
const namesOf = (calls: ReadonlyMap<string, Call>): string[] => [...new Set(calls.values())].map(({ name }) => name);
const rpcNames = namesOf(JSON_RPC_METHODS).filter((name) => !CHANGING.test(name) && ONLY.test(name));
const pathNames = namesOf(PATH_METHODS).filter((name) => !CHANGING.test(name) && ONLY.test(`/${name}`));
const binaryNames = BINARY.filter((name) => ONLY.test(`/${name}`));

let chain: TestChain;
let forms: ReadonlyMap<string, Uint8Array[]>;
let bytes: Uint8Array[];
let ask: (path: string, body: Uint8Array) => ReturnType<typeof answer>;

/** Asks what is made of the corpus, and has each answer looked at. */
async function fuzz(
  path: string,
  corpus: readonly Uint8Array[],
  look: (status: number, body: Uint8Array, input: Uint8Array) => void,
): Promise<void> {
  const sampler = new TestSampler(SEED);
  const before = heap();
  for (let run = 0; run < RUNS; run++) {
    let input = sampler.pick(corpus);
    for (let changes = sampler.below(4); changes > 0; changes--) input = mutate(input, corpus, sampler);
    try {
      const { status, body } = await ask(path, input);
      look(status, body, input);
    } catch (error) {
      throw new Error(`run ${run} broke on ${Buffer.from(input).toString('hex')}`, { cause: error });
    }
  }
  expect(heap() - before, 'bytes that it has grown').toBeLessThan(GROWTH);
}

describe('T6 T15 a daemon that is asked anything', { timeout: Math.max(60_000, 20 * RUNS) }, () => {
  beforeAll(async () => {
    chain = await testChain(85, 'fuzz');
    chain.node.submitTransaction(chain.pay().blob);
    chain.mine(1);
    chain.node.submitTransaction(chain.pay().blob);
    const { node, minerWallet } = chain;
    const service = new Service(node.now);
    const context = { node, timer: new MinerTimer(node, { seconds: 1 }), service, startedAt: 0 };
    ask = (path, body) => answer(context, path, Buffer.from(body));
    const known = knownIn(node.chain, minerWallet.address);
    const questions = questionsFor(known);
    const withEnvelope = (name: string, params = '{}') =>
      `{"jsonrpc":"2.0","id":"0","method":${JSON.stringify(name)},"params":${params}}`;
    forms = new Map(
      [...rpcNames.map((name) => [name, 'rpc'] as const), ...pathNames.map((name) => [name, 'path'] as const)].map(
        ([name, kind]) => {
          const texts = questions.filter((each) => each.name === name && each.kind === kind).map(({ params = '{}' }) => params);
          const some = texts.length === 0 ? ['{}', '[]', '{"level":1}', '{"set":true}'] : texts;
          return [`${kind} ${name}`, some.map((text) => utf8(kind === 'rpc' ? withEnvelope(name, text) : text))];
        },
      ),
    );
    const ids = [node.chain.top.id, node.chain.blockAt(0)!.id].map(hexToBytes);
    bytes = [
      { block_ids: storage.packed(ids), prune: storage.bool(true) },
      { start_height: storage.u64(5), requested_info: storage.u64(1), max_block_count: storage.u64(3) },
      { heights: storage.u64s([1n, 86n]) },
      { txid: storage.bytes(hexToBytes(known.transaction)) },
      {
        outputs: storage.objects([storage.object({ amount: storage.u64(0), index: storage.u64(3) })]),
        get_txid: storage.bool(true),
      },
      { amounts: storage.u64s([0n]), from_height: storage.u64(1), to_height: storage.u64(50), compress: storage.bool(true) },
    ].map((fields) => encodePortableStorage(storage.object(fields)));
  });

  it.each(rpcNames)('by the method %s', async (name) => {
    const { id } = chain.node.chain.top;
    await fuzz('/json_rpc', forms.get(`rpc ${name}`)!, (status, body, input) => {
      const method = parseEpeeJson(Buffer.from(input))?.get('method');
      if (method !== undefined && typeof method !== 'string') {
        // As the reference answers a method that is no text.
        expect([status, body.length]).toEqual([500, 0]);
        return;
      }
      const reply = parseJsonBytes(body) as JsonObject;
      if (status !== 200 || 'result' in reply === 'error' in reply) throw new Error(`answered ${status}`);
    });
    expect(chain.node.chain.top.id).toBe(id);
  });

  it.each(pathNames)('by the path %s', async (name) => {
    const { id } = chain.node.chain.top;
    await fuzz(`/${name}`, forms.get(`path ${name}`)!, (status, body) => {
      if (status === 200) parseJsonBytes(body);
      else if (status !== 400) throw new Error(`answered ${status}`);
    });
    expect(chain.node.chain.top.id).toBe(id);
  });

  it.each(binaryNames)('by the path %s', async (name) => {
    await fuzz(`/${name}`, bytes, (status, body) => {
      if (status === 200) decodePortableStorage(body).getText('status');
      else if (status !== 400) throw new Error(`answered ${status}`);
    });
  });
});
