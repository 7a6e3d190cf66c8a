import type { Destination } from './model.ts';

/** 0 automatic, 1 slow … 4 fastest. */
export type Priority = 0 | 1 | 2 | 3 | 4;

/** A priority that a person can choose: 1 slow … 4 fastest. */
export type ChosenPriority = Exclude<Priority, 0>;

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
  /**
   * How many coins the account is to have afterwards, 1 … 16: change comes back in as many equal outputs as are lacking, so that it does not lock
   * everything for ten blocks. Where there is no room, or a coin would be worth less than fifty times what it costs to spend, in fewer. What it
   * costs: a transaction with more than two outputs is seen to be unlike most, and coins that were made together are known for one owner's once they
   * are spent together. Only where the wallet signs by itself; elsewhere change is one output.
   */
  readonly keepReady?: number;
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
  /** Into how many equal outputs the amount is split, 1 … 16; 1 unless told. To an address of the account itself this makes several coins of few. */
  readonly outputs?: number;
  readonly acceptHighFee?: boolean;
  /** Raw unlock time, 0 for none. */
  readonly unlockTime?: bigint;
}

/** Coins from before RingCT that have too few others of their amount to hide among, back to the wallet's first address. */
export interface UnmixableRequest {
  /** Account whose outputs are swept. When absent, all outputs must lie in one account. */
  readonly account?: number;
  readonly acceptHighFee?: boolean;
}

/** What a wallet is asked to pay: to recipients, everything or chosen coins to one address, or what cannot be mixed back to itself. */
export type PaymentRequest =
  | (TransferRequest & { readonly kind: 'transfer' })
  | (SweepRequest & { readonly kind: 'sweep' })
  | (UnmixableRequest & { readonly kind: 'unmixable' });

/** A request whose cost can be estimated. */
export type PricedRequest = Exclude<PaymentRequest, { readonly kind: 'unmixable' }>;

/** Cost of a payment at one priority now, and how soon it would be in a block. */
export interface FeeLevel {
  readonly priority: ChosenPriority;
  /** Atomic units a byte of weight. */
  readonly perByte: bigint;
  /** Estimated fee of the whole payment, atomic units. It is exact only once decoys are drawn. */
  readonly fee: bigint;
  /** How many transactions it takes; 1 where the coins do not suffice. */
  readonly transactions: number;
  /** Whole blocks' worth of waiting transactions that pay as much a byte or more. */
  readonly blocksAhead: number;
  /** Until a block holds it, on average: what is ahead is mined first, then the next block takes it. Blocks come by chance. */
  readonly seconds: number;
  /** False where the rate is above what recent blocks justify: the payment asks for `acceptHighFee` then. */
  readonly withinBounds: boolean;
}

/** The four priorities of a payment, side by side. */
export interface FeeLevels {
  /** Slowest first. */
  readonly levels: readonly FeeLevel[];
  /** The level that priority 0 takes now. */
  readonly automatic: ChosenPriority;
  /** False where what is asked for cannot be paid with the coins there are: costs are then those of two inputs. */
  readonly planned: boolean;
}

/** A warning to give before a person consents to a payment. Closed: a door has words for each. */
export type PaymentWarning =
  | 'several-transactions'
  /** Several transactions too: the device that signs shows fewer recipients at once than there are. */
  | 'device-shows-few'
  /** A ring of one: which coins are spent, and all amounts, are read by everybody. */
  | 'all-in-the-open'
  /** Nodes do not pass on money that is locked for a time. */
  | 'unlock-time-not-relayed'
  /** One transaction spends coins of several subaddresses, which shows that they are one wallet's (T11). */
  | 'links-subaddresses'
  | 'fee-above-amount';

/** Effect of a payment. Amounts in atomic units. */
export interface PaymentReview {
  readonly transactions: readonly {
    readonly fee: bigint;
    readonly weight: number;
    readonly amount: bigint;
    readonly change: bigint;
    /** Payments, with the addresses as the person wrote them. */
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
 * Stages of preparing and sending a payment, in this order; the last three for each transaction in turn. `key-images` only where a device
 * tells them, for each coin that it was not asked about.
 */
export type SpendStage = 'key-images' | 'coins' | 'decoys' | 'signing' | 'checking' | 'sending';

/** Progress of a payment. */
export interface SpendProgress {
  readonly stage: SpendStage;
  /** Which transaction of how many, from 1; one of one until that is known. */
  readonly number: number;
  readonly of: number;
}

/** Called as each stage begins. */
export type OnSpendProgress = (progress: SpendProgress) => void;
