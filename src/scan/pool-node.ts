import { Worker } from 'node:worker_threads';
import type { ScanPool } from './contract.ts';
import { createScanPool } from './pool.ts';
import { nodePort } from './port.ts';

/** What a thread makes beside its kernel's memory is gone by its next answer: more than this would only lie about. */
const LIMITS = { maxYoungGenerationSizeMb: 1 };

/**
 * A pool over threads of Node. The first starts now and keeps the process running: close the pool.
 * @param width how many slices are scanned side by side, at least 1
 */
export function createNodeScanPool(width: number): ScanPool {
  const body = new URL('./thread.mjs', import.meta.url);
  return createScanPool(() => nodePort(new Worker(body, { execArgv: [], resourceLimits: LIMITS })), width);
}
