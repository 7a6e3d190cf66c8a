import type { DeviceWork } from '../src/device/question.ts';
import type { AddressKind, Network } from '../src/protocol/index.ts';
import type {
  DaemonSettings,
  GroupPlan,
  JournalSummary,
  MessageVerdict,
  OnSpendProgress,
  PaymentClaim,
  ReserveAsked,
  ReserveClaim,
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

/** Configuration from the page's server (`/nightjar.json`). */
export interface SiteConfig {
  readonly network: Network;
  /** The gateway's daemon may call its chain regtest, where fees have no absolute bound. */
  readonly regtest: boolean;
  /** The gateway of this origin, absent where the page is served alone. */
  readonly daemon: { readonly url: string; readonly kind: 'devnet' | 'monerod' } | undefined;
  /** Test coins can be had. */
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
  readonly daemon: DaemonSettings;
}

/** Keys from which a wallet without words is restored. */
export interface SecretKeys {
  /** 64 hex digits. */
  readonly spendKey: string;
  /** The same; undefined where it follows from the spend key. */
  readonly viewKey: string | undefined;
  /** Of the wallet that they are to be of; undefined where it is not known: then nothing tells a mistyped key from another wallet's. */
  readonly address: string | undefined;
}

/** State of seed words while they are being typed. Positions count from 0. */
export interface SeedCheck {
  readonly words: readonly string[];
  /** Positions of words which are not in the list. */
  readonly unknown: readonly number[];
  /** Words that the last one may become, a few. */
  readonly completions: readonly string[];
  /**
   * Whether the words fit together; undefined until there are as many as a seed has, all known. `none` of 12 or 24 words that would be a
   * whole seed of an old wallet: it has no checksum word.
   */
  readonly checksum: boolean | 'none' | undefined;
  /** Facts in a Polyseed beside its key; undefined for other words, and until it is complete. */
  readonly polyseed: PolyseedFacts | undefined;
}

/** What Polyseed words tell of themselves before a wallet is made of them. */
export interface PolyseedFacts {
  /** Unix seconds: the beginning of the month in which it was made. */
  readonly birthday: number;
  /** Whether a passphrase goes with it. */
  readonly hidden: boolean;
}

/** How the words of a new wallet are to be written. */
export interface NewSeed {
  readonly form: SeedForm;
  /** English name, one of {@link WalletHost.seedLanguages}. */
  readonly language: string;
}

/** One field of a method's parameters or result; `depth` counts the fields it lies in. */
export interface RpcField {
  readonly name: string;
  readonly type: string;
  readonly depth: number;
}

/** One method of the wallet service. */
export interface RpcMethodInfo {
  readonly name: string;
  readonly summary: string;
  /** It changes the wallet, or sends. */
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

/** Mark of a locked wallet: {@link WalletHost.recognise} tells whether the open one has the same keys. */
export interface WalletMark {
  readonly name: string;
  /** Hex: a salt of its own, and a hash of it keyed with the secret view key. To whoever lacks that key it says nothing. */
  readonly mark: string;
}

/** What an open wallet is recognised by. */
export interface RecognisedWallet {
  /** Hex: a fresh mark of its own, to be kept for those that are opened later. */
  readonly mark: string;
  /** Names of those that have its keys on its network. */
  readonly same: readonly string[];
  /** The name that it was made or restored under, where it lies under another one: something exchanged wallets in the browser's storage. */
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

/** What a scanned code restores a wallet from. */
export type WalletCode =
  | { readonly kind: 'words'; readonly words: string; readonly from: RestorePoint | undefined; readonly label: string }
  | { readonly kind: 'keys'; readonly keys: SecretKeys; readonly from: RestorePoint | undefined; readonly label: string }
  /** To be read by {@link WalletHost.readPairing}. */
  | { readonly kind: 'pairing' };

/** The seed of a wallet, for the person's eyes. */
export interface RevealedSeed {
  readonly words: string;
  /** A wallet URI with words and restore point: a code by which another program restores the wallet. */
  readonly code: string;
}

/** Errors of the host itself. */
export type HostErrorCode =
  | 'not-open'
  | 'bad-date'
  /** The wallet that lies under this name was made or restored under another, which `data.name` tells. */
  | 'other-name'
  | 'daemon-not-trusted'
  /** The answer would hold a key or the seed: only for the password, which was not given. */
  | 'password-needed'
  /** This is an offline device: no daemon and no server is asked. */
  | 'offline-device'
  /** Keys that no wallet can have: a digit is wrong. */
  | 'keys-of-no-wallet'
  /** Keys that are not those of the address beside them. */
  | 'keys-of-other-wallet'
  /** Not a code for pairing. */
  | 'not-a-pairing'
  /** A code for pairing with a spend key in it, which a watching wallet must not have. */
  | 'pairing-spends'
  /** A scanned code that restores no wallet. */
  | 'not-a-wallet-code'
  /** Its view key is not of its address. */
  | 'pairing-key'
  /** Its height is none that the chain has by now. */
  | 'pairing-height'
  /** The page's server gave no test coins, or did not answer. */
  | 'faucet-refused'
  | 'faucet-unreachable'
  /** Something was asked of the worker that it does not offer. */
  | 'no-such-call';

/** How a node is, as it says itself. */
export interface NodeHealth {
  /** Milliseconds until it had answered. */
  readonly latency: number;
  /** Number of blocks of its chain. */
  readonly height: number;
  /** Blocks that it still lacks, as far as it knows. */
  readonly behind: number;
  readonly rightNetwork: boolean;
  /** It answers strangers only in part, as public nodes do. */
  readonly restricted: boolean;
  /** Empty where it does not tell. Text of a stranger. */
  readonly version: string;
  /** It does not know today's rules. */
  readonly outdated: boolean;
  /** Whether it has the block that another node has; undefined where they were not compared. */
  readonly agrees: boolean | undefined;
}

/** All that the wallet worker does for the page. Secrets do not cross it but where a password is given (docs/custody.md). */
export interface WalletHost {
  /** Undefined when the server does not answer (offline, or a host without one). */
  site(): Promise<SiteConfig | undefined>;
  list(): Promise<readonly JournalSummary[]>;
  /**
   * Makes this an offline device, or one that is online again. Offline no daemon is ever connected to, whatever a wallet remembers, and
   * the site is not asked. Said before a wallet is opened.
   */
  setOffline(offline: boolean): Promise<void>;
  /**
   * Removes a wallet from this browser. Its coins can be found again with the seed or a backup only.
   * @param password undefined where the person has forgotten it, and has said so
   * @param displayName the one the page shows, if there is one: the wallet is not removed if its own differs
   * @throws StorageError `wrong-password`, `locked`, `damaged`, `not-found`; HostError `other-name`; it is still there then
   */
  remove(name: string, password: string | undefined, displayName?: string): Promise<void>;

  /** Makes a wallet of fresh randomness. Its words are yet to be written down: its view says so until they are. */
  create(wallet: WalletForm, seed: NewSeed): Promise<void>;
  /** English names of the languages in which a seed of this form can be written. */
  seedLanguages(form: SeedForm): Promise<readonly string[]>;
  checkSeed(words: string): Promise<SeedCheck>;
  /**
   * @param passphrase that the words were hidden with (the reference's seed offset); empty for none
   * @param from undefined: from the month that a Polyseed tells
   */
  restoreFromSeed(wallet: WalletForm, words: string, passphrase: string, from: RestorePoint | undefined): Promise<void>;
  restoreViewOnly(wallet: WalletForm, address: string, viewKey: string, from: RestorePoint): Promise<void>;
  /**
   * @param keys a wallet comes back from @throws HostError `keys-of-no-wallet`, `keys-of-other-wallet`; the address decoder's typed error
   */
  restoreFromKeys(wallet: WalletForm, keys: SecretKeys, from: RestorePoint): Promise<void>;
  restoreFromBackup(name: string, password: string, backup: Uint8Array): Promise<void>;
  /**
   * From a `.keys` file of the reference; the chain is scanned from the height that it holds.
   * @param filePassword what the file was sealed with; the wallet has the form's
   * @throws StorageError `not-a-backup` for another file; Wallet2Error `wrong-password`, `keys-do-not-match`; OfflineSigningError `wrong-network`; WalletError `no-device`
   */
  restoreFromKeysFile(wallet: WalletForm, file: Uint8Array, filePassword: string): Promise<void>;
  /** Makes a wallet that is to become one of several signers; `wallet.group` goes on from here. @throws MultisigError */
  createForGroup(wallet: WalletForm, plan: GroupPlan): Promise<void>;
  /**
   * Makes the wallet of a group's member from its seed.
   * @param seed hex @param passphrase that it was encrypted with; empty for none
   * @throws MultisigError `bad-seed`
   */
  restoreFromGroupSeed(wallet: WalletForm, seed: string, passphrase: string, from: RestorePoint): Promise<void>;
  /** @throws StorageError `wrong-password`, `locked`, `damaged`, `not-found` */
  open(name: string, password: string): Promise<void>;
  /** Closes the open wallet: keys wiped, lock released. Nothing happens when none is open. */
  lock(): Promise<void>;

  /** Which of other wallets has the keys of the open one, by their marks, and whether that one lies under its own name. @throws `not-open` */
  recognise(others: readonly WalletMark[]): Promise<RecognisedWallet>;

  /** Sets the open wallet's display name; the name it is stored under stays. @param name empty to remove the display name @throws `not-open` */
  rename(name: string): Promise<void>;

  /** 32 bytes that follow from a PIN, slowly, as a wallet's key follows from its password. @param salt 16 bytes at least */
  stretchPin(pin: string, salt: Uint8Array): Promise<Uint8Array>;
  /** A password or a PIN is being typed: what hashes it gets ready. */
  expectPassword(): Promise<void>;

  /** Which kind of address a text is. @throws the address decoder's typed error; `wrong-network` */
  checkAddress(address: string, network: Network): Promise<AddressKind>;
  /**
   * The code that lets another device watch the open wallet: JSON with address, view key and height, never the spend key.
   * @throws `not-open`; StorageError `wrong-password`
   */
  pairingCode(password: string): Promise<string>;
  /** Reads such a code. @throws `not-a-pairing`, `pairing-spends`, `pairing-key`, `pairing-height`; the address decoder's typed error */
  readPairing(text: string, network: Network): Promise<Pairing>;
  /**
   * Reads a code that restores a wallet: seed words, a wallet URI, or a code for pairing.
   * @throws HostError `not-a-wallet-code`; the address decoder's typed error
   */
  readWalletCode(text: string, network: Network): Promise<WalletCode>;
  /** The daemon of the open wallet. Its login password stays in the worker. */
  daemon(): Promise<DaemonSettings>;
  /**
   * Asks a node how it is, and holds a block of it against the open wallet's own node where that is another one.
   * @throws `not-open`; DaemonError that says why it cannot be asked
   */
  nodeHealth(node: DaemonSettings): Promise<NodeHealth>;
  /** Read-only calls that a person may ask a node. Loaded at the first use. */
  readOnlyCalls(): Promise<readonly ReadOnlyCall[]>;
  /**
   * Asks a node one of them. The open wallet's own node is logged in to.
   * @param written what the person wrote for each parameter
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
  /** Signs a message with an address of this wallet; nobody is asked. @throws `not-open`; ProofError `view-only` */
  signMessage(message: string, index: SubaddressIndex): Promise<string>;
  /** Whether a text is the signature of a message by the keys of an address; nobody is asked. @throws `not-open`; the address decoder's typed error */
  checkMessage(message: string, address: string, signature: string): Promise<MessageVerdict>;
  /** Proves that this wallet, or an account of it, holds so much; nobody is asked. @throws `not-open`; ProofError */
  proveReserve(asked: ReserveAsked, message: string): Promise<string>;
  /** Whether a proof of what a wallet holds is good. The daemon is asked for the transactions that it names (T24). @throws as {@link provePayment} */
  checkReserve(claim: ReserveClaim, proof: string): Promise<ReserveVerdict>;
  /** Proves that this wallet sent a transaction. The daemon is asked for it and for its rings (T24). @throws as {@link provePayment} */
  proveSpend(claim: SpendClaim): Promise<string>;
  /** Whether a proof of who sent a transaction is good. @throws as {@link provePayment} */
  checkSpend(claim: SpendClaim, proof: string): Promise<boolean>;
  /** The methods of the wallet service. It is loaded when it is first asked for. */
  rpcMethods(): Promise<readonly RpcMethodInfo[]>;
  /**
   * Runs a method of the wallet service over the open wallet.
   * @param params JSON text of an object, integers of 64 bits exact; empty for none
   * @param password asked for where the answer would hold a key or the seed, and checked each time
   * @throws `not-open`, `password-needed`; StorageError `wrong-password`
   */
  rpc(method: string, params: string, password?: string): Promise<RpcAnswer>;
  /**
   * The words of the open wallet's seed, 13, 16 or 25, as it was made unless told; the password is asked for again.
   * @throws `not-open`; StorageError `wrong-password`; WalletError `view-only`, `bad-seed`
   */
  revealSeed(password: string, form?: SeedForm): Promise<RevealedSeed>;
  /**
   * The secret keys of a transaction that the open wallet sent or signed: 64 hex digits each, one after the other. Undefined where it does not
   * hold them; the password is asked for again.
   * @throws `not-open`; StorageError `wrong-password`
   */
  revealTxKey(password: string, txHash: string): Promise<string | undefined>;
  /** A device that holds a spend key. It is loaded when it is first asked for. */
  readonly device: DeviceCalls;
  /** The open wallet. Its methods reject with `not-open` when there is none. */
  readonly wallet: PageWallet;
}

/** A device that was met. */
export interface DeviceMet {
  /** Name of the device, as the browser has it: `Nano X`. */
  readonly label: string;
  /** Of the Monero app on it: `2.2.0`. */
  readonly appVersion: string;
  /** Eight hex digits out of a hash of its public keys: they tell one device, and one account of it, from another. */
  readonly fingerprint: string;
  /** Its primary address, on the network that was asked for. */
  readonly address: string;
}

/**
 * Device calls. The browser lets only the page's thread ask a person for a device: the page lends the connection, and the
 * requests are the worker's. Each throws DeviceError, and WalletError `no-device` before there is a way.
 */
export interface DeviceCalls {
  /**
   * The page lends its way to a device, for as long as this worker lives.
   * @param open opens the device that the person allowed. @returns its name
   * @param exchange puts a request, and tells what the device does about it; answers with data and status word
   * @param close lets it go
   */
  link(open: DeviceLink['open'], exchange: DeviceLink['exchange'], close: DeviceLink['close']): Promise<void>;
  /** Connects without a wallet: whose device is it? @throws DeviceError `wrong-network` where it is set to another */
  meet(network: Network): Promise<DeviceMet>;
  /** The device that was met shows its primary address; resolves when its owner has looked. */
  showPrimary(): Promise<void>;
  /** Makes a wallet of the device that was met. It asks its owner whether the view key may leave. @throws DeviceError `refused` */
  create(wallet: WalletForm, from: RestorePoint): Promise<void>;
  /** Of the device that the open wallet was made from, whether or not one is connected. */
  fingerprint(): Promise<string>;
  /** Connects the device of the open wallet, unless it is connected. @throws WalletError `wrong-device` */
  connect(): Promise<DeviceMet>;
  /** Lets whatever is connected go: another program may have it. */
  release(): Promise<void>;
  /** The device shows an address of the open wallet; resolves when its owner has looked. */
  showAddress(index: SubaddressIndex): Promise<void>;
  /** Addresses as the device writes them when it shows a payment: of an integrated one, the plain address in it. */
  asShown(addresses: readonly string[]): Promise<readonly string[]>;
  /** Has the device tell all key images that are missing, then looks for what was spent. @returns how many */
  keyImages(onProgress: OnSpendProgress): Promise<number>;
  /** Stops {@link keyImages}: its promise rejects with an AbortError, and nothing is kept. */
  stopKeyImages(): Promise<void>;
}

/** The page's end of the way to a device. Errors are DeviceErrors. */
export interface DeviceLink {
  open(): Promise<string>;
  /** @param apdu the request, whole @param work what it has the device do */
  exchange(apdu: Uint8Array, work: DeviceWork): Promise<Uint8Array>;
  close(): Promise<void>;
}

export type { DeviceErrorCode } from '../src/device/errors.ts';
export type { DeviceQuestion, DeviceWork } from '../src/device/question.ts';

export type { DaemonSettings, MessageVerdict, PaymentClaim, ReserveVerdict, SeedForm, TxProofVerdict };
