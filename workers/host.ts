import type { DeviceWork } from '../src/device/question.ts';
import type { AddressKind, Network } from '../src/protocol/index.ts';
import type {
  DaemonSettings,
  GroupPlan,
  JournalSummary,
  MessageVerdict,
  OnSpendProgress,
  PaperPrice,
  PaperView,
  PaymentClaim,
  ReserveClaim,
  ReserveScope,
  ReserveVerdict,
  SeedForm,
  SpendClaim,
  SubaddressIndex,
  TxProofVerdict,
} from '../src/wallet/index.ts';
import type { NodeAnswer } from './node-query/answer.ts';
import type { ParameterTexts, ReadOnlyCall } from './node-query/calls.ts';
import type { PageWallet } from './page-wallet.ts';

export type { AnswerLine, NodeAnswer } from './node-query/answer.ts';
export type { ParameterKind, ReadOnlyCall, ReadOnlyCallName } from './node-query/calls.ts';
export type { PagePart, PageWallet } from './page-wallet.ts';

/**
 * The page's calls of the wallet worker. Every value can be cloned between threads. The worker holds the keys;
 * seed words cross to the page only where a person is to read or write them.
 */

/** Configuration from the page's server (`nightjar.json`, beside the page's document). */
export interface SiteConfig {
  /** Of new wallets; undefined where the page is served alone. */
  readonly network: Network | undefined;
  /** The gateway's daemon may call its chain regtest, where fees have no absolute bound. */
  readonly regtest: boolean;
  /** The daemon of new wallets, usually the gateway of this origin; absent where the page is served alone. */
  readonly daemon: { readonly url: string; readonly kind: 'devnet' | 'monerod' } | undefined;
  /** Whether the site has a faucet for test coins. */
  readonly faucet: boolean;
}

/** Where the scan begins: a height, a day (`YYYY-MM-DD`, UTC), or the tip for a wallet that cannot have coins yet. */
export type RestorePoint =
  | { readonly kind: 'tip' }
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'date'; readonly date: string };

/** Common fields of all ways of making a wallet. */
export interface WalletForm {
  /** Shown in the list before unlocking. */
  readonly name: string;
  readonly password: string;
  readonly network: Network;
  /** Undefined: the one that the page came with, if any. */
  readonly daemon: DaemonSettings | undefined;
}

/** Keys from which a wallet without words is restored. */
export interface SecretKeys {
  /** 64 hex digits. */
  readonly spendKey: string;
  /** 64 hex digits; undefined to derive it from the spend key. */
  readonly viewKey: string | undefined;
  /** Primary address the keys must belong to; undefined when unknown. Without it a mistyped key restores another, empty wallet. */
  readonly address: string | undefined;
}

/** State of seed words while they are being typed. Positions count from 0. */
export interface SeedCheck {
  readonly words: readonly string[];
  /** Positions of words which are not in the list. */
  readonly unknown: readonly number[];
  /** A few completions of the last word. */
  readonly completions: readonly string[];
  /**
   * Whether the checksum holds; undefined until there are as many words as a seed has, all known. `none` for 12 or 24 words, which may be
   * a seed without a checksum word.
   */
  readonly checksum: boolean | 'none' | undefined;
  /** Data of a complete Polyseed; undefined for other seeds, and until it is complete. */
  readonly polyseed: PolyseedFacts | undefined;
  /** Whether other text would hardly have these words: twelve in a row, of which one may be misspelt, or abbreviated ones only. */
  readonly holdsSeed: boolean;
}

/** The one word of a seed that was wrong. */
export interface FoundWord {
  /** From 0. */
  readonly position: number;
  /** The word that belongs there. */
  readonly word: string;
  /** All words of the seed. */
  readonly words: string;
}

/** Data that Polyseed words contain beside the key. */
export interface PolyseedFacts {
  /** Start of the month in which the seed was created, unix seconds. */
  readonly birthday: number;
  /** Whether the seed needs a passphrase. */
  readonly hidden: boolean;
}

/** Format and language of a new wallet's seed words. */
export interface NewSeed {
  readonly form: SeedForm;
  /** English name, one of {@link WalletHost.seedLanguages}. */
  readonly language: string;
  /** Of a Polyseed: without it the words open no wallet. It is not stored. */
  readonly passphrase?: string;
}

/** One field of a method's parameters or result; `depth` is its nesting level, 0 at the top. */
export interface RpcField {
  readonly name: string;
  readonly type: string;
  readonly depth: number;
}

