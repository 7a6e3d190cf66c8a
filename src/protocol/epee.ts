/** Portable storage (epee): the binary format of the daemon's `.bin` calls, both ways. */
export { decodePortableStorage, HTTP_STORAGE_LIMITS, type StorageLimits } from './epee/decode.ts';
export { encodePortableStorage, type FieldOrder } from './epee/encode.ts';
export * as storage from './epee/values.ts';
export { type EntryType, type StorageArray, type StorageEntry, StorageObject } from './epee/values.ts';
