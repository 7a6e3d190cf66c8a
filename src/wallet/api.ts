import type { Network } from '../protocol/index.ts';
import type { GroupStatus } from './group-api.ts';
import type { Destination, Lookahead, SentState, SubaddressIndex, WalletKind } from './model.ts';

export type * from './payment-requests.ts';

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
  /** Amount that waits in the pool. Not part of `total`. */
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
  /**
   * Its whole block was fetched and hashed, or it needs none of that (T5): only then call it confirmed. A daemon that is not trusted is asked for
   * the blocks of the last hour and no others, so as not to learn which of them paid us (T24).
   */
  readonly verified: boolean;
  readonly doubleSpendSeen: boolean;
  /** View-only: it may be the change of a payment of ours that cannot be seen, for want of key images. */
  readonly perhapsChange: boolean;
  /** The payment failed but may have been broadcast all the same. Later payments share an input with it until the person gives it up. */
  readonly inDoubt?: boolean;
}

/** Why an output cannot go into a transaction now; undefined when it can. */
export type UnspendableReason =
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
  /** Given by the person; empty without one. */
  readonly name: string;
  /** Why it cannot be spent now; undefined when it can. */
  readonly hold: UnspendableReason | undefined;
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

/** Restore height from which a wallet of the same seed finds everything that this one knows (T23). */
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
  /** How many accounts, and addresses in each, are watched beyond the last one made or used. */
  readonly lookahead: Lookahead;
  /** Its words were not written down yet: if this device is lost, so are its coins. */
  readonly seedToWrite: boolean;
  readonly sync: SyncStatus;
  /** undefined when the person named none. */
  readonly secondDaemon: SecondDaemonView | undefined;
  /** State of the multisig group; undefined for a wallet of one owner. */
  readonly group: GroupStatus | undefined;
  /** Bumped at every applied event; history and outputs are fetched anew when it changes. */
  readonly version: number;
}
