/**
 * The library door: a wallet in a page or in Node. Open or make one, give it a daemon, follow it, pay.
 * Parts for Node (journals as files, threads) are in `nightjar/node`, parts for a browser (journals in IndexedDB, workers) in
 * `nightjar/web`. Every error is of one of the classes below, with a `code`; an engine without WebAssembly SIMD is a CryptoError
 * `kernel-unavailable`.
 */

import { secondsOf } from './base/index.ts';
import { systemRandom } from './crypto/index.ts';
import { ProtocolError } from './protocol/errors.ts';
import type { Network } from './protocol/model.ts';
import { parseWalletUri, type WalletUriStart } from './protocol/wallet-uri.ts';
import { createInlineScanPool } from './scan/index.ts';
import { passingStore } from './storage/index.ts';
import {
  type Birth,
  type DaemonSettings,
  type DeviceConnector,
  type EnvironmentParts,
  environment,
  heightOfTransactions,
  type NewWallet,
  newPolyseedWallet,
  newWallet,
  PaperWallet,
  type RestoreFrom,
  type SeedForm,
  Wallet,
  type WalletEnvironment,
  WalletError,
  walletFromDevice,
  walletFromKeys,
  walletFromKeysFile,
  walletFromMultisigSeed,
  walletFromViewKey,
  walletFromWords,
  wipeSecrets,
} from './wallet/index.ts';

export {
  type ByteSource,
  type Clock,
  CodedError,
  FormatError,
  type FormatErrorCode,
  type LazyList,
} from './base/index.ts';
export type { JsonObject, JsonValue } from './base/json.ts';
export type { JsonInput, WithoutEmptyArrays } from './base/json-print.ts';
export type { Argon2Cost, Argon2Input } from './crypto/argon2.ts';
export type { FieldModule, KernelOptions } from './crypto/field-module.ts';
export { CryptoError, type CryptoErrorCode, type Random } from './crypto/index.ts';

export type { MiningRequest } from './daemon/calls/mining.ts';
export type { DistributionRequest, HistogramRequest } from './daemon/calls/outputs.ts';
export type { ConnectOptions } from './daemon/client.ts';
export type {
  BacklogEntry,
  BlocksFrom,
  CallOptions,
  DaemonErrorCode,
  DaemonInfo,
  DaemonVersion,
  FeeEstimate,
  GetBlocksRequest,
  HeaderEntry,
  HeightAnswer,
  HistogramEntry,
  OutputByIndex,
  OutputDistribution,
  OutputRequest,
  PooledTransaction,
  PoolRequest,
  PoolUpdate,
  RefusalReason,
  SendAnswer,
  ShortHistory,
  SpentStatus,
  TransactionEntry,
  TransactionsAnswer,
  WholeBlock,
} from './daemon/index.ts';
export { DaemonClient, DaemonError, Untrusted, type UntrustedBlocks } from './daemon/index.ts';
export type { RetryPolicy } from './daemon/rpc-client.ts';
export { DaemonService } from './daemon/service/index.ts';
export type { WatchdogLimits } from './daemon/transport/watchdog.ts';
export type { UnverifiedReason } from './daemon/untrusted.ts';
export { DeviceError, type DeviceErrorCode } from './device/errors.ts';
export { type Address, type AddressKeys, type AddressParts, decodeAddress, encodeAddress } from './protocol/address.ts';
export { formatAmount, parseAmount } from './protocol/amount.ts';
export { ProtocolError, type ProtocolErrorCode } from './protocol/errors.ts';
export type { AtomicAmount, BlockHash, Height, KeyImage, Network, OutputKey, TxHash } from './protocol/model.ts';
export { toAtomicAmount } from './protocol/model.ts';
export type { AddressKind } from './protocol/network.ts';
export { makeUri, type ParsedPaymentUri, type PaymentUri, parseUri } from './protocol/uri.ts';
export { makeWalletUri, parseWalletUri, type WalletUri, type WalletUriStart } from './protocol/wallet-uri.ts';
export { createInlineScanPool, ScanError, type ScanErrorCode, type ScanPool } from './scan/index.ts';
export type { WebEndpoint } from './scan/port.ts';
export { MemoryJournalStore, StorageError, type StorageErrorCode } from './storage/index.ts';
export type { PasswordHash } from './storage/seal/kdf.ts';
export type { StoreOptions } from './storage/sealed-store.ts';
/** The wallet room's types. Its functions are internal: a program uses the ones below. */
export type * from './wallet/index.ts';
export {
  MultisigError,
  OfflineSigningError,
  ProofError,
  paymentIdOf,
  SpendError,
  verifyMessage,
  WalletError,
  withPaymentId,
} from './wallet/index.ts';
export type { SignedKeyImage } from './wallet2/index.ts';
export { Wallet2Error, type Wallet2ErrorCode } from './wallet2/index.ts';

