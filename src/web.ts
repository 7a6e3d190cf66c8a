/** The part of the library that needs a browser. */
export { createWebScanPool } from './scan/pool-web.ts';
export { serveScanWorker } from './scan/serve.ts';
export { IndexedDbJournalStore } from './storage/idb-store.ts';
