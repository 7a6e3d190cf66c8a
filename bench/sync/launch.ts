import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { stringifyJson } from '../../src/protocol/index.ts';
import type { ChainParameters } from './chain.ts';

export interface BenchDaemon {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the synthetic chain's daemon as a process of its own and waits for its port. */
export async function startBenchDaemon(parameters: ChainParameters): Promise<BenchDaemon> {
  const args = ['--import', 'tsx', 'bench/sync/daemon.ts', stringifyJson({ ...parameters })];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const first = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => undefined)]);
  if (first === undefined) throw new Error('the bench daemon ended before it was ready');
  return {
    url: `http://127.0.0.1:${first[0]}`,
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
