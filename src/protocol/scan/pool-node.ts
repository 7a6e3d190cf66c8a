import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ScanPool } from './contract.ts';
import { createScanPool } from './pool.ts';
import { nodePort } from './port.ts';

/**
 * A pool over threads of Node.
 * @param width how many scans run side by side, at least 1
 */
export function createNodeScanPool(width: number): ScanPool {
  const body = new URL('./worker-node.ts', import.meta.url);
  // A thread inherits no loader from a host that transforms TypeScript by itself.
  const loader = createRequire(import.meta.url).resolve('tsx');
  return createScanPool(() => nodePort(new Worker(body, { execArgv: ['--import', loader] })), width);
}
