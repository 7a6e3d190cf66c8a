import type { Network } from '../protocol/index.ts';
import type { AddressDisplay } from './address-display.ts';
import type { GroupStatus } from './group-api.ts';
import type { Destination, Lookahead, SentState, SubaddressIndex, WalletKind } from './model.ts';

export type * from './payment-requests.ts';

/**
 * An open wallet as the page, the command line and the library see it. Every value can be cloned between threads; none carries a key,
 * except where the method's name says so and the person asked for it.
 */

export interface DaemonSettings {
  /** Absolute URL, or a path on the page's own origin (the gateway). */
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  /** Trusted daemons may be asked about single transactions and key images (T24). */
  readonly trusted: boolean;
}

/**
 * `idle` without a daemon, `syncing` through the past, `live` at the tip; `offline` retries by itself, `stopped` and `paused` wait for the
 * person.
 */
export type SyncPhase = 'idle' | 'connecting' | 'syncing' | 'live' | 'paused' | 'offline' | 'stopped';

/** Progress of the scan. */
export interface SyncStatus {
  readonly phase: SyncPhase;
  /** Next block to scan. */
  readonly height: number;
  readonly daemonHeight: number | undefined;
  /** Blocks per second over the last seconds. */
  readonly rate: number;
  /** Seconds, undefined when unknown. */
  readonly timeLeft: number | undefined;
  /** Why it is offline or stopped: code and data of the error. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

/** An amount that cannot be spent yet, and when it can. */
export interface Unlock {
  /** Atomic units. */
  readonly amount: bigint;
  /** Blocks still to wait; 0 if it waits for a time. */
  readonly blocks: number;
  /** Unix seconds; undefined if it waits for blocks. */
  readonly time: number | undefined;
}

/** Balance at the end of a day, from the chain alone, frozen coins included. */
export interface BalanceDay {
  /** Unix seconds at which the day begins, in UTC. */
  readonly start: number;
  /** Atomic units at its end. */
  readonly balance: bigint;
}

/** Balances in atomic units. They exclude frozen outputs. */
export interface Balance {
  /** Everything the wallet owns: mined, or change on its way back. */
  readonly total: bigint;
  /** The part that can be spent now. */
  readonly unlocked: bigint;
  /** Blocks until all of the total is spendable; 0 when it is. */
  readonly blocksToUnlock: number;
  /** Locked parts of `total`: first those that wait for blocks, the next one first, then those that wait for a time. */
  readonly unlocks: readonly Unlock[];
  /** Amount of unconfirmed incoming payments. Not part of `total`. */
  readonly incoming: bigint;
}

/** One address of an account, without its balance. */
export interface AddressView {
  readonly index: SubaddressIndex;
  readonly address: string;
  readonly label: string;
  /** Whether something was received there. */
  readonly used: boolean;
  /** How a list shows it. */
  readonly display: AddressDisplay;
}

/** An address of an account, with its balance. */
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
  /** Our addresses that received it; for a spend, those it spent from. */
  readonly subaddresses: readonly SubaddressIndex[];
  /** The recipients, as far as this wallet knows. */
  readonly destinations: readonly Destination[];
  /** 16 hex digits, or 64 of an old one; undefined when there is none. */
  readonly paymentId: string | undefined;
  readonly note: string;
  /** Below 500,000,000 a height, else unix seconds; 0 for none. */
  readonly unlockTime: bigint;
  /** Whether the received amount cannot be spent yet. */
  readonly locked: boolean;
  /**
   * Whether its whole block was fetched and hashed, or it needs no check (T5): only then call it confirmed. From a daemon that is not
   * trusted, only blocks of the last hour are fetched, so that it does not learn which of them paid us (T24).
   */
  readonly verified: boolean;
  readonly doubleSpendSeen: boolean;
  /** View-only wallets: it may be the change of a payment of ours that cannot be recognised without key images. */
  readonly perhapsChange: boolean;
  /** The payment failed but may have been broadcast anyway. Later payments share an input with it until the person gives it up. */
  readonly inDoubt?: boolean;
}

/** Why an output cannot be spent now. */
export type UnspendableReason =
  /** The chain spent it. */
  | 'spent'
  /** A payment of ours that has not failed, or a transaction in the pool, spends it. */
  | 'pending'
  /** The person froze it. */
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
  /** Old enough, and its unlock time has passed; for spent ones too. */
  readonly unlocked: boolean;
  readonly frozen: boolean;
  /** Given by the person; empty without one. */
  readonly name: string;
  /** Why it cannot be spent now; undefined if it can. */
  readonly hold: UnspendableReason | undefined;
  /** The transaction that spends it: on the chain, or one of ours on its way. */
  readonly spentBy: string | undefined;
}

/** A second daemon, which the person named to compare chains, since proof of work is not checked (T5). */
export interface SecondDaemonView {
  readonly url: string;
  /** `disagree`: it has another block at the compared height. */
  readonly verdict: 'agree' | 'disagree' | 'not-compared';
  /** The highest block compared. */
  readonly height: number | undefined;
  /** The highest compared block that both have. */
  readonly agreedTo: number | undefined;
  /** Unix seconds of the comparison. */
  readonly at: number | undefined;
  /** Why the last comparison failed: code and data of the error. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

/** Restore height from which a wallet of the same seed finds everything that this one knows (T23). */
export interface RestorePointView {
  /** undefined until a daemon has said which block belongs to the date. */
  readonly height: number | undefined;
  /** Unix seconds; undefined if the person gave a height. */
  readonly date: number | undefined;
}

/** Why a view-only wallet's balance is an upper bound. */
export interface UnseenSpends {
  /** Counted coins whose key images are unknown: they may be spent. */
  readonly coins: number;
  /** A scan from this height would find spends of coins whose key images came later; undefined if there can be none. */
  readonly scanFrom: number | undefined;
}

/** State of an open wallet at one moment. */
export interface WalletView {
  readonly name: string;
  readonly kind: WalletKind;
  readonly network: Network;
  readonly primaryAddress: string;
  readonly balance: Balance;
  /** Sum of the frozen coins, which no balance includes; atomic units. */
  readonly frozenAmount: bigint;
  /** View-only wallets: what they cannot see; undefined if they would see every spend. */
  readonly unseen: UnseenSpends | undefined;
  readonly accounts: readonly AccountView[];
  readonly restore: RestorePointView;
  /** How many accounts, and addresses in each, the wallet looks for beyond the last one made or used. */
  readonly lookahead: Lookahead;
  /** The seed words were not written down yet: if this device is lost, so are the coins. */
  readonly seedToWrite: boolean;
  readonly sync: SyncStatus;
  /** undefined if the person has named none. */
  readonly secondDaemon: SecondDaemonView | undefined;
  /** State of the multisig group; undefined for a wallet of one owner. */
  readonly group: GroupStatus | undefined;
  /** Increases with every applied event; history and outputs must then be fetched again. */
  readonly version: number;
}
