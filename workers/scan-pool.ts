import { createScanPool, type ScanPool, type ScanPort, webPort } from '../src/scan/index.ts';
import scanWorkerUrl from './scan.worker.ts?worker&url';
import { scriptUrl } from './trusted.ts';

/** More scan workers than this wait for the download, not for the processor. */
const MOST = 4;

/** One processor is left to the page and the wallet; a phone with one gets one scan worker. */
const poolWidth = (processors: number): number => Math.min(MOST, Math.max(1, processors - 1));

/** The scan workers of this wallet worker. */
export function spawnScanPool(): ScanPool {
  const spawn = (): ScanPort => webPort(new Worker(scriptUrl(scanWorkerUrl), { type: 'module', name: 'nightjar scan' }));
  return createScanPool(spawn, poolWidth(navigator.hardwareConcurrency || 1));
}
