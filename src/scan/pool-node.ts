import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { ScanError } from './errors.ts';
import { createScanPool } from './pool.ts';
import { nodePort } from './port.ts';
import type { ScanPool } from './types.ts';

/** A thread's objects are garbage by its next answer: with more room for young ones it would only hold more garbage. */
const LIMITS = { maxYoungGenerationSizeMb: 1 };

/**
 * A pool over threads of Node. The first starts now and keeps the process running: close the pool.
 * @param width how many slices are scanned side by side, at least 1
 * @throws ScanError `no-thread` where a bundler has taken this package into a program's own file
 */
export function createNodeScanPool(width: number): ScanPool {
  const body = new URL('./thread.mjs', import.meta.url);
  if (!existsSync(body)) throw new ScanError('no-thread');
  return createScanPool(() => nodePort(new Worker(body, { execArgv: [], resourceLimits: LIMITS })), width);
}
