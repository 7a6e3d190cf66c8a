import type { Compat } from '../wallet2/index.ts';
import type { PaymentWarning } from './payment-requests.ts';

/** How a file for the other half is written. */
export interface FileOptions {
  /** `0.18.0` where the other half is a program of the reference before 0.18.1.1, which reads no other; today's form when absent. */
  readonly compat?: Compat | undefined;
}

/** Effect of a set of transactions, for a person. Amounts in atomic units. */
export interface SetReview {
  /** Recipients without change; each address once. */
  readonly recipients: readonly { readonly address: string; readonly amount: bigint }[];
  readonly fee: bigint;
  /** Returns to the wallet. */
  readonly change: bigint;
  /** How many there are. */
  readonly transactions: number;
  readonly warnings: readonly PaymentWarning[];
}

/** Effect of a signed set, and the transactions that it sends. */
export interface SignedReview extends SetReview {
  /** 64 hex digits each. */
  readonly txHashes: readonly string[];
}

/** A payment ready for the half that signs. */
export interface UnsignedSet {
  readonly file: Uint8Array;
  /** Read back from the file. */
  readonly review: SetReview;
  /** One-time public keys of the coins it takes, 64 hex digits each: to be set aside while the file is out. */
  readonly coins: readonly string[];
}

/** A payment ready to be sent. */
export interface SignedSet {
  readonly file: Uint8Array;
  /** 64 hex digits each. */
  readonly txHashes: readonly string[];
  /** The transactions themselves, whole, hex: they are in the file too. */
  readonly blobs: readonly string[];
}

/** Result of an import of key images. */
export interface ImportedKeyImages {
  /** How many there were. */
  readonly count: number;
  /** Height of the last output whose key image was given; 0 when there is none. */
  readonly height: number;
  /** Sums over the outputs whose key images are known, as far as spends are known; atomic units. */
  readonly spent: bigint;
  readonly unspent: bigint;
  /** A scan from here would show spends that are not known yet; undefined when there can be none. */
  readonly scanFrom: number | undefined;
}
