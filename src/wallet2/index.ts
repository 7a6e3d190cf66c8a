/** Files and messages of the reference wallet (wallet2.cpp), byte for byte. */

export { decodeCache, type WalletCache } from './cache.ts';
export type { CachedContact, CachedSend } from './cache-entries.ts';
export { MOST_CACHE, openCacheFile } from './cache-file.ts';
export { chacha8Xor, chacha20Xor, decryptWithSecret, encryptWithSecret, type SealingKey, sealingKeyOf } from './cipher.ts';
export {
  type TxConstruction,
  type TxDestination,
  type TxSource,
  USE_RCT,
  USE_VIEW_TAGS,
} from './construction.ts';
export { Wallet2Error, type Wallet2ErrorCode } from './errors.ts';
export {
  decodeKeyImagesExport,
  decodeOutputsExport,
  encodeKeyImagesExport,
  encodeOutputsExport,
  type OutputsExport,
  openKeyImagesExport,
  openOutputsExport,
  type SignedKeyImage,
  sealKeyImagesExport,
  sealOutputsExport,
} from './exports.ts';
export { decodeKeys, type KeysFile, openKeysFile } from './keys-file.ts';
export { sealKeysFile } from './keys-file-writer.ts';
export {
  decodeMultisigExport,
  decodeMultisigTxSet,
  encodeMultisigExport,
  encodeMultisigTxSet,
  type MultisigExport,
  type MultisigTxSet,
  openMultisigExport,
  openMultisigTxSet,
  type PublicNonce,
  sealMultisigExport,
  sealMultisigTxSet,
} from './multisig.ts';
export type { MultisigAttempt } from './multisig-attempt.ts';
export type { MultisigKeys } from './multisig-keys.ts';
export type { MultisigPendingTx, PendingTx } from './pending-tx.ts';
export {
  decodeSignedTxSet,
  decodeTxMetadata,
  decodeUnsignedTxSet,
  encodeSignedTxSet,
  encodeTxMetadata,
  encodeUnsignedTxSet,
  openSignedTxSet,
  openUnsignedTxSet,
  type SignedTxSet,
  sealSignedTxSet,
  sealUnsignedTxSet,
  type UnsignedTxSet,
} from './sets.ts';
export { type Compat, type ExportedTransfer, TRANSFER } from './transfers.ts';
