/** The sealed journal. Files have an entry of their own (`file-store.ts`), so that no page loads it. */
export { isWalletName, WALLET_NAME_EXPECTED } from './backend.ts';
export * from './errors.ts';
export { IndexedDbJournalStore } from './idb-store.ts';
export { MemoryJournalStore, passingStore } from './memory-store.ts';
export { DEFAULT_KDF, deriveKey, type KdfParameters, type PasswordHash } from './seal/kdf.ts';
