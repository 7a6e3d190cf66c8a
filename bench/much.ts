import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { loadCrypto } from '../src/crypto/index.ts';
import { median, type Row, row } from './rows.ts';
import { expectBalance, restore, type Side, startOurs, startTheirs } from './rpc-load-side.ts';
import { type ChainParameters, loadChain } from './sync/chain.ts';
import { startBenchDaemon } from './sync/launch.ts';
import { cpuSeconds, forgetPeak, peakMegabytes, residentMegabytes } from './sync/process.ts';

/**
 * A wallet with many outputs, which received every block's coinbase, restored by our service and by monero-wallet-rpc in turn, from the same
 * daemon. Seconds of `refresh` and its processor time, the resident megabytes that it adds at its peak, and milliseconds of a `get_balance` after
 * it, over a kept-alive connection.
 */

const OUTPUTS = 42_000;
const PROCESSES = 3;
const READS = 200;
const OTHER = 'monero-wallet-rpc 0.18.5.3';
const REFRESH_TIMEOUT = 600_000;

const minedChain = (outputs: number): ChainParameters => ({
  transactions: 0,
  transactionsPerBlock: 0,
  untaggedShare: 0,
  ownedShare: 0,
  mined: outputs,
});

interface Figures {
  readonly seconds: number;
  readonly cpu: number;
  readonly megabytes: number;
  readonly first: number;
  readonly again: number;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Asks for the balance over one connection. With a new one for each request, that would be measured instead. */
function balanceReader(url: string): { read(): Promise<void>; end(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const body = '{"jsonrpc":"2.0","id":"0","method":"get_balance","params":{"account_index":0}}';
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const read = () =>
    new Promise<void>((resolve, reject) => {
      const asked = request(`${url}/json_rpc`, { method: 'POST', agent, headers }, (answer) => {
        answer.on('error', reject).on('end', resolve).resume();
      });
      asked.on('error', reject).end(body);
    });
  return { read, end: () => agent.destroy() };
}

async function measured(start: (daemon: string) => Promise<Side>, daemon: string, unspent: bigint): Promise<Figures> {
  const side = await start(daemon);
  try {
    await restore(side);
    const before = residentMegabytes(side.pid);
    forgetPeak(side.pid);
    const cpuBefore = cpuSeconds(side.pid);
    const refresh = await timed(() => side.rpc('refresh', { start_height: 0 }, { timeout: REFRESH_TIMEOUT }));
    const cpu = cpuSeconds(side.pid) - cpuBefore;
    const megabytes = peakMegabytes(side.pid) - before;
    const reader = balanceReader(side.url);
    const first = await timed(reader.read);
    const again: number[] = [];
    for (let i = 0; i < READS; i++) again.push(await timed(reader.read));
    reader.end();
    await expectBalance(side, unspent);
    return { seconds: refresh / 1000, cpu, megabytes, first, again: median(again) };
  } finally {
    await side.stop();
  }
}

/** Five rows, medians over processes. @throws Error if a wallet found another balance than the chain has for it */
export async function muchRows(outputs = OUTPUTS, processes = PROCESSES): Promise<Row[]> {
  await loadCrypto();
  const { owned } = await loadChain(minedChain(outputs));
  const daemon = await startBenchDaemon(minedChain(outputs));
  const ours: Figures[] = [];
  const theirs: Figures[] = [];
  try {
    for (let i = 0; i < processes; i++) {
      ours.push(await measured(startOurs, daemon.url, owned.unspent));
      theirs.push(await measured(startTheirs, daemon.url, owned.unspent));
    }
  } finally {
    await daemon.stop();
  }
  const middle = (name: string, what: keyof Figures, unit: string): Row =>
    row(name, 'Node', median(ours.map((one) => one[what])), median(theirs.map((one) => one[what])), OTHER, unit);
  const title = `${outputs.toLocaleString('en')} coinbase outputs`;
  return [
    middle(`restore of a wallet of ${title}`, 'seconds', 's'),
    middle(`CPU of that restore`, 'cpu', 's'),
    middle(`peak memory of that restore, what was resident before it taken off`, 'megabytes', 'MB'),
    middle(`get_balance of ${title}, the first`, 'first', 'ms'),
    middle(`get_balance of ${title}, again`, 'again', 'ms'),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await muchRows());
