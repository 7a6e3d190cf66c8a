/** Files and messages of the reference wallet (wallet2.cpp), byte for byte. */
export * from './cache.ts';
export type { CachedSend } from './cache-entries.ts';
export * from './cache-file.ts';
export * from './cipher.ts';
export * from './construction.ts';
export * from './errors.ts';
export * from './exports.ts';
export * from './keys-file.ts';
export * from './keys-file-writer.ts';
export * from './multisig.ts';
export type { MultisigAttempt } from './multisig-attempt.ts';
export type { MultisigKeys } from './multisig-keys.ts';
export type { MultisigPendingTx, PendingTx } from './pending-tx.ts';
export * from './sets.ts';
export * from './transfers.ts';
