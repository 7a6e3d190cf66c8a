/** The part of the library that needs Node. */
export { ledgerByName } from './device/ledger-by-name.ts';
export { createNodeScanPool } from './scan/pool-node.ts';
export { FileJournalStore } from './storage/file-store.ts';
