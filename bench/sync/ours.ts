import { fileURLToPath } from 'node:url';
import { bytesToHex } from '../../src/base/index.ts';
import { output } from '../rows.ts';
import { recipient } from './chain.ts';
import type { BenchDaemon } from './launch.ts';
import type { SyncRun } from './native.ts';

/** One sync of ours, with its peak of resident megabytes over the idle program. */
export interface OurRun extends SyncRun {
  readonly memory: number;
}

/** One whole sync in a separate process. */
export async function syncInNode(daemon: BenchDaemon, scanWorkers: number): Promise<OurRun> {
  const { spendKey, viewKey } = recipient();
  const script = fileURLToPath(new URL('ours-node.ts', import.meta.url));
  const flags = ['--expose-gc', '--import', import.meta.resolve('tsx')];
  const keys = [bytesToHex(spendKey), bytesToHex(viewKey)];
  const line = await output(process.execPath, [...flags, script, daemon.url, String(scanWorkers), ...keys]);
  const [wall, cpu, memory, total] = line.trim().split(' ') as [string, string, string, string];
  return { wall: Number(wall), cpu: Number(cpu), memory: Number(memory), total: BigInt(total) };
}
