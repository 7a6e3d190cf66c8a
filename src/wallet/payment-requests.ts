import type { Destination } from './model.ts';

/** 0 automatic, 1 slow … 4 fastest. */
export type Priority = 0 | 1 | 2 | 3 | 4;

/** A priority that a person can choose: 1 slow … 4 fastest. */
export type ChosenPriority = Exclude<Priority, 0>;

/** A payment to one or more addresses. */
export interface TransferRequest {
  readonly destinations: readonly Destination[];
  readonly account: number;
  /** Empty or absent: the whole account. */
  readonly subaddresses?: readonly number[];
  readonly priority: Priority;
  /** The person explicitly accepts a fee above the cap (T1). */
  readonly acceptHighFee?: boolean;
  /** Raw unlock time, 0 for none. */
  readonly unlockTime?: bigint;
  /**
   * Whether several transactions may be used if there are more destinations than one transaction, or the device that signs it, can hold;
   * otherwise such a payment is refused.
   */
  readonly severalTransactions?: boolean;
  /** Indices of destinations that bear the fee in equal parts; absent or empty: the change does. Only with one transaction. */
  readonly feeFrom?: readonly number[];
  /**
   * How many coins the account should have afterwards, 1 … 16: the change is split into as many equal outputs as are lacking, so that the
   * payment does not lock everything for ten blocks. Fewer if there is not enough space, or a coin would be worth less than fifty times
   * what it costs to spend. The price is privacy: a transaction with more than two outputs is unusual, and coins that were made together
   * are linked once they are spent together. Only where the wallet signs by itself; elsewhere change is one output.
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
  /**
   * Number of equal outputs into which the amount is split, 1 … 16, 1 by default. Sent to an address of the account itself, this makes many
   * coins of few.
   */
  readonly outputs?: number;
  readonly acceptHighFee?: boolean;
  /** Raw unlock time, 0 for none. */
  readonly unlockTime?: bigint;
}

/** Sends coins from before RingCT that have too few others of their amount to hide among back to the wallet's primary address. */
export interface UnmixableRequest {
  /** Account whose outputs are swept. When absent, all outputs must lie in one account. */
  readonly account?: number;
  readonly acceptHighFee?: boolean;
}

/** A payment to make: to recipients, of everything or chosen coins to one address, or of unmixable coins back to the wallet. */
export type PaymentRequest =
  | (TransferRequest & { readonly kind: 'transfer' })
  | (SweepRequest & { readonly kind: 'sweep' })
  | (UnmixableRequest & { readonly kind: 'unmixable' });

/** A request whose cost can be estimated. */
export type PricedRequest = Exclude<PaymentRequest, { readonly kind: 'unmixable' }>;

/** Cost of a payment at one priority now, and how soon it should be in a block. */
export interface FeeLevel {
  readonly priority: ChosenPriority;
  /** Atomic units per byte of weight. */
  readonly perByte: bigint;
  /** Estimated fee of the whole payment, atomic units. It is exact only once decoys are drawn. */
  readonly fee: bigint;
  /** Number of transactions; 1 if the coins do not suffice. */
  readonly transactions: number;
  /** Waiting transactions that pay as much per byte or more, in full blocks. */
  readonly blocksAhead: number;
  /** Average time until it is mined: what is ahead first, then the next block. Actual times vary. */
  readonly seconds: number;
  /** False if the rate is above what recent blocks justify: the payment then needs `acceptHighFee`. */
  readonly withinBounds: boolean;
}

/** The four priorities of a payment, side by side. */
export interface FeeLevels {
  /** Slowest first. */
  readonly levels: readonly FeeLevel[];
  /** The level that priority 0 uses now. */
  readonly automatic: ChosenPriority;
  /** False if the coins do not suffice: costs are then those of two inputs. */
  readonly planned: boolean;
}

/** A warning to give before a person agrees to a payment. Closed: user interfaces have a text for each. */
export type PaymentWarning =
  | 'several-transactions'
  /** Several transactions, because the device that signs shows fewer recipients at once. */
  | 'device-shows-few'
  /** Rings of one member: everybody can see which coins are spent, and all amounts. */
  | 'all-in-the-open'
  /** Nodes do not relay transactions with an unlock time. */
  | 'unlock-time-not-relayed'
  /** A transaction spends coins of several subaddresses, which reveals that they belong together (T11). */
  | 'links-subaddresses'
  | 'fee-above-amount';

/** Effect of a payment. Amounts in atomic units. */
export interface PaymentReview {
  readonly transactions: readonly {
    readonly fee: bigint;
    readonly weight: number;
    readonly amount: bigint;
    readonly change: bigint;
    /** Payments, with the addresses as the person entered them. */
    readonly destinations: readonly Destination[];
    /** Number of coins it spends, and of outputs it makes. */
    readonly inputs: number;
    readonly outputs: number;
  }[];
  readonly totalFee: bigint;
  readonly totalAmount: bigint;
  readonly warnings: readonly PaymentWarning[];
}

/** A planned payment with its rings; nothing is signed or sent yet. Valid until `send` or `discard`. */
export interface PreparedTransfer extends PaymentReview {
  readonly id: string;
}

/**
 * Stages of preparing and sending a payment, in this order; the last three for each transaction. `key-images` only with a device, for each
 * coin whose key image it has not given yet.
 */
export type SpendStage = 'key-images' | 'coins' | 'decoys' | 'signing' | 'checking' | 'sending';

/** Progress of a payment. */
export interface SpendProgress {
  readonly stage: SpendStage;
  /** Number of the transaction, from 1, and how many there are; one of one until that is known. */
  readonly number: number;
  readonly of: number;
}

/** Called as each stage begins. */
export type OnSpendProgress = (progress: SpendProgress) => void;
