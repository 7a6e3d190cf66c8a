/** The part of the library that needs Node. */
export { createNodeScanPool } from './protocol/scan/pool-node.ts';
export { FileJournalStore } from './storage/file-store.ts';