/** The store that a wallet is kept in and its name there; everything else has a default. Without a scan pool, scanning is done in the calling thread. */
export type WalletOptions = Pick<EnvironmentParts, 'store'> &
  Partial<EnvironmentParts> & { readonly name: string; readonly password: string };

/**
 * Sources to restore a wallet from. Unless told from where, a Polyseed is scanned from the month it was made in, and
 * everything else from the chain's beginning.
 */
export type RestoreSource =
  /** Its words, 25 or the 16 of a Polyseed, and the passphrase that they were hidden with, if any. */
  | { readonly seed: string; readonly passphrase?: string }
  /** The seed of a signer of a group, hex, and the passphrase that it was encrypted with, if any. */
  | { readonly multisigSeed: string; readonly passphrase?: string }
  /** Its secret keys, 64 hex digits each; the view key may be left out where it follows from the spend key. */
  | { readonly spendKey: string; readonly viewKey?: string }
  /** Its address and secret view key: it sees what comes in and cannot spend. */
  | { readonly address: string; readonly viewKey: string }
  /** The device that keeps its spend key: its owner is asked there for the view key. The way to it is `nightjar/node`'s or `nightjar/web`'s. */
  | { readonly device: DeviceConnector };

/**
 * The `.keys` file of the reference wallet with its password, and the cache beside it, which tells labels, notes, contacts, transaction keys and
 * the addresses given out. Without a cache that can be read, new addresses are refused (WalletError `addresses-unknown`) until the chain
 * is scanned.
 */
export interface RestoreFiles {
  readonly keysFile: Uint8Array;
  readonly cacheFile?: Uint8Array;
  readonly keysPassword: string;
}

/** A source to restore from, and what it does not say itself: the network, and from where to scan. */
export type RestoreOptions =
  | { readonly from: RestoreSource; readonly network: Network; readonly scanFrom?: RestoreFrom }
  | { readonly from: RestoreFiles; readonly network: Network }
  /** A backup file, which the wallet's own password opens. */
  | { readonly from: { readonly backup: Uint8Array } };

/**
 * A wallet of a fresh seed, of 25 words unless told. It scans from now on, unless told another start. `language` is the English name of one
 * of the languages of its words, as `German`; `English` unless told.
 * @throws StorageError `exists`, `bad-name`; ProtocolError `unknown-language`, with the names of those there are in its message,
 *   `bad-structure` for a passphrase of 25 words; WalletError `height-out-of-range`
 *
 * @example
 * ```ts
 * import { createWallet, formatAmount, MemoryJournalStore } from 'nightjar';
 *
 * const wallet = await createWallet({
 *   store: new MemoryJournalStore(), name: 'savings', password: 'correct horse', network: 'regtest',
 * });
 * console.log(await wallet.secrets.words());
 *
 * await wallet.setDaemon({ url: 'http://127.0.0.1:18081', trusted: false });
 * await wallet.waitUntilSynced();
 * const { primaryAddress, balance } = await wallet.view();
 * console.log(primaryAddress, formatAmount(balance.unlocked));
 * await wallet.close();
 * ```
 */
export async function createWallet(
  options: WalletOptions & {
    readonly network: Network;
    readonly scanFrom?: RestoreFrom;
    readonly language?: string;
    readonly seedForm?: SeedForm;
    /**
     * For a Polyseed: without it its words open no wallet, and nobody can recover it. It is not stored; the form of 25 words, which the wallet
     * shows, too, needs none.
     */
    readonly passphrase?: string;
  },
): Promise<Wallet> {
  const env = environmentOf(options);
  const { language, passphrase } = options;
  const birth = { network: options.network, from: options.scanFrom, now: secondsOf(env.clock) };
  if (options.seedForm === 'polyseed')
    return create(env, options, await newPolyseedWallet(env.random, birth, language, passphrase));
  if (passphrase) throw new ProtocolError('bad-structure', 'expected no passphrase: only a Polyseed is made with one');
  return create(env, options, await newWallet(env.random, birth, language));
}