/** One method of the wallet service. */
export interface RpcMethodInfo {
  readonly name: string;
  readonly summary: string;
  /** Whether it changes the wallet or sends a transaction. */
  readonly writes: boolean;
  readonly params: readonly RpcField[];
  readonly result: readonly RpcField[];
  /** JSON text: every parameter with its default. */
  readonly template: string;
}

/** JSON text of a result, or the service's error. `open` is false when the method closed the wallet. */
export type RpcAnswer = { readonly open: boolean } & (
  | { readonly result: string }
  | { readonly code: number; readonly message: string }
);

/** Keyed hash of a locked wallet, by which {@link WalletHost.recognise} finds wallets with the keys of the open one. */
export interface WalletFingerprint {
  readonly name: string;
  /** Hex: a random salt and its hash keyed with the secret view key. It reveals nothing to anyone without that key. */
  readonly fingerprint: string;
}

/** Result of comparing the open wallet with others on this device. */
export interface RecognisedWallet {
  /** New fingerprint of the open wallet, hex, to store for later comparisons. */
  readonly fingerprint: string;
  /** Names of wallets with the same keys on the same network. */
  readonly same: readonly string[];
  /** The wallet's own name, if it differs from the one it is stored under: something swapped wallets in the browser's storage. */
  readonly otherName: string | undefined;
  /** Display name from the wallet's own encrypted copy; undefined if it was never renamed. */
  readonly displayName: string | undefined;
}

/** Contents of a pairing code: enough to watch a wallet whose spend key is on another device. */
export interface Pairing {
  /** The wallet's primary address. */
  readonly address: string;
  /** Secret view key, 64 hex digits: it sees, it cannot spend. */
  readonly viewKey: string;
  /** Height to scan from. */
  readonly height: number;
}

/** What a code says of a wallet beside its secret. */
interface CodeFacts {
  readonly from: RestorePoint | undefined;
  /** Transactions that paid it, 64 hex digits each, as on gift cards. */
  readonly txHashes?: readonly string[] | undefined;
  readonly label: string;
}

/** Contents of a scanned code that restores a wallet. */
export type WalletCode =
  | (CodeFacts & { readonly kind: 'words'; readonly words: string })
  | (CodeFacts & { readonly kind: 'keys'; readonly keys: SecretKeys })
  /** For a view-only wallet: {@link WalletHost.readPairing} reads it. */
  | { readonly kind: 'pairing' };

/** A wallet's seed, to be shown to the person. */
export interface RevealedSeed {
  readonly words: string;
  /** Wallet URI with the words and the restore point, from which another program restores the wallet. */
  readonly code: string;
}

/** Errors of the host itself. */
export type HostErrorCode =
  | 'not-open'
  | 'bad-date'
  /** The wallet stored under this name was created under another one, which `data.name` holds. */
  | 'other-name'
  | 'daemon-not-trusted'
  /** The answer would contain a key or the seed, and no password was given. */
  | 'password-needed'
  /** This device is offline: it contacts no daemon and no server. */
  | 'offline-device'
  /** Not valid keys: a digit is wrong. */
  | 'keys-of-no-wallet'
  /** The keys do not belong to the given address. */
  | 'keys-of-other-wallet'
  /** Not a pairing code. */
  | 'not-a-pairing'
  /** The pairing code contains a spend key or a seed, which a view-only wallet must not have. */
  | 'pairing-spends'
  /** The scanned code restores no wallet. */
  | 'not-a-wallet-code'
  /** The view key of a pairing code does not belong to its address. */
  | 'pairing-key'
  /** The height of a pairing code is beyond the chain's current one. */
  | 'pairing-height'
  /** The page's server gave no test coins. */
  | 'faucet-refused'
  | 'faucet-unreachable'
  /** The worker has no such call. */
  | 'no-such-call';

/** A node's health, as it reports it. */
export interface NodeHealth {
  /** Time until it answered, milliseconds. */
  readonly latency: number;
  /** Number of blocks of its chain. */
  readonly height: number;
  /** Blocks it has yet to sync, by its own count. */
  readonly behind: number;
  readonly rightNetwork: boolean;
  /** Whether its service is restricted, as on public nodes. */
  readonly restricted: boolean;
  /** Empty when it does not say. Untrusted text. */
  readonly version: string;
  /** Whether it lacks the current hard fork. */
  readonly outdated: boolean;
  /** Whether its chain agrees with another node's; undefined when they were not compared. */
  readonly agrees: boolean | undefined;
}

