import { startSite } from '../../e2e/support/serve.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { peakInChromium } from '../page/alone.ts';
import { median, type Row, row } from '../rows.ts';
import { type ChainParameters, loadChain } from './chain.ts';
import { mixedChain } from './compare.ts';
import { replyBytes, startBenchDaemon } from './launch.ts';
import { syncInNode } from './ours.ts';

/**
 * The peak of resident memory during a whole sync, minus that of the idle program: in Node of the process, in Chromium of the page's process with
 * its workers. With two sizes of one chain, and with replies as large as a daemon sends: there the amount beyond one reply counts. Medians over
 * processes.
 */

const PROCESSES = 3;
const GOAL_MEGABYTES = 200;
/** The chain of the whole sync. */
const WHOLE = 40_000;
/** Two chains, one twice as long as the other. */
const SIZES = [20_000, 40_000] as const;
/** Blocks per reply for these two: few, so that both take many replies and uncollected garbage is the same. */
const SMALL_REPLY = 50;
/** The daemon's own limits for a reply: 1,000 blocks, 20,000 transactions. */
const FAT = { blocksPerReply: 1000, transactionsPerBlock: 20, replies: 3 };

const fatChain: ChainParameters = {
  transactions: FAT.replies * FAT.blocksPerReply * FAT.transactionsPerBlock,
  transactionsPerBlock: FAT.transactionsPerBlock,
  untaggedShare: 0,
  ownedShare: 0,
  fat: true,
};

interface Peaks {
  readonly node: number;
  readonly chromium: number;
}

async function peaksOf(parameters: ChainParameters, processes: number, blocksPerReply?: number): Promise<Peaks> {
  const daemon = await startBenchDaemon(parameters, blocksPerReply);
  const site = await startSite(['--port', '0', '--daemon', daemon.url]);
  const node: number[] = [];
  const chromium: number[] = [];
  try {
    for (let i = 0; i < processes; i++) {
      node.push((await syncInNode(daemon, 1)).memory);
      chromium.push(await peakInChromium(site.url, daemon));
    }
  } finally {
    await site.stop();
    await daemon.stop();
  }
  return { node: median(node), chromium: median(chromium) };
}

const WHERE = [
  ['Node', 'node'],
  ['Chromium', 'chromium'],
] as const;

/** Rows for memory. */
export async function memoryRows(processes = PROCESSES): Promise<Row[]> {
  await loadCrypto();
  const whole = await peaksOf(mixedChain(WHOLE), processes);
  const small = await peaksOf(mixedChain(SIZES[0]), processes, SMALL_REPLY);
  const large = await peaksOf(mixedChain(SIZES[1]), processes, SMALL_REPLY);
  const reply = replyBytes(await loadChain(fatChain), FAT.blocksPerReply) / 2 ** 20;
  const fat = await peaksOf(fatChain, processes, FAT.blocksPerReply);
  const [few, many] = SIZES.map((size) => size.toLocaleString('en'));
  return WHERE.flatMap(([where, side]) => [
    row(
      `peak memory of a sync of ${WHOLE.toLocaleString('en')} transactions, idle taken off`,
      where,
      whole[side],
      GOAL_MEGABYTES,
      'goal',
      'MB',
    ),
    row(
      `peak memory as the chain grows: ${many} transactions, replies of ${SMALL_REPLY} blocks`,
      where,
      large[side],
      small[side],
      `ours, ${few} transactions`,
      'MB',
    ),
    row(`peak memory beyond one reply of ${reply.toFixed(0)} MB`, where, fat[side] - reply, GOAL_MEGABYTES, 'goal', 'MB'),
  ]);
}
