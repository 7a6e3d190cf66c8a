import { stringifyJson } from '../src/base/index.ts';
import { loadCrypto } from '../src/crypto/index.ts';
import { post } from '../test/support/rpc.ts';
import { median, type Row, row } from './rows.ts';
import { restore, type Side, startOurs, startTheirs } from './rpc-load-side.ts';
import { loadChain } from './sync/chain.ts';
import { startBenchDaemon } from './sync/launch.ts';

/**
 * The whole history of a wallet, requested in the way shops do: our service and monero-wallet-rpc side by side, the same keys and the same daemon,
 * one request after the other, alternately.
 */

const SIZES = [100, 1_000, 10_000];
/** Rounds before the measurement, and of the measurement; few of them for sizes at which the reference is slow. */
const roundsOf = (size: number) => (size > 5_000 ? { warmUp: 1, counted: 3 } : { warmUp: 30, counted: 15 });
const OTHER = 'monero-wallet-rpc 0.18.5.3';
const REFRESH_TIMEOUT = 600_000;
const PARAMS = { in: true, out: true, pending: true, failed: true, pool: true };
const BODY = stringifyJson({ jsonrpc: '2.0', id: '0', method: 'get_transfers', params: PARAMS });

/** Milliseconds from the request to the last byte of its reply. @throws Error if there are fewer entries than expected */
async function timed({ url }: Side, entries: number): Promise<number> {
  const start = performance.now();
  const { body } = await post(`${url}/json_rpc`, BODY, 'application/json');
  const time = performance.now() - start;
  const found =
    Buffer.from(body)
      .toString('latin1')
      .match(/"txid"/g)?.length ?? 0;
  if (found < entries) throw new Error(`${url} told of ${found} transfers, the chain holds ${entries}`);
  return time;
}

async function rowOf(size: number): Promise<Row> {
  const parameters = {
    transactions: size,
    transactionsPerBlock: Math.min(25, size / 10),
    untaggedShare: 0,
    ownedShare: 1,
    subaddresses: 10,
  };
  const { blocks } = await loadChain(parameters);
  const daemon = await startBenchDaemon(parameters);
  const sides = [await startOurs(daemon.url), await startTheirs(daemon.url)] as const;
  const times: [number[], number[]] = [[], []];
  try {
    for (const side of sides) {
      await restore(side);
      await side.rpc('refresh', { start_height: 0 }, { timeout: REFRESH_TIMEOUT });
    }
    const { warmUp, counted } = roundsOf(size);
    for (let round = 0; round < warmUp + counted; round++) {
      for (const [i, side] of sides.entries()) {
        const time = await timed(side, size);
        if (round >= warmUp) times[i]!.push(time);
      }
    }
  } finally {
    for (const side of sides) await side.stop();
    await daemon.stop();
  }
  const name = `get_transfers of ${size} entries (${blocks.length} blocks)`;
  return row(name, 'Node', median(times[0]), median(times[1]), OTHER, 'ms');
}

/** One row per size. */
export async function rpcTransfersRows(sizes = SIZES): Promise<Row[]> {
  await loadCrypto();
  const rows: Row[] = [];
  for (const size of sizes) rows.push(await rowOf(size));
  return rows;
}