/** Calls of the page to the wallet worker. Answers contain secrets only when the password is given (docs/custody.md). */
export interface WalletHost {
  /** Undefined when the server does not answer (offline, or a host without one). */
  site(): Promise<SiteConfig | undefined>;
  list(): Promise<readonly JournalSummary[]>;
  /**
   * Switches offline mode on or off. Offline, no daemon is contacted, whatever a wallet has stored, nor the page's server. To be called
   * before a wallet is opened.
   */
  setOffline(offline: boolean): Promise<void>;
  /**
   * Removes a wallet from this browser. Its coins can be found again with the seed or a backup only.
   * @param password undefined when the person has said that it is forgotten
   * @param displayName the one the page shows, if there is one: the wallet is not removed if its own differs
   * @throws StorageError `wrong-password`, `locked`, `damaged`, `not-found`; HostError `other-name`. The wallet then stays
   */
  remove(name: string, password: string | undefined, displayName?: string): Promise<void>;

  /** Creates a wallet from fresh randomness. Its view says that the words are to be written down until they are. */
  create(wallet: WalletForm, seed: NewSeed): Promise<void>;
  /** English names of the languages in which a seed of this form can be written. */
  seedLanguages(form: SeedForm): Promise<readonly string[]>;
  checkSeed(words: string): Promise<SeedCheck>;
  /**
   * Finds the one wrong word of a seed of 16 words, or of 25 that no passphrase hides, by its wallet's address.
   * @param passphrase of 16 words that need one; empty for none
   * @param address primary address
   * @returns undefined when changing one word is not enough
   */
  findSeedWord(words: string, passphrase: string, address: string, network: Network): Promise<FoundWord | undefined>;
  /**
   * @param passphrase that the words were hidden with (the reference's seed offset); empty for none
   * @param from undefined to scan from the month that a Polyseed contains
   */
  restoreFromSeed(wallet: WalletForm, words: string, passphrase: string, from: RestorePoint | undefined): Promise<void>;
  restoreViewOnly(wallet: WalletForm, address: string, viewKey: string, from: RestorePoint): Promise<void>;
  /** @throws HostError `keys-of-no-wallet`, `keys-of-other-wallet`; the address decoder's typed error */
  restoreFromKeys(wallet: WalletForm, keys: SecretKeys, from: RestorePoint): Promise<void>;
  restoreFromBackup(name: string, password: string, backup: Uint8Array): Promise<void>;
  /**
   * Restores from a `.keys` file of the reference, scanning from the height in it.
   * @param filePassword password of the file; the wallet gets the form's
   * @throws StorageError `not-a-backup` for another file; Wallet2Error `wrong-password`, `keys-do-not-match`; OfflineSigningError `wrong-network`; WalletError `no-device`
   */
  restoreFromKeysFile(wallet: WalletForm, file: Uint8Array, filePassword: string): Promise<void>;
  /** Creates a wallet that is to become one of several signers; `wallet.group` continues from there. @throws MultisigError */
  createForGroup(wallet: WalletForm, plan: GroupPlan): Promise<void>;
  /**
   * Restores the wallet of a group's member from its seed.
   * @param seed hex @param passphrase that the seed was encrypted with; empty for none
   * @throws MultisigError `bad-seed`
   */
  restoreFromGroupSeed(wallet: WalletForm, seed: string, passphrase: string, from: RestorePoint): Promise<void>;
  /** @throws StorageError `wrong-password`, `locked`, `damaged`, `not-found` */
  open(name: string, password: string): Promise<void>;
  /** Closes the open wallet: wipes its keys and releases its lock. Does nothing when none is open. */
  lock(): Promise<void>;

  /** Finds wallets with the keys of the open one by their fingerprints, and checks that the open one is stored under its own name. @throws `not-open` */
  recognise(others: readonly WalletFingerprint[]): Promise<RecognisedWallet>;

  /** Sets the open wallet's display name; the name it is stored under stays. @param name empty to remove the display name @throws `not-open` */
  rename(name: string): Promise<void>;

  /** Derives 32 bytes from a PIN with the slow hash that is used for passwords. @param salt at least 16 bytes */
  stretchPin(pin: string, salt: Uint8Array): Promise<Uint8Array>;
  /**
   * Prepares the password hash while a password or a PIN is being typed. With a wallet's name and a password that seems to be complete, begins the
   * hash, whose result is used if the password is confirmed within a minute, and resolves when it is done.
   */
  expectPassword(name?: string, password?: string): Promise<void>;