/**
 * A wallet that was there before: from its words, its keys, its view key, the reference's files, or a backup.
 * @throws ProtocolError about words and addresses; FormatError `bad-hex`; WalletError `bad-key`, `bad-address`, `bad-seed`; Wallet2Error
 *   `wrong-password`, `unsupported-kind`; MultisigError `bad-seed`; OfflineSigningError `wrong-network`; StorageError `exists`, and of a backup `wrong-password`, `damaged`; of a device DeviceError, and WalletError
 *   `wrong-network` where it is set to another one
 *
 * @example
 * ```ts
 * import { createWallet, MemoryJournalStore, restoreWallet } from 'nightjar';
 *
 * const store = new MemoryJournalStore();
 * const first = await createWallet({ store, name: 'savings', password: 'correct horse', network: 'regtest' });
 * const seed = await first.secrets.words();
 * const backup = await first.backup();
 * await first.close();
 *
 * const place = { store, password: 'correct horse' };
 * const again = await restoreWallet({ ...place, name: 'again', network: 'regtest', from: { seed }, scanFrom: { height: 0 } });
 * console.log((await again.view()).primaryAddress);
 * await again.close();
 * await (await restoreWallet({ ...place, name: 'a third time', from: { backup } })).close();
 * ```
 */
export async function restoreWallet(options: WalletOptions & RestoreOptions): Promise<Wallet> {
  const { name, password, from } = options;
  const env = environmentOf(options);
  if ('backup' in from) return Wallet.restoreBackup(env, name, password, from.backup);
  const wallet = await create(env, options, await restored(options as Exclude<typeof options, RestoreBackup>, env));
  if ('device' in from) wallet.device.use(from.device);
  return wallet;
}

/** The wallet has the secrets then, and nobody else. */
function create(env: WalletEnvironment, { name, password }: WalletOptions, made: NewWallet): Promise<Wallet> {
  return Wallet.create(env, name, password, made).finally(() => wipeSecrets(made.secrets));
}

type RestoreBackup = { readonly from: { readonly backup: Uint8Array } };

async function restored(options: Exclude<RestoreOptions, RestoreBackup>, env: WalletEnvironment): Promise<NewWallet> {
  const now = secondsOf(env.clock);
  const { network, from } = options;
  if ('keysFile' in from) {
    const { keysFile: keys, cacheFile: cache, keysPassword } = from;
    return walletFromKeysFile({ keys, cache }, keysPassword, network, now, env.random);
  }
  const start = 'scanFrom' in options ? options.scanFrom : undefined;
  if ('seed' in from) return walletFromWords(from.seed, { network, from: start, now }, from.passphrase);
  const birth = { network, from: start ?? { height: 0 }, now };
  if ('device' in from) return ofDevice(from.device, birth);
  if ('multisigSeed' in from) return walletFromMultisigSeed(from.multisigSeed, birth, from.passphrase);
  if ('spendKey' in from) return walletFromKeys(from.spendKey, from.viewKey, birth);
  return walletFromViewKey(from.address, from.viewKey, birth);
}

async function ofDevice(connect: DeviceConnector, birth: Birth): Promise<NewWallet> {
  const device = await connect();
  return walletFromDevice(device, birth).finally(() => device.close());
}

/**
 * A wallet that is there already.
 * @throws StorageError `not-found`, `wrong-password`, `locked`, `damaged`
 *
 * @example
 * ```ts
 * import { createWallet, openWallet, parseAmount, SpendError } from 'nightjar';
 * import { FileJournalStore } from 'nightjar/node';
 *
 * const place = { store: new FileJournalStore('./wallets'), name: 'savings', password: 'correct horse' };
 * await (await createWallet({ ...place, network: 'regtest' })).close();
 *
 * const wallet = await openWallet(place);
 * await wallet.setDaemon({ url: 'http://127.0.0.1:18081', trusted: false });
 * await wallet.waitUntilSynced();
 * const { primaryAddress } = await wallet.view();
 * const destinations = [{ address: primaryAddress, amount: parseAmount('1.5') }];
 * try {
 *   const transfer = await wallet.payments.prepareTransfer({ destinations, account: 0, priority: 0 });
 *   console.log(await wallet.payments.send(transfer.id));
 * } catch (error) {
 *   if (!(error instanceof SpendError)) throw error;
 *   console.log(error.code); // not-enough-money: nobody has paid it yet
 * }
 * await wallet.close();
 * ```
 */
export function openWallet(options: WalletOptions): Promise<Wallet> {
  return Wallet.open(environmentOf(options), options.name, options.password);
}

