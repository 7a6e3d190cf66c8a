/** The two halves of a wallet, and the reference wallet's files between them. Other rooms come in here. */
export type { OfflineContext, TrustedDaemon } from './context.ts';
export {
  type DescribedRecipient,
  type DescribedSet,
  type DescribedTransaction,
  describeSet,
  describeUnsigned,
} from './describe.ts';
export { ExchangeError, type ExchangeErrorCode } from './errors.ts';
export {
  exportKeyImages,
  exportKeyImagesFile,
  importKeyImages,
  type KeyImageRun,
  type KeyImagesImport,
  openKeyImages,
} from './key-images.ts';
export { keysFileOf, type ReferenceFiles, walletFromKeysFile } from './keys-file.ts';
export { Exchange, type ExchangeHost, type UnsignedTransfer } from './offline-signing.ts';
export { type ExportOptions, exportOutputs, importOutputs } from './outputs.ts';
export { reviewSigned, reviewUnsigned } from './review.ts';
export { buildUnsignedSet, type ColdSignature, type ColdSigned, signUnsigned } from './sets.ts';
export { relayMetadata, submitSigned, txMetadata } from './submit.ts';