  /** Kind of an address. @throws the address decoder's typed error; `wrong-network` */
  checkAddress(address: string, network: Network): Promise<AddressKind>;
  /**
   * The code that lets another device watch the open wallet: JSON with address, view key and height, never the spend key.
   * @throws `not-open`; StorageError `wrong-password`
   */
  pairingCode(password: string): Promise<string>;
  /** Reads a pairing code. @throws `not-a-pairing`, `pairing-spends`, `pairing-key`, `pairing-height`; the address decoder's typed error */
  readPairing(text: string, network: Network): Promise<Pairing>;
  /**
   * Reads a code that restores a wallet: seed words, a wallet URI, or a pairing code. A height or day that is still to come is left out.
   * @throws HostError `not-a-wallet-code`; the address decoder's typed error
   */
  readWalletCode(text: string, network: Network): Promise<WalletCode>;
  /** The daemon of the open wallet. Its login password stays in the worker. */
  daemon(): Promise<DaemonSettings>;
  /**
   * Measures a node, and compares a block of it with the open wallet's node if that is another one.
   * @throws `not-open`; DaemonError that says why it cannot be reached
   */
  nodeHealth(node: DaemonSettings): Promise<NodeHealth>;
  /** Read-only calls that a person can make to a node. Loaded at the first use. */
  readOnlyCalls(): Promise<readonly ReadOnlyCall[]>;
  /**
   * Makes one of these calls, with the login of the open wallet if the node is its own.
   * @param written text that the person entered for each parameter
   * @throws `not-open`; NodeQueryError; DaemonError
   */
  askNode(url: string, call: string, written: ParameterTexts): Promise<NodeAnswer>;
  /** Asks the devnet's faucet for coins. */
  faucet(address: string): Promise<void>;
  /**
   * Proves that a transaction of this wallet paid an address. The daemon is asked for that one transaction (T24).
   * @throws `not-open`, `daemon-not-trusted`; ProofError; the address decoder's typed error
   */
  provePayment(claim: PaymentClaim): Promise<string>;
  /** Whether a proof of payment holds, and what was paid. @throws as {@link provePayment} */
  checkPayment(claim: PaymentClaim, proof: string): Promise<TxProofVerdict>;
  /** Signs a message with an address of this wallet, without a request to the daemon. @throws `not-open`; ProofError `view-only` */
  signMessage(message: string, index: SubaddressIndex): Promise<string>;
  /** Whether a text is the signature of a message by the keys of an address; no request to the daemon. @throws `not-open`; the address decoder's typed error */
  checkMessage(message: string, address: string, signature: string): Promise<MessageVerdict>;
  /** Proves the reserve of this wallet or of an account, without a request to the daemon. @throws `not-open`; ProofError */
  proveReserve(scope: ReserveScope, message: string): Promise<string>;
  /** Whether a reserve proof holds. The daemon is asked for the transactions that it names (T24). @throws as {@link provePayment} */
  checkReserve(claim: ReserveClaim, proof: string): Promise<ReserveVerdict>;
  /** Proves that this wallet sent a transaction. The daemon is asked for it and for its rings (T24). @throws as {@link provePayment} */
  proveSpend(claim: SpendClaim): Promise<string>;
  /** Whether a proof of sending holds. @throws as {@link provePayment} */
  checkSpend(claim: SpendClaim, proof: string): Promise<boolean>;
  /** The methods of the wallet service, which is loaded at the first use. */
  rpcMethods(): Promise<readonly RpcMethodInfo[]>;
  /**
   * Runs a method of the wallet service on the open wallet.
   * @param params JSON text of an object, integers of 64 bits exact; empty for none
   * @param password needed when the answer contains a key or the seed; checked each time
   * @throws `not-open`, `password-needed`; StorageError `wrong-password`
   */
  rpc(method: string, params: string, password?: string): Promise<RpcAnswer>;
  /**
   * The words of the open wallet's seed, 13, 16 or 25, in its original form unless given, for the password.
   * @throws `not-open`; StorageError `wrong-password`; WalletError `view-only`, `bad-seed`
   */
  revealSeed(password: string, form?: SeedForm): Promise<RevealedSeed>;
  /**
   * The secret keys of a transaction that the open wallet sent or signed, concatenated: 64 hex digits each. Undefined when it has none.
   * The password is checked again.
   * @throws `not-open`; StorageError `wrong-password`
   */
  revealTxKey(password: string, txHash: string): Promise<string | undefined>;
  /** A device that holds a spend key, loaded at the first use. */
  readonly device: DeviceCalls;
  /** Paper wallets, loaded at the first use. */
  readonly paper: PaperCalls;
  /** The open wallet. Its methods reject with `not-open` when there is none. */
  readonly wallet: PageWallet;
}

