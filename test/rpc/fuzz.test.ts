import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asObject, bytesToHex, parseJson, stringifyJson } from '../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { answerJsonRpc } from '../../src/rpc/json-edge.ts';
import { METHODS } from '../../src/rpc/method-table.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { newWallet, wordsOf } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { jsonText } from '../support/json-text.ts';
import { oneWalletHost } from '../support/rpc-host.ts';

// Whatever bytes come in, a well-formed answer goes out, and no secret in it.
const RUNS = Number(process.env.FUZZ_RUNS ?? 1500);
/** Milliseconds for one test: a call takes half of one. */
const PATIENCE = Math.max(60_000, 5 * RUNS);
/** These are asked for secrets, make them, or do work of seconds. */
const LEFT_OUT = new Set(['query_key', 'get_tx_key', 'restore_deterministic_wallet', 'export_key_images', 'stop_wallet']);

let wallet: Wallet;
let service: RpcService;
let secrets: readonly string[];

beforeAll(async () => {
  await loadCrypto();
  const env = environment({
    store: new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } }),
    scanPool: createInlineScanPool,
  });
  const made = await newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 });
  const { spendKey, viewKey } = made.secrets;
  secrets = [bytesToHex(spendKey!), bytesToHex(viewKey), await wordsOf(made.secrets)];
  wallet = await Wallet.create(env, 'one', 'pw', made);
  service = new RpcService(oneWalletHost(wallet), { checkResults: true });
});

afterAll(() => wallet?.close());

const names = METHODS.flatMap(({ name, aliases = [] }) => [name, ...aliases]).filter((name) => !LEFT_OUT.has(name));
/** Field names that some method reads, so that a guess now and then is one. */
const fields = [...new Set(METHODS.flatMap(({ params }) => Object.keys(entriesOf(params))))];

function entriesOf(schema: unknown): object {
  const { entries, pipe } = schema as { entries?: object; pipe?: readonly { entries?: object }[] };
  return entries ?? pipe?.find((part) => part.entries !== undefined)?.entries ?? {};
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '0', 'all', 'zz', '../x', '__proto__', 'constructor', '1'.repeat(64), 'ab'.repeat(32), 'SigV2', '\u0000'),
  fc.stringMatching(/^[0-9a-f]{0,130}$/),
);
const integer = fc.oneof(
  fc.nat(20),
  fc.constantFrom(-1, 2 ** 31, 2 ** 32, 2 ** 53),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
);
const scalar = fc.oneof(text, integer, fc.boolean(), fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true }));
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('any'), { maxLength: 5 }), tie('object')),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...fields), text), tie('any'), { maxKeys: 6, noNullPrototype: true }),
}));

const call = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant('2.0'), scalar),
    id: fc.oneof(fc.nat(), value.any),
    method: fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: scalar }),
    params: fc.oneof({ weight: 8, arbitrary: value.object }, { weight: 1, arbitrary: value.any }),
  },
  { requiredKeys: ['method'], noNullPrototype: true },
);

async function answered(bytes: Uint8Array): Promise<void> {
  const reply = jsonText(await answerJsonRpc(service, bytes));
  const { jsonrpc, result, error } = asObject(parseJson(reply, { maxDepth: 110 }));
  expect(jsonrpc).toBe('2.0');
  expect((result === undefined) !== (error === undefined)).toBe(true);
  // What a slip in the code would say, or a result that is not of its schema.
  expect(reply).not.toMatch(/Invalid (type|key|value)|Cannot read|is not a function|is not iterable|undefined \(/);
  for (const secret of secrets) expect(reply.includes(secret)).toBe(false);
}

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(stringifyJson(value as never));

describe('fuzz of the JSON edge', { timeout: PATIENCE }, () => {
  it('calls of every method with anything for parameters', async () => {
    await fc.assert(
      fc.asyncProperty(call, (one) => answered(bytesOf(one))),
      { numRuns: RUNS },
    );
  });

  it('calls with bytes changed, removed or inserted', async () => {
    const cut = fc.record({ at: fc.nat(), length: fc.nat(4), insert: fc.uint8Array({ maxLength: 4 }) });
    await fc.assert(
      fc.asyncProperty(call, fc.array(cut, { minLength: 1, maxLength: 3 }), async (one, cuts) => {
        let bytes = [...bytesOf(one)];
        for (const { at, length, insert } of cuts) {
          const place = at % (bytes.length + 1);
          bytes = [...bytes.slice(0, place), ...insert, ...bytes.slice(place + length)];
        }
        await answered(Uint8Array.from(bytes));
      }),
      { numRuns: RUNS },
    );
  });

  it('bytes of any kind', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), answered), { numRuns: RUNS });
  });

  it('nesting and repetition without measure', async () => {
    for (const body of ['['.repeat(100_000), '{"a":'.repeat(100_000), `{"method":"${'x'.repeat(1_000_000)}"}`]) {
      await answered(new TextEncoder().encode(body));
    }
  });
});
