import type { Compat } from '../wallet2/index.ts';
import type { OnSpendProgress, PaymentWarning, SweepRequest, TransferRequest } from './requests.ts';

/** How a file for the other half is written. */
export interface FileOptions {
  /** `0.18.0` where the other half is a program of the reference before 0.18.1.1, which reads no other; today's form when absent. */
  readonly compat?: Compat | undefined;
}

/**
 * Offline signing: the two halves of one wallet, a view-only one that is online and one with the spend key that is not, and the
 * files between them. They are the reference wallet's own (`wallet2.cpp`), encrypted with the view key that both halves hold.
 * A file that comes in may also be its bytes in hex, or the reply of monero-wallet-rpc that has them in hex.
 * Every method rejects with Wallet2Error `bad-magic` for a file of another kind, `unsupported-version` for another version of the
 * format, `not-authentic` for a file of another wallet; OfflineSigningError `damaged-file` for one that breaks off or is garbled.
 */
export interface OfflineApi {
  /** The file for `import_outputs` of the other half: all outputs this wallet knows. */
  exportOutputs(options?: FileOptions): Promise<Uint8Array>;
  /**
   * Takes the outputs of the view-only half. Returns how many outputs this wallet then knows.
   * @throws OfflineSigningError `view-only`, `other-account`, `missing-outputs`, `outputs-beyond-total`, `not-ours`; nothing is taken then
   */
  importOutputs(file: Uint8Array): Promise<number>;
  /** The file for `import_key_images` of the view-only half. @throws OfflineSigningError `view-only`, `not-ours` */
  exportKeyImages(): Promise<Uint8Array>;
  /**
   * Takes the key images of the half that signs, so that spends are seen. A trusted daemon is asked which are spent (T24).
   * @throws OfflineSigningError `other-account`, `missing-outputs`, `too-many-key-images`, `bad-key-image`, `bad-signature`; nothing is
   *   taken then; `bad-daemon-answer`, DaemonError
   */
  importKeyImages(file: Uint8Array): Promise<ImportedKeyImages>;

  /** View-only: a payment for the other half to sign (`unsigned_monero_tx`). `cancelPreparing` stops it. @throws as `prepareTransfer` */
  prepareUnsigned(request: TransferRequest & FileOptions, onProgress?: OnSpendProgress): Promise<UnsignedSet>;
  /** The same of a sweep. @throws as `prepareSweep` */
  prepareUnsignedSweep(request: SweepRequest & FileOptions, onProgress?: OnSpendProgress): Promise<UnsignedSet>;
  /**
   * Reviews an unsigned set. A wallet that can sign checks every word of it, as signing does.
   * @throws OfflineSigningError `wrong-network`, `already-spent`, `not-ours`, `empty-set`, `contradictory-set`, `locked-transaction`,
   *   `foreign-change`, `unsupported-form`, `change-not-paid`, `change-too-large`, `several-change-addresses`
   */
  reviewUnsigned(file: Uint8Array): Promise<SetReview>;
  /**
   * Checks and signs an unsigned set (`signed_monero_tx`).
   * @throws as {@link reviewUnsigned}; OfflineSigningError `view-only`, `missing-outputs`, `outputs-beyond-total`
   */
  signUnsigned(file: Uint8Array): Promise<SignedSet>;
  /**
   * Reviews a signed set, its amounts checked against the transactions in it.
   * @throws OfflineSigningError `wrong-network`, `already-sent`, `already-spent`, `not-ours`, `empty-set`, `contradictory-set` and those of
   *   {@link reviewUnsigned} about change
   */
  reviewSigned(file: Uint8Array): Promise<SignedReview>;
  /** Sends a signed set and takes its key images. Returns the hashes. @throws OfflineSigningError `too-many-key-images`, `bad-key-image`; SpendError */
  submitSigned(file: Uint8Array, onProgress?: OnSpendProgress): Promise<readonly string[]>;
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

/** Result of importing key images. */
export interface ImportedKeyImages {
  /** How many there were. */
  readonly count: number;
  /** Of the last output whose key image was given; 0 where there is none. */
  readonly height: number;
  /** Sums over the outputs whose key images are known, as far as spends are known; atomic units. */
  readonly spent: bigint;
  readonly unspent: bigint;
  /** A scan from here would show spends that are not known yet; undefined when there can be none. */
  readonly scanFrom: number | undefined;
}
