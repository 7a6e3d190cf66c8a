/** The part of the library that needs a browser. */
export { ledgerOverWebHid } from './device/ledger-over-webhid.ts';
export { createWebScanPool } from './scan/pool-web.ts';
export { serveScanWorker } from './scan/serve.ts';
export { IndexedDbJournalStore, type IndexedDbOptions } from './storage/idb-store.ts';