/** What is on a paper wallet or a gift card. */
export type PaperSource =
  /** Its words: 25, the 16 of a Polyseed, or 13 of MyMonero; and the passphrase that they were hidden with, if any. */
  | { readonly seed: string; readonly passphrase?: string }
  /** Its secret spend key, 64 hex digits, and its view key where that does not follow from it. */
  | { readonly spendKey: string; readonly viewKey?: string }
  /** Its code: `monero-wallet:…`, which says where to look from, too. */
  | { readonly uri: string };

/** Where to look for the money of a paper: unless told, as {@link RestoreSource} says. */
export interface PaperOptions extends Partial<Omit<EnvironmentParts, 'store'>> {
  readonly from: PaperSource;
  readonly scanFrom?: RestoreFrom;
  /** Transactions that paid it, 64 hex digits each: looked for in place of a start. The daemon learns that somebody asks for them. */
  readonly txHashes?: readonly string[];
  /** That of the open wallet unless told. */
  readonly daemon?: DaemonSettings;
}

/**
 * The wallet of a paper or gift card, to take its money into an open wallet, of any kind. It is never stored; close it in any case.
 * @throws ProtocolError about words, codes and addresses; FormatError `bad-hex`; WalletError `bad-key`, `bad-seed`, `view-only`, `no-daemon`,
 *   `same-wallet` where it is the open wallet's own secret, `not-found` where the daemon does not have the transactions; DaemonError
 *
 * @example
 * ```ts
 * import { createWallet, formatAmount, MemoryJournalStore, openPaperWallet } from 'nightjar';
 *
 * const place = { store: new MemoryJournalStore(), password: 'correct horse', network: 'regtest' } as const;
 * const card = await createWallet({ ...place, name: 'gift card' });
 * const seed = await card.secrets.words();
 * await card.close();
 *
 * const wallet = await createWallet({ ...place, name: 'savings' });
 * await wallet.setDaemon({ url: 'http://127.0.0.1:18081', trusted: false });
 * const paper = await openPaperWallet(wallet, { from: { seed }, scanFrom: { height: 0 } });
 * await paper.waitUntilSynced();
 * const { amount } = await paper.price();
 * if (amount > 0n) {
 *   const [fresh] = await wallet.addresses.make(0, 'gift card');
 *   await paper.take(fresh.index);
 * } else console.log(formatAmount(amount));
 * await paper.close();
 * await wallet.close();
 * ```
 */
export async function openPaperWallet(into: Wallet, options: PaperOptions): Promise<PaperWallet> {
  const { network } = into.description;
  const { from, scanFrom, txHashes, daemon = into.savedDaemon, ...parts } = options;
  if (daemon === undefined) throw new WalletError('no-daemon', 'expected a daemon for the paper wallet or the open one');
  const given = { scanPool: () => createInlineScanPool(), ...parts };
  const env = environment({ ...given, store: passingStore(given.random ?? systemRandom) });
  const paper = paperOf(from, network);
  const hashes = txHashes ?? paper.txHashes ?? [];
  let start = scanFrom ?? paper.scanFrom;
  if (start === undefined && hashes.length > 0) {
    const height = await heightOfTransactions(env.connect(daemon), hashes);
    start = height === undefined ? { date: secondsOf(env.clock) } : { height };
  }
  const made = await restored({ from: paper.from, network, ...(start && { scanFrom: start }) }, env);
  return PaperWallet.open(env, into, made, { daemon, address: paper.address });
}

interface Paper {
  readonly from: RestoreSource;
  readonly address?: string | undefined;
  readonly scanFrom?: RestoreFrom | undefined;
  readonly txHashes?: readonly string[] | undefined;
}

function paperOf(from: PaperSource, network: Network): Paper {
  if ('seed' in from) return { from };
  if ('spendKey' in from) return { from };
  const { seed, spendKey, viewKey, address, start, txids } = parseWalletUri(from.uri, network);
  const said = { address, scanFrom: start && startOf(start), txHashes: txids };
  if (seed !== undefined) return { ...said, from: { seed } };
  if (spendKey === undefined) throw new WalletError('view-only', 'expected the spend key of a paper wallet');
  return { ...said, from: { spendKey, ...(viewKey !== undefined && { viewKey }) } };
}

const startOf = (start: WalletUriStart): RestoreFrom =>
  'height' in start ? start : { date: Date.parse(`${start.date}T00:00:00Z`) / 1000 };

function environmentOf({ name: _, password: __, ...parts }: WalletOptions): WalletEnvironment {
  return environment({ scanPool: () => createInlineScanPool(), ...parts });
}
