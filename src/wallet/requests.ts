import type { Destination } from './model.ts';

/** 0 automatic, 1 slow … 4 fastest. */
export type Priority = 0 | 1 | 2 | 3 | 4;

/** A payment to one or more addresses. */
export interface TransferRequest {
  readonly destinations: readonly Destination[];
  readonly account: number;
  /** Empty or absent: all of the account. */
  readonly subaddresses?: readonly number[];
  readonly priority: Priority;
  /** Fee above the cap accepted by the person, in so many words (T1). */
  readonly acceptHighFee?: boolean;
  /** Raw unlock time, 0 for none. */
  readonly unlockTime?: bigint;
  /** More destinations than one transaction, or the device that signs it, has room for are paid by several transactions; else they are refused. */
  readonly severalTransactions?: boolean;
  /** Positions of destinations that bear the fee in equal parts; absent or empty: change does. Only with one transaction. */
  readonly feeFrom?: readonly number[];
}

/** Everything an account has, or some of its outputs, to one address. */
export interface SweepRequest {
  readonly address: string;
  readonly account: number;
  readonly subaddresses?: readonly number[];
  readonly priority: Priority;
  /** Only outputs of less than this, in atomic units. */
  readonly belowAmount?: bigint;
  /** One output only, by key image. */
  readonly keyImage?: string;
  /** These outputs only, by key image: of the account, each at most once. */
  readonly keyImages?: readonly string[];
  /** Into how many outputs the amount is split; 1 unless told. */
  readonly outputs?: number;
  readonly acceptHighFee?: boolean;
  /** Raw unlock time, 0 for none. */
  readonly unlockTime?: bigint;
}

/** Coins from before RingCT that have too few others of their amount to hide among, back to the wallet's first address. */
export interface UnmixableRequest {
  /** Of one account; of all when absent, which must then lie in one. */
  readonly account?: number;
  readonly acceptHighFee?: boolean;
}

/** What can be asked to be paid. */
export type PaymentRequest =
  | (TransferRequest & { readonly kind: 'transfer' })
  | (SweepRequest & { readonly kind: 'sweep' })
  | (UnmixableRequest & { readonly kind: 'unmixable' });

/** What a person should hear before saying yes to a payment. Closed: a door has words for each. */
export type PaymentWarning =
  | 'several-transactions'
  /** Several transactions too: the device that signs shows fewer recipients at once than there are. */
  | 'device-shows-few'
  /** Nodes do not pass on money that is locked for a time. */
  | 'unlock-time-not-relayed'
  /** One transaction spends coins of several subaddresses, which shows that they are one wallet's (T11). */
  | 'links-subaddresses'
  | 'fee-above-amount';

/** What a payment will do. Amounts in atomic units. */
export interface PaymentReview {
  readonly transactions: readonly {
    readonly fee: bigint;
    readonly weight: number;
    readonly amount: bigint;
    readonly change: bigint;
    /** What it pays, with the addresses as the person wrote them. */
    readonly destinations: readonly Destination[];
    /** How many coins it spends, and how many outputs it makes. */
    readonly inputs: number;
    readonly outputs: number;
  }[];
  readonly totalFee: bigint;
  readonly totalAmount: bigint;
  readonly warnings: readonly PaymentWarning[];
}

/** Planned, with its rings; nothing of it is signed or sent. Valid until `send` or `discard`. */
export interface PreparedTransfer extends PaymentReview {
  readonly id: string;
}

/**
 * What goes on while a payment is made ready and sent, in this order; the last three for each transaction in turn. `key-images` only where a device
 * tells them, for each coin that it was not asked about.
 */
export type SpendStage = 'key-images' | 'coins' | 'decoys' | 'signing' | 'checking' | 'sending';

/** Where a payment stands. */
export interface SpendProgress {
  readonly stage: SpendStage;
  /** Which transaction of how many, from 1; one of one until that is known. */
  readonly number: number;
  readonly of: number;
}

/** Called as each stage begins. */
export type OnSpendProgress = (progress: SpendProgress) => void;
