import { createScanPool } from './pool.ts';
import type { WebEndpoint } from './port.ts';
import { startedPort } from './started-port.ts';
import type { ScanPool } from './types.ts';

/** More scan workers than this would wait for the download, not for the processor. */
const MOST = 4;

/** One processor is left for the page and the wallet; a phone with one gets one scan worker. */
const processorsToSpare = (): number => Math.min(MOST, Math.max(1, (navigator.hardwareConcurrency || 1) - 1));

/**
 * A pool of browser workers. The first starts at once.
 * @param spawn starts a worker whose script calls `serveScanWorker`: `() => new Worker(new URL('./scan.worker.js', import.meta.url), { type: 'module' })`
 * @param width number of slices scanned in parallel, at least 1; by default the number of spare processors, at most 4
 */
export function createWebScanPool(spawn: () => WebEndpoint, width: number = processorsToSpare()): ScanPool {
  return createScanPool(() => startedPort(spawn), width);
}
