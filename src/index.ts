/**
 * The library door: a wallet in a page or in Node. Open or make one, give it a daemon, follow it, pay.
 * What needs Node (journals as files, threads) is behind `nightjar/node`, what needs a browser (journals in IndexedDB, workers) behind `nightjar/web`. What is thrown is an error of one of the classes below, with a
 * `code`; an engine without WebAssembly SIMD is a CryptoError `kernel-unavailable`.
 */

import type { Network } from './protocol/model.ts';
import { createInlineScanPool } from './scan/index.ts';
import { type EnvironmentParts, environment, type WalletEnvironment } from './wallet/environment.ts';
import { newWallet, type RestoreFrom, walletFromKeys, walletFromViewKey, walletFromWords } from './wallet/make.ts';
import { walletFromKeysFile } from './wallet/offline-signing/index.ts';
import { Wallet } from './wallet/wallet.ts';

export type { Clock } from './base/index.ts';
export { FormatError, type FormatErrorCode } from './base/index.ts';
export { CryptoError, type CryptoErrorCode } from './crypto/index.ts';
export { DaemonClient, DaemonError, type DaemonErrorCode } from './daemon/index.ts';
export { formatAmount, parseAmount } from './protocol/amount.ts';
export { ProtocolError, type ProtocolErrorCode } from './protocol/errors.ts';
export type { AtomicAmount, BlockHash, Height, KeyImage, Network, OutputKey, TxHash } from './protocol/model.ts';
export { toAtomicAmount } from './protocol/model.ts';
export { createInlineScanPool, ScanError, type ScanErrorCode, type ScanPool } from './scan/index.ts';
export { MemoryJournalStore, StorageError, type StorageErrorCode } from './storage/index.ts';
export type * from './wallet/api.ts';
export { WalletError, type WalletErrorCode } from './wallet/errors.ts';
export type { RestoreFrom } from './wallet/make.ts';
export type { Destination, SubaddressIndex, WalletKind } from './wallet/model.ts';
export type * from './wallet/offline-api.ts';
export { type OfflineSigning, OfflineSigningError, type OfflineSigningErrorCode } from './wallet/offline-signing/index.ts';
export type { Journal, JournalStore, JournalSummary } from './wallet/ports.ts';
export type {
  MessageVerdict,
  PaymentClaim,
  Proofs,
  Receipt,
  ReserveAsked,
  ReserveClaim,
  ReserveVerdict,
  SignatureKind,
  SpendClaim,
  TxProofVerdict,
} from './wallet/proofs/index.ts';
export { ProofError, type ProofErrorCode, verifyMessage } from './wallet/proofs/index.ts';
export { SpendError, type SpendErrorCode } from './wallet/spend/index.ts';
export type { Wallet } from './wallet/wallet.ts';
export { Wallet2Error, type Wallet2ErrorCode } from './wallet2/index.ts';

/** Where a wallet lies and what it is called there; the rest has defaults. Scanning is done in the calling thread unless told otherwise. */
export type WalletPlace = Pick<EnvironmentParts, 'store'> &
  Partial<EnvironmentParts> & { readonly name: string; readonly password: string };

/** What a wallet that is made from its keys must be told. */
export interface Restoring {
  readonly network: Network;
  /** From where to scan: a height, or a date in unix seconds. */
  readonly from: RestoreFrom;
}

/**
 * A wallet of a fresh seed. It scans from now on, unless told another start.
 *
 * @example
 * ```ts
 * import { createWallet, formatAmount, MemoryJournalStore } from 'nightjar';
 *
 * const wallet = await createWallet({
 *   store: new MemoryJournalStore(), name: 'savings', password: 'correct horse', network: 'regtest',
 * });
 * console.log(await wallet.revealSeed('correct horse'));
 *
 * await wallet.setDaemon({ url: 'http://127.0.0.1:18081', trusted: false });
 * await wallet.waitUntilSynced();
 * const { primaryAddress, balance } = await wallet.view();
 * console.log(primaryAddress, formatAmount(balance.unlocked));
 * await wallet.close();
 * ```
 */
export async function createWallet(
  options: WalletPlace & { readonly network: Network; readonly from?: RestoreFrom; readonly language?: string },
): Promise<Wallet> {
  const env = environmentOf(options);
  const made = await newWallet(env.random, options.network, options.from, nowOf(env), options.language);
  return Wallet.create(env, options.name, options.password, made);
}

