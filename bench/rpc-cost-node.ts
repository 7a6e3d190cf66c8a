import { stringifyJson } from '../src/base/index.ts';
import { loadCrypto } from '../src/crypto/index.ts';
import { answerJsonRpc } from '../src/rpc/json-edge.ts';
import { median } from './rows.ts';
import { REQUESTS } from './rpc-requests.ts';
import { serviceOf } from './rpc-wallet.ts';

/**
 * The cost of reads at a wallet of some size, in a separate process: `rpc-cost-node.ts <outputs>`. Prints one line of JSON with an entry per
 * request. A small wallet is read first until everything is compiled, so that every size is measured equally warm.
 */

const WARM_UP = 300;
const ROUNDS = 7;

type Service = Awaited<ReturnType<typeof serviceOf>>;

/** Milliseconds of the first read after a block and of the next one, and bytes of the reply. */
interface Cost {
  readonly first: number;
  readonly again: number;
  readonly bytes: number;
}

async function read({ service, tip }: Service, method: string, params: string): Promise<{ time: number; bytes: number }> {
  const text = `{"jsonrpc":"2.0","id":"0","method":"${method}","params":${params.replace('TIP', String(tip()))}}`;
  const request = new TextEncoder().encode(text);
  const start = performance.now();
  const reply = await answerJsonRpc(service, request);
  let bytes = 0;
  for (const piece of reply instanceof Uint8Array ? [reply] : reply) bytes += piece.length;
  return { time: performance.now() - start, bytes };
}

async function roundsOf(wallet: Service, rounds: number): Promise<Cost[]> {
  const found: Cost[] = [];
  for (const { method, params } of REQUESTS) {
    const costs: Cost[] = [];
    for (let round = 0; round < rounds; round++) {
      await wallet.block();
      const { time: first, bytes } = await read(wallet, method, params);
      costs.push({ first, again: (await read(wallet, method, params)).time, bytes });
    }
    const middle = (what: keyof Cost): number => median(costs.map((cost) => cost[what]));
    found.push({ first: middle('first'), again: middle('again'), bytes: middle('bytes') });
  }
  return found;
}

await loadCrypto();
const size = Number(process.argv[2]);
const small = await serviceOf(0);
await roundsOf(small, WARM_UP);
await small.wallet.close();
const wallet = await serviceOf(size);
await roundsOf(wallet, 1);
console.log(stringifyJson((await roundsOf(wallet, ROUNDS)).map((cost) => ({ ...cost }))));
await wallet.wallet.close();
