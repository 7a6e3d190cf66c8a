import type { Destination } from '../model.ts';
import type { SignedTransaction, UnsignedTransaction } from './unsigned.ts';

/** Everything that a signer needs, as one plain value that can be sent elsewhere. */
export interface UnsignedPayment {
  readonly transactions: readonly UnsignedPaymentPart[];
}

/** One transaction of a payment, ready to be signed. */
export interface UnsignedPaymentPart {
  readonly unsigned: UnsignedTransaction;
  /** Payments with the addresses as the person wrote them, in the order of the outputs. */
  readonly destinations: readonly Destination[];
}

/** What comes of asking a signer; a refusal is thrown. */
export type Signing =
  /** The payment's transactions, signed, in the plan's order. */
  | { readonly kind: 'signed'; readonly transactions: readonly SignedTransaction[] }
  /** Not complete: somebody else goes on with what is to be passed on. Keys of each transaction where they are decided, hex, main first. */
  | {
      readonly kind: 'unfinished';
      readonly format: PassedOnFormat;
      readonly bytes: Uint8Array;
      readonly txKeys?: readonly (readonly string[])[];
    };

/** `unsigned-set`: the reference's file for the half that holds the spend key; `multisig-set`: the reference's, for the other signers. */
export type PassedOnFormat = 'unsigned-set' | 'multisig-set';

/** How a signer is held back, and stopped. */
export interface SigningOptions {
  /** To be awaited as each transaction's turn comes, from 1, where the signer knows it. @throws the signal's reason */
  readonly turn: (number: number) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The holder of the spend key: the worker itself, a file or a QR code to another half, a device, a group. A payment's other steps do not know
 * which, and trust none of them: what is signed is checked against the plan.
 * @internal
 */
export interface Signer {
  /**
   * Takes the payment whole: a device shows it to its owner before it signs anything, a group signs a set. It may take its time, and heeds the
   * signal meanwhile.
   * @internal
   * @throws SpendError `signer-refused` where the signer, or its owner, does not want to; `view-only` where the key is not there
   */
  sign(payment: UnsignedPayment, options: SigningOptions): Promise<Signing>;
}
