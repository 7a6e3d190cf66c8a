/** The part of the library that needs Node. */
export { FileJournalStore } from './storage/file-store.ts';
