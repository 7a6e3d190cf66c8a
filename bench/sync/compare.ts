import { startSite } from '../../e2e/support/serve.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { syncInChromium } from '../page/sync.ts';
import { median, type Row, row } from '../rows.ts';
import { type ChainParameters, loadChain } from './chain.ts';
import { downloadSeconds } from './download.ts';
import { type BenchDaemon, startBenchDaemon } from './launch.ts';
import { nativeSync, type SyncRun } from './native.ts';
import { syncInNode } from './ours.ts';

/**
 * A whole sync of one synthetic chain, from one local daemon of prebuilt bytes: ours in Node and in Chromium against the reference wallet's
 * `refresh`. Measured alternately; medians over processes. All must find the same balance.
 */

const TRANSACTIONS = 40_000;
const PROCESSES = 5;
const NATIVE = { 1: 'monero-wallet-rpc refresh, --max-concurrency 1', 2: 'monero-wallet-rpc refresh, its default' } as const;
const SCAN_WORKERS = [1, 2] as const;

/** Mainnet's mix, with a part from before view tags and a share of our own. */
export const mixedChain = (transactions: number): ChainParameters => ({
  transactions,
  transactionsPerBlock: 25,
  untaggedShare: 0.25,
  ownedShare: 0.005,
});

interface Side {
  readonly where: string;
  readonly scanWorkers: 1 | 2;
  readonly run: () => Promise<SyncRun>;
  readonly runs: SyncRun[];
}

function sidesOf(daemon: BenchDaemon, site: string, height: number): Side[] {
  return SCAN_WORKERS.flatMap((scanWorkers) => [
    { where: 'native', scanWorkers, run: () => nativeSync(daemon.url, height, scanWorkers === 1), runs: [] },
    { where: 'Node', scanWorkers, run: () => syncInNode(daemon, scanWorkers), runs: [] },
    { where: 'Chromium', scanWorkers, run: () => syncInChromium(site, daemon, scanWorkers), runs: [] },
  ]);
}

const medianOf = (side: Side, what: 'wall' | 'cpu'): number => median(side.runs.map((run) => run[what]));

function rowsOf(sides: readonly Side[], title: string): Row[] {
  return SCAN_WORKERS.flatMap((scanWorkers) => {
    const [native, ...ours] = sides.filter((side) => side.scanWorkers === scanWorkers) as [Side, ...Side[]];
    const workers = `${scanWorkers} scan worker${scanWorkers > 1 ? 's' : ''}`;
    return ours.flatMap((side) => [
      row(`${title}, ${workers}`, side.where, medianOf(side, 'wall'), medianOf(native, 'wall'), NATIVE[scanWorkers], 's'),
      row(
        `CPU of ${title}, ${workers}`,
        side.where,
        medianOf(side, 'cpu'),
        medianOf(native, 'cpu'),
        `${NATIVE[scanWorkers]}, CPU`,
        's',
      ),
    ]);
  });
}

/** Rows for wall and CPU seconds, and for the download alone. @throws Error if a wallet found another balance */
export async function syncRows(transactions = TRANSACTIONS, processes = PROCESSES): Promise<Row[]> {
  await loadCrypto();
  const chain = await loadChain(mixedChain(transactions));
  const daemon = await startBenchDaemon(mixedChain(transactions));
  const site = await startSite(['--port', '0', '--daemon', daemon.url]);
  try {
    const sides = sidesOf(daemon, site.url, chain.blocks.length);
    const downloads: number[] = [];
    for (let i = 0; i < processes; i++) {
      for (const side of sides) {
        const run = await side.run();
        if (run.total !== chain.owned.unspent)
          throw new Error(`${side.where} found ${run.total}, the chain holds ${chain.owned.unspent}`);
        side.runs.push(run);
      }
      downloads.push(await downloadSeconds(daemon.url));
    }
    const title = `sync of ${transactions.toLocaleString('en')} transactions`;
    return [
      ...rowsOf(sides, title),
      row(`download alone for the ${title}`, 'Node', median(downloads), undefined, 'nothing: the floor under all of them', 's'),
    ];
  } finally {
    await site.stop();
    await daemon.stop();
  }
}
