import type { Network } from '../protocol/model.ts';
import type { Contact } from './contacts.ts';
import type { GroupApi, GroupStatus } from './group-api.ts';
import type { SeedForm } from './make.ts';
import type { Destination, SentState, SubaddressIndex, WalletKind } from './model.ts';
import type { OfflineApi } from './offline-api.ts';
import type { FeeLevels, OnSpendProgress, PreparedTransfer, PricedRequest, SweepRequest, TransferRequest } from './requests.ts';

export type * from './requests.ts';

/**
 * An open wallet as a door (page, command line, library) sees it. Every value can be cloned between threads;
 * no value carries a key, except where the method's name says so and the person asked for it.
 */

export interface DaemonSettings {
  /** Absolute URL, or a path of the page's own origin (the gateway). */
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  /** Trusted daemons may be asked about single transactions and key images (T24). */
  readonly trusted: boolean;
}

/**
 * `idle` before there is a daemon, `syncing` through the past, `live` at the tip; `offline` tries again by itself, `stopped` and
 * `paused` wait for the person.
 */
export type SyncPhase = 'idle' | 'connecting' | 'syncing' | 'live' | 'paused' | 'offline' | 'stopped';

/** How far the wallet has read the chain. */
export interface SyncStatus {
  readonly phase: SyncPhase;
  /** Next block to scan. */
  readonly height: number;
  readonly daemonHeight: number | undefined;
  /** Blocks a second over the last seconds. */
  readonly rate: number;
  /** Seconds, undefined when unknown. */
  readonly timeLeft: number | undefined;
  /** Why it is offline or stopped: code and data of the typed error. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

/** An amount that cannot be spent yet, and when it can. */
export interface Unlock {
  /** Atomic units. */
  readonly amount: bigint;
  /** Blocks that are still to come; 0 where it waits for a time. */
  readonly blocks: number;
  /** Unix seconds; undefined where it waits for blocks. */
  readonly time: number | undefined;
}

/** Balance at the end of a day, by the chain alone, frozen coins included. */
export interface BalanceDay {
  /** Unix seconds at which the day begins, in UTC. */
  readonly start: number;
  /** Atomic units at its end. */
  readonly balance: bigint;
}

/** Atomic units; outputs that the person set aside are in none of them. */
export interface Balance {
  /** All that is the wallet's: mined, or coming back. */
  readonly total: bigint;
  /** The part that can be spent now. */
  readonly unlocked: bigint;
  /** Blocks until all of the total is spendable; 0 when it is. */
  readonly blocksToUnlock: number;
  /** Locked parts of `total`: those that wait for blocks, the next one first, then those that wait for a time. */
  readonly unlocks: readonly Unlock[];
  /** In the pool, not in `total`. */
  readonly incoming: bigint;
}

/** One address of an account, without its balance. */
export interface AddressView {
  readonly index: SubaddressIndex;
  readonly address: string;
  readonly label: string;
  /** Something was received there. */
  readonly used: boolean;
}

/** One address of an account. */
export interface SubaddressView extends AddressView {
  readonly balance: Balance;
}

/** One account, with its first address. */
export interface AccountView {
  readonly account: number;
  readonly label: string;
  readonly address: string;
  readonly balance: Balance;
}

/** One transaction as an account sees it. Amounts in atomic units; `txHash` is 64 hex digits. */
export interface HistoryEntry {
  readonly txHash: string;
  readonly direction: 'in' | 'out' | 'mined';
  readonly state: SentState | 'received';
  /** Amount received, or sent to others without the fee. */
  readonly amount: bigint;
  readonly fee: bigint | undefined;
  /** undefined while unmined. */
  readonly height: number | undefined;
  /** Blocks on top of it, its own included; 0 while unmined. */
  readonly confirmations: number;
  /** Unix seconds: of its block, or when this wallet first saw it. */
  readonly timestamp: number;
  readonly account: number;
  /** Those that received it; of one that spends, those it took from. */
  readonly subaddresses: readonly SubaddressIndex[];
  /** Whom it paid, as far as this wallet knows. */
  readonly destinations: readonly Destination[];
  /** 16 hex digits, or 64 of an old one; undefined when there is none. */
  readonly paymentId: string | undefined;
  readonly note: string;
  /** Below 500,000,000 a height, else unix seconds; 0 for none. */
  readonly unlockTime: bigint;
  /** The chain does not let what came in be spent yet. */
  readonly locked: boolean;
  /** Its whole block was fetched and hashed, or it needs none of that (T5): only then call it confirmed. */
  readonly verified: boolean;
  readonly doubleSpendSeen: boolean;
  /** View-only: it may be the change of a payment of ours that cannot be seen, for want of key images. */
  readonly perhapsChange: boolean;
  /** Of a failed one: it may have been passed on all the same, and later payments spend a coin of it until the person gives it up. */
  readonly inDoubt?: boolean;
}

/** Why an output cannot go into a transaction now; undefined when it can. */
export type OutputHold =
  /** The chain spent it. */
  | 'spent'
  /** An unfailed transaction of ours, or one in the pool, takes it. */
  | 'pending'
  /** The person set it aside. */
  | 'frozen'
  /** Too young, or its unlock time has not come (T9). */
  | 'locked'
  /** View-only, and its key image was not imported. */
  | 'no-key-image';

/** One coin of the wallet, as the coin list shows it. */
export interface OutputView {
  /** One-time public key, 64 hex digits. */
  readonly key: string;
  /** 64 hex digits; unknown in view-only wallets until imported. */
  readonly keyImage: string | undefined;
  readonly txHash: string;
  /** Index inside the transaction. */
  readonly outputIndex: number;
  readonly globalIndex: bigint;
  readonly amount: bigint;
  readonly height: number;
  /** Unix seconds of its block. */
  readonly timestamp: number;
  readonly subaddress: SubaddressIndex;
  readonly coinbase: boolean;
  readonly unlockTime: bigint;
  /** Old enough, and its unlock time has come; spent ones too. */
  readonly unlocked: boolean;
  readonly frozen: boolean;
  /** Why it cannot be spent now; undefined when it can. */
  readonly hold: OutputHold | undefined;
  /** The transaction that takes it: of the chain, or one of ours on its way. */
  readonly spentBy: string | undefined;
}

/** A second daemon, named by the person to compare chains with: proof of work is not checked (T5). */
export interface SecondDaemonView {
  readonly url: string;
  /** `disagree`: it has another block where ours was compared. */
  readonly verdict: 'agree' | 'disagree' | 'not-compared';
  /** The highest block compared. */
  readonly height: number | undefined;
  /** The highest block compared that both have. */
  readonly agreedTo: number | undefined;
  /** Unix seconds of the comparison. */
  readonly at: number | undefined;
  /** Why the last try came to nothing: code and data of the typed error. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

/** From where a wallet of the same words finds everything that this one knows (T23). */
export interface RestorePointView {
  /** undefined until a daemon has said which block belongs to the date. */
  readonly height: number | undefined;
  /** Unix seconds; undefined where the person gave a height. */
  readonly date: number | undefined;
}

/** Why a view-only wallet's balances are the most there can be, and not what there is. */
export interface UnseenSpends {
  /** Coins counted whose key image is not known: they may be spent. */
  readonly coins: number;
  /** A scan from this height would show spends of coins whose key images came later; undefined when there can be none. */
  readonly scanFrom: number | undefined;
}

/** An open wallet at one moment, as a door shows it. */
export interface WalletView {
  readonly name: string;
  readonly kind: WalletKind;
  readonly network: Network;
  readonly primaryAddress: string;
  readonly balance: Balance;
  /** Worth of the coins set aside, which no balance counts; atomic units. */
  readonly frozenAmount: bigint;
  /** View-only: what it cannot see; undefined when it would see every spend. */
  readonly unseen: UnseenSpends | undefined;
  readonly accounts: readonly AccountView[];
  readonly restore: RestorePointView;
  /** Its words were not written down yet: if this device is lost, so are its coins. */
  readonly seedToWrite: boolean;
  readonly sync: SyncStatus;
  /** undefined when the person named none. */
  readonly secondDaemon: SecondDaemonView | undefined;
  /** Of a wallet that is one of several signers, or is to become one; undefined for one owner's. */
  readonly group: GroupStatus | undefined;
  /** Bumped at every applied event; history and outputs are fetched anew when it changes. */
  readonly version: number;
}

/** An open wallet, as far as a page in another thread may see it. */
export interface WalletApi {
  /** The files between its online and its offline half. */
  readonly offline: OfflineApi;
  /** Being one of several signers. */
  readonly group: GroupApi;
  /** The wallet as it is now. */
  view(): Promise<WalletView>;
  /** Called with a fresh view after every change, at most twenty times a second. Returns the unsubscriber. */
  subscribe(listener: (view: WalletView) => void): Promise<() => void>;
  /** Its payments, the newest first: of one account when asked, `limit` of them from `offset` on. */
  history(options?: {
    readonly account?: number;
    readonly offset?: number;
    readonly limit?: number;
  }): Promise<readonly HistoryEntry[]>;
  /** Balances of the days on which the chain brought or took something, oldest first. */
  balanceDays(): Promise<readonly BalanceDay[]>;
  /** Sets outputs aside, by their one-time public keys, or takes them back: one set aside is never spent. @throws `not-found`; nothing is changed then */
  setFrozen(keys: readonly string[], frozen: boolean): Promise<void>;
  /** Every output, spent ones included, in chain order; of one account when asked. */
  outputs(account?: number): Promise<readonly OutputView[]>;
  /** The addresses of an account, with their balances. @throws WalletError `no-such-account` */
  subaddresses(account: number): Promise<readonly SubaddressView[]>;
  /** Makes an account with one address. */
  addAccount(label: string): Promise<AccountView>;
  /** Makes the next address of an account. @throws WalletError `no-such-account`, `addresses-unknown` */
  addSubaddress(account: number, label: string): Promise<SubaddressView>;
  /** Names an address; that of minor 0 is its account's name. @throws WalletError `no-such-account` */
  label(index: SubaddressIndex, label: string): Promise<void>;
  /** Writes beside a transaction; empty takes the note away. */
  note(txHash: string, note: string): Promise<void>;
  /** The address book, in the order in which it was filled. */
  contacts(): Promise<readonly Contact[]>;
  /** Changes an entry of the address book, or adds one where none has this id. @throws the address decoder's typed error */
  saveContact(contact: Omit<Contact, 'id'> & { readonly id?: string }): Promise<void>;
  /** Nothing happens when there is no such entry. */
  removeContact(id: string): Promise<void>;
  /** Follows the chain by this daemon from now on, instead of the one before. @throws DaemonError `bad-url`, `mixed-content` */
  setDaemon(daemon: DaemonSettings): Promise<void>;
  /** Whether a daemon answers and serves this wallet's network; nothing changes. @throws DaemonError; WalletError `wrong-network` */
  tryDaemon(daemon: DaemonSettings): Promise<void>;
  /** Names a second daemon to compare chains with, or none; resolves when that is done, whether or not it worked. @throws DaemonError `bad-url` */
  setSecondDaemon(url: string | undefined): Promise<void>;
  /** Compares with the second daemon now; the view says what came of it. */
  compareSecondDaemon(): Promise<void>;
  /** Looks at the daemon now instead of at the next turn; resolves when that is done, whether or not it worked. */
  refresh(): Promise<void>;
  /** Asks the daemon nothing more until {@link resume}. */
  pause(): Promise<void>;
  /** Goes on from where it was. */
  resume(): Promise<void>;
  /** Scans again from a height; facts of the person stay. */
  rescan(fromHeight: number): Promise<void>;
  /**
   * The person's word that a refused transaction was not passed on, or is meant to be paid beside others: later payments need not share
   * an input with it. @throws WalletError `not-found`
   */
  giveUpRefused(txHash: string): Promise<void>;
  /**
   * The person's word that the decoys kept for these coins are given up, and new ones drawn for the next payment: whoever saw a payment with
   * the earlier ones can tell which coins are ours (T3). Only coins that a reorganisation has moved since.
   * @param keyImages as the error `kept-ring-unusable` names them in `data.keyImages`
   * @throws SpendError `kept-ring-usable`; nothing is given up then
   */
  giveUpRings(keyImages: readonly string[]): Promise<void>;
  /**
   * Cost of a payment at each priority, and about when it would be in a block. The daemon is asked for fees and the pool's backlog, never
   * about the payment; its answer is reused for twenty seconds.
   * @throws WalletError `no-daemon`; SpendError; DaemonError
   */
  feeLevels(request: PricedRequest): Promise<FeeLevels>;
  /** Plans a payment, with fee and decoys, for the person to look at: nothing is signed yet. @throws SpendError; DaemonError; WalletError `no-daemon` */
  prepareTransfer(request: TransferRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer>;
  /** The same of everything an account has, or chosen coins of it. */
  prepareSweep(request: SweepRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer>;
  /**
   * Stops what is being prepared, signed or checked now: nothing of it is kept, and its promise rejects with an AbortError. What has begun to
   * leave is not stopped.
   */
  cancelPreparing(): Promise<void>;
  /**
   * Signs, checks and sends what was prepared, once: a second call with the same id is refused, whatever came of the first. Returns the hashes.
   * @throws WalletError `not-found`; SpendError `signer-refused`, `check-failed`, `output-not-spendable`, `rejected`, `perhaps-sent`
   */
  send(preparedId: string, onProgress?: OnSpendProgress): Promise<readonly string[]>;
  /** Gives up what was prepared. */
  discard(preparedId: string): Promise<void>;
  /**
   * The words of the seed, 13, 16 or 25, as the wallet was made unless told; the password is asked for again.
   * @throws `view-only`, `bad-seed`
   */
  revealSeed(password: string, form?: SeedForm): Promise<string>;
  /** Whether this is the wallet's password. @throws StorageError `wrong-password` */
  checkPassword(password: string): Promise<void>;
  /** The person's word that the words are on paper. */
  seedWritten(): Promise<void>;
  /**
   * The `.keys` file that the reference's programs open this wallet with, by this password, which is asked for again.
   * @param kdfRounds as the reference's `--kdf-rounds`; 1 unless told
   * @throws StorageError `wrong-password`
   */
  exportKeysFile(password: string, kdfRounds?: number): Promise<Uint8Array>;
  /** Seals the wallet by another password. @throws StorageError `wrong-password` */
  changePassword(oldPassword: string, newPassword: string): Promise<void>;
  /** The wallet as one encrypted file, which its password opens: all that is in its journal. */
  backup(): Promise<Uint8Array>;
  /** Ends all work, wipes the keys, and lets go of the journal. Once closed it stays so. */
  close(): Promise<void>;
}
