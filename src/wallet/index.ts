/**
 * The wallet's entry point: an open wallet, its parts, functions that make one, and those that need none. Page, service, command line and
 * library import only this; what is not exported here is internal. Backends, which implement `ports.ts`, also import the journal's events.
 */
export type { AccountTags, TaggedAccounts } from './account-tags.ts';
export type { AddressDisplay } from './address-display.ts';
export type { Addresses } from './addresses.ts';
export type * from './api.ts';
export type { Chain } from './chain.ts';
export type { Attributes } from './client-attributes.ts';
export { type Contact, paymentIdOf, withPaymentId } from './contacts.ts';
export {
  type Birth,
  countWords,
  DEFAULT_LANGUAGE,
  type NewWallet,
  newPolyseedWallet,
  newWallet,
  type OpenBirth,
  type RestoreFrom,
  type SeedForm,
  walletFromKeys,
  walletFromSeed,
  walletFromViewKey,
  walletFromWords,
  withOpenNetwork,
  withoutOffset,
  withSeedToWrite,
  wordsOf,
} from './create-wallet.ts';
export { walletFromDevice } from './device/make-wallet.ts';
export type { DeviceConnector, SpendDevice } from './device/port.ts';
export type { WalletDevice } from './device/wallet-device.ts';
export { type EnvironmentParts, environment, type WalletEnvironment } from './environment.ts';
export { WalletError, type WalletErrorCode } from './errors.ts';
export type * from './group-api.ts';
export type { Destination, Lookahead, SentState, SubaddressIndex, WalletDescription, WalletKind } from './model.ts';
export type { CosignedSet, Cosigning, GroupSetView } from './multisig/cosigning.ts';
export { MultisigError, type MultisigErrorCode } from './multisig/errors.ts';
export { asGroupSigner, walletFromMultisigSeed } from './multisig/make-wallet.ts';
export type { Multisig, RoundResult } from './multisig/multisig.ts';
export type { MultisigGroup } from './multisig/multisig-group.ts';
export type { Notes } from './notes.ts';
export type * from './offline-api.ts';
export type { DescribedRecipient, DescribedSet, DescribedSource, DescribedTransaction } from './offline-signing/describe.ts';
export { OfflineSigningError, type OfflineSigningErrorCode } from './offline-signing/errors.ts';
export type { ExportedKeyImages } from './offline-signing/key-images.ts';
export type { OfflineSigning } from './offline-signing/offline-signing.ts';
export type { ExportOptions } from './offline-signing/outputs.ts';
export { opensKeysFile, type ReferenceFiles, walletFromKeysFile } from './offline-signing/reference-files.ts';
export { heightOfTransactions, type PaperPrice, type PaperView, PaperWallet } from './paper-wallet.ts';
export type { DraftCoins, PaymentDraft } from './payment-drafts.ts';
export type { PaidTransaction, Payment, Payments, PayOptions } from './payments.ts';
export type { JournalStore, JournalSummary } from './ports.ts';
export {
  type Balances,
  balanceOf,
  type Funds,
  type HistoryPage,
  type OwnOutputView,
  type PaymentView,
  type ReceivedPayment,
  type TransferKind,
  type TransferQuery,
  type Transfers,
  type TransferView,
  wholePaymentId,
} from './projection/index.ts';
export { ProofError, type ProofErrorCode } from './proofs/errors.ts';
export { type MessageVerdict, type SignatureKind, verifyMessage } from './proofs/message.ts';
export type { PaymentClaim, Proofs, ReserveClaim, SpendClaim } from './proofs/proofs.ts';
export type { ReserveScope, ReserveVerdict } from './proofs/reserve-proof.ts';
export type { Receipt } from './proofs/tx-key.ts';
export type { TxProofVerdict } from './proofs/tx-proof.ts';
export { BACKGROUND_SYNC_TYPES, type BackgroundSync, type BackgroundSyncType } from './runtime/background.ts';
export type { Secrets } from './secrets.ts';
export type { SizeEstimateRequest } from './spend/estimate.ts';
export { SpendError, type SpendErrorCode } from './spend/index.ts';
export { type DescribeOptions, describeEvent, OutputNames } from './state/describe-event.ts';
export type { SyncOptions } from './sync/engine.ts';
export { Wallet } from './wallet.ts';
export { walletNameSet } from './wallet-names.ts';
export { wipeSecrets } from './wallet-secrets.ts';