/** The secret of a paper wallet: its words with the passphrase that they were hidden with, empty for none, or its keys. */
export type PaperSecret = { readonly words: string; readonly passphrase: string } | { readonly keys: SecretKeys };

/** Where to look for a paper's money: from a point of the chain, or from these transactions on, for which the daemon is asked by name. */
export type PaperStart = RestorePoint | { readonly kind: 'transactions'; readonly txHashes: readonly string[] };

/** Calls to take the money of a paper wallet into the open one. One paper is open at a time, until the wallet is locked. */
export interface PaperCalls {
  /**
   * Opens a paper wallet, in place of the last one, and begins to look for its money.
   * @param start undefined to look from the month that a Polyseed contains
   * @param onView called with what was found so far
   * @throws `not-open`; HostError `keys-of-no-wallet`, `keys-of-other-wallet`; WalletError `same-wallet`, `not-found`; ProtocolError;
   *   DaemonError; AbortError if it was closed meanwhile
   */
  open(secret: PaperSecret, start: PaperStart | undefined, onView: (view: PaperView) => void): Promise<void>;
  /** What can be taken now, and about what it costs. @throws HostError `not-open`; DaemonError; SpendError */
  price(): Promise<PaperPrice>;
  /**
   * Sends all of it to an address of the open wallet. Returns the hashes.
   * @param note on each transaction, written before it leaves: whatever fails later, what was sent is noted
   * @throws as {@link price}; StorageError
   */
  take(to: SubaddressIndex, onProgress: OnSpendProgress, note: string): Promise<readonly string[]>;
  /** Stops looking, and wipes the secret. A payment that is being sent is still sent. */
  close(): Promise<void>;
}

/** A connected device. */
export interface DeviceMet {
  /** Product name, as `Nano X`. */
  readonly label: string;
  /** Version of its Monero app, as `2.2.0`. */
  readonly appVersion: string;
  /** Eight hex digits of a hash of its public keys, which differ for each device and each account on it. */
  readonly fingerprint: string;
  /** Its primary address on the network asked for. */
  readonly address: string;
}

/**
 * Device calls. A browser lets only the page's main thread ask for a device, so the page provides the connection and the worker makes the
 * requests. Each throws DeviceError, and WalletError `no-device` before {@link link}.
 */
export interface DeviceCalls {
  /**
   * Gives this worker the page's connection to a device, for as long as the worker lives.
   * @param open opens the device that the person allowed, and returns its name
   * @param exchange sends a request, and returns data and status word
   * @param close closes the device
   */
  link(open: DeviceLink['open'], exchange: DeviceLink['exchange'], close: DeviceLink['close']): Promise<void>;
  /** Connects to a device without a wallet, and identifies it. @throws DeviceError `wrong-network` when the device is set to another */
  meet(network: Network): Promise<DeviceMet>;
  /** Shows the primary address on the device; resolves when its owner has confirmed. */
  showPrimary(): Promise<void>;
  /** Creates a wallet from the connected device, which asks its owner for consent to export the view key. @throws DeviceError `refused` */
  create(wallet: WalletForm, from: RestorePoint): Promise<void>;
  /** Fingerprint of the device that the open wallet was created from, connected or not. */
  fingerprint(): Promise<string>;
  /** Connects to the device of the open wallet, unless connected. @throws WalletError `wrong-device` */
  connect(): Promise<DeviceMet>;
  /** Disconnects, so that another program can use the device. */
  release(): Promise<void>;
  /** Shows an address of the open wallet on the device; resolves when its owner has confirmed. */
  showAddress(index: SubaddressIndex): Promise<void>;
  /** Addresses as the device displays them in a payment: for an integrated address, the standard address in it. */
  asShown(addresses: readonly string[]): Promise<readonly string[]>;
  /** Exports the missing key images from the device, then looks for spent outputs. @returns number of key images */
  keyImages(onProgress: OnSpendProgress): Promise<number>;
  /** Stops {@link keyImages}: its promise rejects with an AbortError, and nothing is stored. */
  stopKeyImages(): Promise<void>;
}

/** The page's connection to a device. Errors are DeviceErrors. */
export interface DeviceLink {
  open(): Promise<string>;
  /** @param apdu the whole request @param work what the device does for it */
  exchange(apdu: Uint8Array, work: DeviceWork): Promise<Uint8Array>;
  close(): Promise<void>;
}

export type { DeviceErrorCode } from '../src/device/errors.ts';
export type { DeviceQuestion, DeviceWork } from '../src/device/question.ts';

export type { DaemonSettings, MessageVerdict, PaymentClaim, ReserveVerdict, SeedForm, TxProofVerdict };
