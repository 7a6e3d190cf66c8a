import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { asObject, type JsonInput, parseJson, stringifyJson } from '../src/base/index.ts';
import { loadCrypto } from '../src/crypto/index.ts';
import { median, type Row, row } from './rows.ts';
import type { LoadResult } from './rpc-load-client.ts';
import { expectBalance, restore, type Side, startOurs, startTheirs } from './rpc-load-side.ts';
import { type ChainParameters, loadChain, recipientAddress } from './sync/chain.ts';
import { startBenchDaemon } from './sync/launch.ts';

/**
 * Clients with mixed reads at a wallet of 20,000 outputs: our service and monero-wallet-rpc in turn, each in a separate process, with the same keys
 * and the same daemon of prebuilt bytes. First while the wallet syncs, from the call of `refresh` to its reply; then idle.
 */

const OUTPUTS = 20_000;
const SUBADDRESSES = 100;
const A_BLOCK = 25;
const CLIENTS = 50;
const PROCESSES = 3;
/** Milliseconds of load before the measurement, and of the measurement. */
const WARM_UP = 1_500;
const MEASURED = 4_000;
/** Maximum time for an answer during a sync, milliseconds. */
const PATIENCE = 10_000;
const REFRESH_TIMEOUT = 600_000;
const OTHER = 'monero-wallet-rpc';

/** Every transaction is ours. */
const ownChain: ChainParameters = {
  transactions: OUTPUTS,
  transactionsPerBlock: A_BLOCK,
  untaggedShare: 0.25,
  ownedShare: 1,
  subaddresses: SUBADDRESSES,
};

/** The clients' requests, in order; each client starts at a different one. */
function bodies(tip: number): string[] {
  const reads: readonly (readonly [string, JsonInput])[] = [
    ['get_balance', { account_index: 0 }],
    ['get_address', { account_index: 0, address_index: [0] }],
    ['get_height', {}],
    ['get_transfers', { in: true, out: true, filter_by_height: true, min_height: tip - 3 }],
    ['validate_address', { address: recipientAddress() }],
    ['incoming_transfers', { transfer_type: 'available', account_index: 0, subaddr_indices: [7] }],
    ['get_accounts', {}],
    ['query_key', { key_type: 'view_key' }],
    ['get_version', {}],
    ['get_address_index', { address: recipientAddress() }],
  ];
  return reads.map(([method, params]) => stringifyJson({ jsonrpc: '2.0', id: '0', method, params }));
}

/** Running clients: their time begins with `go`, and `stop` ends it early. */
interface Load {
  readonly result: Promise<LoadResult>;
  readonly go: () => void;
  readonly stop: () => void;
}

/** Resolves when the first client has its answer. */
async function startLoad(url: string, tip: number, warmUp: number, measured: number): Promise<Load> {
  const script = fileURLToPath(new URL('rpc-load-client.ts', import.meta.url));
  const config = stringifyJson({ url, clients: CLIENTS, bodies: bodies(tip), warmUp, measured });
  const args = ['--import', import.meta.resolve('tsx'), script, config];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  const result = once(child, 'close').then(([code]): LoadResult => {
    if (code !== 0) throw new Error('the clients were not answered as they should be');
    const result = asObject(parseJson(lines.at(-1) ?? ''));
    const number = (name: keyof LoadResult): number => Number(result[name]);
    return {
      seconds: number('seconds'),
      answered: number('answered'),
      unanswered: number('unanswered'),
      p50: number('p50'),
      p99: number('p99'),
      longest: number('longest'),
    };
  });
  await Promise.race([once(reader, 'line'), result]);
  return { result, go: () => child.stdin.write('go\n'), stop: () => child.stdin.end() };
}

interface Measured {
  readonly syncing: LoadResult;
  readonly idle: LoadResult;
}

/** One process of a side, from its start to its end. */
async function measure(start: () => Promise<Side>, height: number, balance: bigint): Promise<Measured> {
  const side = await start();
  try {
    await restore(side);
    const busy = await startLoad(side.url, height, 0, PATIENCE);
    const refreshed = side.rpc('refresh', { start_height: 0 }, { timeout: REFRESH_TIMEOUT });
    busy.go();
    await Promise.race([refreshed, busy.result]);
    busy.stop();
    const syncing = await busy.result;
    await refreshed;
    await expectBalance(side, balance);
    const calm = await startLoad(side.url, height, WARM_UP, MEASURED);
    calm.go();
    return { syncing, idle: await calm.result };
  } finally {
    await side.stop();
  }
}

/** "12 of 62", over all runs. */
function answeredOf(results: readonly LoadResult[]): string {
  const answered = results.reduce((sum, one) => sum + one.answered, 0);
  return `${answered} of ${results.reduce((sum, one) => sum + one.unanswered, answered)}`;
}

function rowsOf(what: string, ours: readonly LoadResult[], theirs: readonly LoadResult[]): Row[] {
  const line = (name: string, unit: string, of: (result: LoadResult) => number, otherIs = OTHER): Row =>
    row(`${what}: ${name}`, 'Node', median(ours.map(of)), median(theirs.map(of)), otherIs, unit);
  const answered = `${OTHER}; it answered ${answeredOf(theirs)}, ours ${answeredOf(ours)}`;
  return [
    line('requests answered', '/s', (result) => result.answered / result.seconds, answered),
    line('half of them within', 'ms', ({ p50 }) => p50),
    line('99 of 100 within', 'ms', ({ p99 }) => p99),
    line('the longest wait', 'ms', ({ longest }) => longest),
  ];
}

/** Rows for throughput and waits, while the wallet syncs and idle. @throws Error if a wallet found another balance, or a client an error */
export async function rpcLoadRows(processes = PROCESSES): Promise<Row[]> {
  await loadCrypto();
  const { blocks, owned } = await loadChain(ownChain);
  const daemon = await startBenchDaemon(ownChain);
  const sides = { ours: [] as Measured[], theirs: [] as Measured[] };
  try {
    for (let i = 0; i < processes; i++) {
      sides.ours.push(await measure(() => startOurs(daemon.url), blocks.length, owned.unspent));
      sides.theirs.push(await measure(() => startTheirs(daemon.url), blocks.length, owned.unspent));
    }
  } finally {
    await daemon.stop();
  }
  const { ours, theirs } = sides;
  const title = `${CLIENTS} clients, ${OUTPUTS.toLocaleString('en')} outputs`;
  return (['idle', 'syncing'] as const).flatMap((when) =>
    rowsOf(
      `${title}, ${when}`,
      ours.map((one) => one[when]),
      theirs.map((one) => one[when]),
    ),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await rpcLoadRows());
