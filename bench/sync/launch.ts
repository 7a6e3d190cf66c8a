import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { stringifyJson } from '../../src/base/index.ts';
import type { ChainParameters, SyntheticChain } from './chain.ts';
import { type GateClient, gateAt } from './gate-client.ts';

export interface BenchDaemon extends GateClient {
  readonly url: string;
  stop(): Promise<void>;
}

const BLOCKS_A_REPLY = 500;

/** Starts the synthetic chain's daemon as a separate process and waits for its port. The chain is built first if missing. */
export async function startBenchDaemon(parameters: ChainParameters, blocksPerReply = BLOCKS_A_REPLY): Promise<BenchDaemon> {
  const args = ['--import', 'tsx', 'bench/sync/daemon.ts', stringifyJson({ ...parameters }), String(blocksPerReply)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const first = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => undefined)]);
  if (first === undefined) throw new Error('the bench daemon ended before it was ready');
  const url = `http://127.0.0.1:${first[0]}`;
  return {
    url,
    ...gateAt(url),
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

/** Bytes of the first reply of a daemon that serves this many blocks at once: its blocks and output indices, as the wallet requests them. */
export function replyBytes(chain: SyntheticChain, blocksPerReply: number): number {
  const blocks = chain.blocks.slice(0, blocksPerReply);
  return blocks.reduce((sum, { pruned, outputIndices }) => sum + pruned.length + outputIndices.length, 0);
}
