import { fileURLToPath } from 'node:url';
import { asArray, asCount, asObject, type JsonValue, parseJson } from '../src/base/index.ts';
import { median, output, type Row, row } from './rows.ts';
import { REQUESTS } from './rpc-requests.ts';

/**
 * The cost of a read of the service as the wallet grows: from request bytes to reply bytes. The other figure is the goal: the cost at the smallest
 * wallet, scaled by the size of its reply. `after a block` is the first read after a block with new data; `again` the next one. Medians over
 * processes, each warmed up before measuring: the smallest wallet, too, is read by compiled code.
 */

const SIZES = [100, 10_000, 100_000];
const PROCESSES = 3;
const KINDS = [
  ['after a block', 'first'],
  ['again', 'again'],
] as const;

/** One process's measurement of one request: milliseconds, and bytes of the reply. */
interface Cost {
  readonly first: number;
  readonly again: number;
  readonly bytes: number;
}

function costOf(value: JsonValue): Cost {
  const { first, again, bytes } = asObject(value);
  return { first: Number(first), again: Number(again), bytes: asCount(bytes) };
}

/** Costs of all requests at one size, in one process. */
async function costsInProcess(size: number): Promise<Cost[]> {
  const script = fileURLToPath(new URL('rpc-cost-node.ts', import.meta.url));
  const line = await output(process.execPath, ['--import', import.meta.resolve('tsx'), script, String(size)]);
  return asArray(parseJson(line)).map(costOf);
}

/** A row for each method, size and kind of read. */
export async function rpcCostRows(sizes: readonly number[] = SIZES, processes = PROCESSES): Promise<Row[]> {
  const runs: Cost[][][] = sizes.map(() => []);
  for (let i = 0; i < processes; i++) {
    for (const [at, size] of sizes.entries()) runs[at]!.push(await costsInProcess(size));
  }
  const middle = (size: number, request: number, what: keyof Cost): number =>
    median(runs[size]!.map((costs) => costs[request]![what]));
  return REQUESTS.flatMap(({ name }, request) =>
    sizes.flatMap((size, at) => {
      const bytes = middle(at, request, 'bytes');
      const grown = bytes / middle(0, request, 'bytes');
      const goal = `goal: ${sizes[0]} outputs × ${grown.toFixed(1)}, as the reply grows`;
      return KINDS.map(([kind, what]) =>
        row(
          `${name}, ${size} outputs, ${bytes} bytes, ${kind}`,
          'Node',
          middle(at, request, what),
          middle(0, request, what) * grown,
          goal,
          'ms',
        ),
      );
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await rpcCostRows());
