import type { Compat } from '../wallet2/index.ts';
import type { PaymentWarning } from './payment-requests.ts';

/** Options of a file for the other half. */
export interface FileOptions {
  /** `0.18.0` if the other half is a program of the reference before 0.18.1.1, which reads only this form; the current form by default. */
  readonly compat?: Compat | undefined;
}

/** Effect of a set of transactions, for display. Amounts in atomic units. */
export interface SetReview {
  /** Recipients without change; each address once. */
  readonly recipients: readonly { readonly address: string; readonly amount: bigint }[];
  readonly fee: bigint;
  /** Amount that returns to the wallet. */
  readonly change: bigint;
  /** Number of transactions. */
  readonly transactions: number;
  readonly warnings: readonly PaymentWarning[];
}

/** Effect of a signed set, and the transactions that it sends. */
export interface SignedReview extends SetReview {
  /** 64 hex digits each. */
  readonly txHashes: readonly string[];
}

/** A payment for the half that signs. */
export interface UnsignedSet {
  readonly file: Uint8Array;
  /** Read back from the file. */
  readonly review: SetReview;
  /** One-time public keys of the coins that it spends, 64 hex digits each: to be frozen while the file is out. */
  readonly coins: readonly string[];
}

/** A payment ready to be sent. */
export interface SignedSet {
  readonly file: Uint8Array;
  /** 64 hex digits each. */
  readonly txHashes: readonly string[];
  /** The whole transactions in hex, which are in the file too. */
  readonly blobs: readonly string[];
}

/** Result of an import of key images. */
export interface ImportedKeyImages {
  /** Number of key images. */
  readonly count: number;
  /** Height of the last output whose key image was imported; 0 if there is none. */
  readonly height: number;
  /** Sums over the outputs with known key images, as far as spends are known; atomic units. */
  readonly spent: bigint;
  readonly unspent: bigint;
  /** A scan from this height would find spends that are not known yet; undefined if there can be none. */
  readonly scanFrom: number | undefined;
}
