import { createScanPool } from './pool.ts';
import type { WebEndpoint } from './port.ts';
import { startedPort } from './started-port.ts';
import type { ScanPool } from './types.ts';

/** More scan workers than this wait for the download, not for the processor. */
const MOST = 4;

/** One processor is left to the page and the wallet; a phone with one gets one scan worker. */
const processorsToSpare = (): number => Math.min(MOST, Math.max(1, (navigator.hardwareConcurrency || 1) - 1));

/**
 * A pool over workers of a browser. The first starts now.
 * @param spawn starts a worker whose script calls `serveScanWorker`: `() => new Worker(new URL('./scan.worker.js', import.meta.url), { type: 'module' })`
 * @param width how many slices are scanned side by side, at least 1; as many as there are processors to spare unless given, 4 at the most
 */
export function createWebScanPool(spawn: () => WebEndpoint, width: number = processorsToSpare()): ScanPool {
  return createScanPool(() => startedPort(spawn), width);
}
