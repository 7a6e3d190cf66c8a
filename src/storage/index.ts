/** The sealed journal. Files are behind a door of their own (`file-store.ts`), so that no page loads it. */
export * from './errors.ts';
export { IndexedDbJournalStore } from './idb-store.ts';
export { MemoryJournalStore } from './memory-store.ts';
export type { KdfParameters } from './seal/kdf.ts';
