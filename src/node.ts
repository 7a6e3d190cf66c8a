/** The part of the library that needs Node. */
export { createNodeScanPool } from './scan/pool-node.ts';
export { FileJournalStore } from './storage/file-store.ts';
