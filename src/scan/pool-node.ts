import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { ScanError } from './errors.ts';
import { createScanPool } from './pool.ts';
import { nodePort } from './port.ts';
import type { ScanPool } from './types.ts';

/** A thread's objects are garbage by its next answer: a larger young generation would only hold more garbage. */
const LIMITS = { maxYoungGenerationSizeMb: 1 };

/**
 * A pool of Node threads. The first starts at once and keeps the process running until the pool is closed.
 * @param width number of slices scanned in parallel, at least 1
 * @throws ScanError `no-thread` where a bundler has included this package in a program's own file
 */
export function createNodeScanPool(width: number): ScanPool {
  const body = new URL('./thread.mjs', import.meta.url);
  if (!existsSync(body)) throw new ScanError('no-thread');
  return createScanPool(() => nodePort(new Worker(body, { execArgv: [], resourceLimits: LIMITS })), width);
}
