/** Portable storage (epee): the binary format of the daemon's `.bin` calls, both ways. */
export { decodePortableStorage, decodeStorageRequest } from './epee/decode.ts';
export { encodePortableStorage } from './epee/encode.ts';
export * as storage from './epee/values.ts';
export { type StorageArray, type StorageEntry, StorageObject } from './epee/values.ts';
