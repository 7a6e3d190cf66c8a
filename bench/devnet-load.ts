import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { asObject, type JsonInput, parseJson, stringifyJson } from '../src/base/index.ts';
import { neighbourFromUrl } from '../src/cli/devnet/neighbour.ts';
import { Follower, serveDevnet } from '../src/devnet/index.ts';
import { startNightjar } from '../test/support/nightjar.ts';
import { MINER_ADDRESS } from '../test/support/premined.ts';
import { startMonerod } from '../test/support/programs.ts';
import { endRudeClients, RUDE } from '../test/support/rude-clients.ts';
import { type Row, row } from './rows.ts';
import type { LoadResult } from './rpc-load-client.ts';

/**
 * Fifty clients with mixed reads at a mining node, alongside seventy slow or misbehaving ones: the devnet and monerod in turn, each in a separate
 * process, with the same chain. monerod is configured to accept as many connections from one address.
 */

const CLIENTS = 50;
const RUDE_EACH = 10;
const BLOCKS = 120;
const WARM_UP = 1_000;
const MEASURED = 6_000;
const OTHER = 'monerod 0.18.5.3';

const READS: readonly (readonly [string, JsonInput])[] = [
  ['get_info', {}],
  ['get_block_header_by_height', { height: 7 }],
  ['get_block', { height: 101 }],
  ['get_fee_estimate', {}],
  ['get_block_headers_range', { start_height: 1, end_height: 40 }],
  ['get_last_block_header', {}],
  ['get_version', {}],
];

async function measure(url: string): Promise<LoadResult> {
  const script = fileURLToPath(new URL('rpc-load-client.ts', import.meta.url));
  const bodies = READS.map(([method, params]) => stringifyJson({ jsonrpc: '2.0', id: '0', method, params }));
  const config = stringifyJson({ url, clients: CLIENTS, bodies, warmUp: WARM_UP, measured: MEASURED });
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), script, config], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  const ended = once(child, 'close');
  await once(reader, 'line');
  for (const rude of Object.values(RUDE)) for (let i = 0; i < RUDE_EACH; i++) rude(Number(new URL(url).port));
  child.stdin.write('go\n');
  const [code] = await ended;
  endRudeClients();
  if (code !== 0) throw new Error('the clients were not answered as they should be');
  return asObject(parseJson(lines.at(-1) ?? '')) as unknown as LoadResult;
}

/** Rows for throughput and waits. */
export async function devnetLoadRows(): Promise<Row[]> {
  const source = await serveDevnet({ history: { blocks: BLOCKS, transactions: 4 } });
  const bear = ['--rpc-max-connections', '500', '--rpc-max-connections-per-private-ip', '500'];
  const flags = ['devnet', '--port', '0', '--follow', source.url, '--block-time', '2', '--rpc-max-connections', '500'];
  const ours = startNightjar(flags);
  const monerod = await startMonerod({ extraArgs: bear });
  try {
    const [, url] = await ours.line(/(http:\/\/127\.0\.0\.1:\d+)$/);
    await new Follower(source.node, neighbourFromUrl(monerod.url)).round();
    const own = await measure(url!);
    await monerod.path('start_mining', { miner_address: MINER_ADDRESS, threads_count: 1 });
    const theirs = await measure(monerod.url);
    const line = (name: string, unit: string, of: (result: LoadResult) => number): Row =>
      row(`${CLIENTS} clients of a node among rude ones: ${name}`, 'Node', of(own), of(theirs), OTHER, unit);
    return [
      line('requests answered', '/s', ({ answered, seconds }) => answered / seconds),
      line('half of them within', 'ms', ({ p50 }) => p50),
      line('99 of 100 within', 'ms', ({ p99 }) => p99),
      line('the longest wait', 'ms', ({ longest }) => longest),
    ];
  } finally {
    await Promise.all([ours.kill(), monerod.stop(), source.stop()]);
  }
}
