import { createWebScanPool, type ScanPool } from '../src/scan/index.ts';
import scanWorkerUrl from './scan.worker.ts?worker&url';
import { scriptUrl } from './trusted-types.ts';

/** The scan workers of this wallet worker. */
export function spawnScanPool(): ScanPool {
  return createWebScanPool(() => new Worker(scriptUrl(scanWorkerUrl), { type: 'module', name: 'nightjar scan' }));
}
