/**
 * The door of this room: an open wallet, its parts, how one is made, and what needs none. Page, service, command line and library come in here
 * and nowhere else; what is not named here is the wallet's own. Backends, which implement `ports.ts`, see the journal's events beside.
 */
export type { AccountTags, TaggedAccounts } from './account-tags.ts';
export type { Addresses, AddressView } from './addresses.ts';
export type * from './api.ts';
export type { Chain } from './chain.ts';
export type { Attributes } from './client-attributes.ts';
export { type Contact, paymentIdOf, withPaymentId } from './contacts.ts';
export { walletFromDevice } from './device/make-wallet.ts';
export type { DeviceConnector, DeviceProofAsked, SpendDevice } from './device/port.ts';
export type { WalletDevice } from './device/wallet-device.ts';
export { type EnvironmentParts, environment, type WalletEnvironment } from './environment.ts';
export { WalletError, type WalletErrorCode } from './errors.ts';
export type * from './group-api.ts';
export {
  countWords,
  DEFAULT_LANGUAGE,
  type NewWallet,
  newPolyseedWallet,
  newWallet,
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
} from './make.ts';
export type { Destination, Lookahead, SubaddressIndex, WalletDescription, WalletKind } from './model.ts';
export {
  type CosignedSet,
  type Cosigning,
  forGroup,
  type GroupDesk,
  type GroupSetView,
  type GroupView,
  type Multisig,
  MultisigError,
  type MultisigErrorCode,
  type RoundResult,
  walletFromMultisigSeed,
} from './multisig/index.ts';
export type { Notes } from './notes.ts';
export type * from './offline-api.ts';
export {
  type DescribedSet,
  type ExportOptions,
  type KeyImageRun,
  type OfflineSigning,
  OfflineSigningError,
  type OfflineSigningErrorCode,
  type ReferenceFiles,
  walletFromKeysFile,
} from './offline-signing/index.ts';
export type { PaidTransaction, Payment, Payments, PayOptions } from './payments.ts';
export type { Journal, JournalStore, JournalSummary } from './ports.ts';
export {
  type Balances,
  balanceOf,
  type Funds,
  type OwnOutputView,
  type PaymentView,
  type TransferKind,
  type TransferQuery,
  type Transfers,
  type TransferView,
  wholePaymentId,
} from './projection/index.ts';
export {
  type MessageVerdict,
  type PaymentClaim,
  ProofError,
  type ProofErrorCode,
  type Proofs,
  type Receipt,
  type ReserveAsked,
  type ReserveClaim,
  type ReserveVerdict,
  type SignatureKind,
  type SpendClaim,
  type TxProofVerdict,
  verifyMessage,
} from './proofs/index.ts';
export type { BackgroundSync } from './runtime/background.ts';
export type { Secrets } from './secrets.ts';
export { SpendError, type SpendErrorCode } from './spend/index.ts';
export { describeEvent, OutputNames, type Telling } from './state/describe-event.ts';
export { Wallet } from './wallet.ts';
export { wipeSecrets } from './wallet-secrets.ts';