/** A wallet from its 25 words. @throws ProtocolError about the words; StorageError `exists` */
export async function restoreWallet(options: WalletPlace & Restoring & { readonly seed: string }): Promise<Wallet> {
  const env = environmentOf(options);
  const made = await walletFromWords(options.seed, options.network, options.from, nowOf(env));
  return Wallet.create(env, options.name, options.password, made);
}

/** A wallet from its two secret keys, 64 hex digits each. @throws FormatError `bad-hex`; WalletError `bad-key` */
export async function walletOfKeys(
  options: WalletPlace & Restoring & { readonly spendKey: string; readonly viewKey: string },
): Promise<Wallet> {
  const env = environmentOf(options);
  const made = await walletFromKeys(options.spendKey, options.viewKey, options.network, options.from, nowOf(env));
  return Wallet.create(env, options.name, options.password, made);
}

/**
 * A wallet that sees what comes in and cannot spend.
 * @throws ProtocolError about the address; FormatError `bad-hex`; WalletError `bad-key`, `bad-address`
 */
export async function viewOnlyWallet(
  options: WalletPlace & Restoring & { readonly address: string; readonly viewKey: string },
): Promise<Wallet> {
  const env = environmentOf(options);
  const made = await walletFromViewKey(options.address, options.viewKey, options.network, options.from, nowOf(env));
  return Wallet.create(env, options.name, options.password, made);
}

/**
 * A wallet from the files of the reference wallet: its `.keys` file with its password (`keysPassword`), and the cache beside it, which tells
 * labels, notes, contacts, transaction keys and the addresses given out. Without a cache that can be read, new addresses are refused
 * (WalletError `addresses-unknown`) until the chain is scanned.
 * @throws Wallet2Error `wrong-password`, `unsupported-kind`; ProtocolError; OfflineSigningError `wrong-network`
 */
export async function walletOfKeysFile(
  options: WalletPlace & {
    readonly network: Network;
    readonly keysFile: Uint8Array;
    readonly cacheFile?: Uint8Array;
    readonly keysPassword: string;
  },
): Promise<Wallet> {
  const env = environmentOf(options);
  const files = { keys: options.keysFile, cache: options.cacheFile };
  const made = await walletFromKeysFile(files, options.keysPassword, options.network, nowOf(env), env.random);
  return Wallet.create(env, options.name, options.password, made);
}

/**
 * A wallet that is there already.
 * @throws StorageError `not-found`, `wrong-password`, `locked`, `damaged`
 *
 * @example
 * ```ts
 * import { createWallet, openWallet, SpendError, parseAmount, toAtomicAmount } from 'nightjar';
 * import { FileJournalStore } from 'nightjar/node';
 *
 * const place = { store: new FileJournalStore('./wallets'), name: 'savings', password: 'correct horse' };
 * await (await createWallet({ ...place, network: 'regtest' })).close();
 *
 * const wallet = await openWallet(place);
 * await wallet.setDaemon({ url: 'http://127.0.0.1:18081', trusted: false });
 * await wallet.waitUntilSynced();
 * const { primaryAddress } = await wallet.view();
 * const destinations = [{ address: primaryAddress, amount: toAtomicAmount(parseAmount('1.5')) }];
 * try {
 *   const transfer = await wallet.prepareTransfer({ destinations, account: 0, priority: 0 });
 *   console.log(await wallet.send(transfer.id));
 * } catch (error) {
 *   if (!(error instanceof SpendError)) throw error;
 *   console.log(error.code); // not-enough-money: nobody has paid it yet
 * }
 * await wallet.close();
 * ```
 */
export function openWallet(options: WalletPlace): Promise<Wallet> {
  return Wallet.open(environmentOf(options), options.name, options.password);
}

/** A wallet from its backup file. @throws StorageError `wrong-password`, `damaged`, `exists` */
export function restoreBackup(options: WalletPlace & { readonly backup: Uint8Array }): Promise<Wallet> {
  return Wallet.restoreBackup(environmentOf(options), options.name, options.password, options.backup);
}

function environmentOf({ name: _, password: __, ...parts }: WalletPlace): WalletEnvironment {
  return environment({ scanPool: () => createInlineScanPool(), ...parts });
}

const nowOf = (env: WalletEnvironment): number => Math.floor(env.clock.now() / 1000);
