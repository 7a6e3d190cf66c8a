/** The two halves of a wallet, and the reference wallet's files between them. Other rooms come in here. */
export type { OfflineContext, TrustedDaemon } from './context.ts';
export {
  type DescribedSet,
  describeUnsigned,
} from './describe.ts';
export { OfflineSigningError, type OfflineSigningErrorCode } from './errors.ts';
export { fileSigner } from './file-signer.ts';
export {
  exportKeyImages,
  exportKeyImagesFile,
  importKeyImages,
  type KeyImageRun,
  openKeyImages,
} from './key-images.ts';
export { OfflineSigning } from './offline-signing.ts';
export { type ExportOptions, exportOutputs, importOutputs } from './outputs.ts';
export { type ReferenceFiles, walletFromKeysFile } from './reference-files.ts';
export { reviewSigned, reviewUnsigned } from './review.ts';
export { signUnsigned } from './sets.ts';
export { rescanSpent } from './spends.ts';
export { submitSigned, txMetadata } from './submit.ts';
