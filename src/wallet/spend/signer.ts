import type { Destination } from '../model.ts';
import type { SignedTransaction, UnsignedTransaction } from './unsigned.ts';

/** Everything that a signer needs, as one plain value that can be sent elsewhere. */
export interface UnsignedPayment {
  readonly transactions: readonly UnsignedPaymentPart[];
}

/** One transaction of a payment, ready to be signed. */
export interface UnsignedPaymentPart {
  readonly unsigned: UnsignedTransaction;
  /** Payments with the addresses as entered, in the order of the outputs. */
  readonly destinations: readonly Destination[];
}

/** Result of asking a signer; a refusal is thrown. */
export type Signing =
  /** The payment's transactions, signed, in the plan's order. */
  | { readonly kind: 'signed'; readonly transactions: readonly SignedTransaction[] }
  /** Incomplete: somebody else continues with the given bytes. Keys of each transaction where they are known, hex, main first. */
  | {
      readonly kind: 'unfinished';
      readonly format: PassedOnFormat;
      readonly bytes: Uint8Array;
      readonly txKeys?: readonly (readonly string[])[];
    };

/** `unsigned-set`: the reference's file for the half with the spend key; `multisig-set`: the reference's, for the other signers. */
export type PassedOnFormat = 'unsigned-set' | 'multisig-set';

/** Progress and cancellation of signing. */
export interface SigningOptions {
  /** A signer awaits this before each transaction, with its number from 1, if it signs one by one. @throws the signal's reason */
  readonly turn: (number: number) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The holder of the spend key: the worker itself, a file or a QR code to another half, a device, a group. A payment's other steps do not
 * know which, and trust none of them: what is signed is checked against the plan.
 * @internal
 */
export interface Signer {
  /**
   * Signs a whole payment: a device shows it to its owner before it signs anything, a group signs a set. It may take its time, and observes
   * the signal meanwhile.
   * @internal
   * @throws SpendError `signer-refused` if the signer, or its owner, declines; `view-only` if the key is missing
   */
  sign(payment: UnsignedPayment, options: SigningOptions): Promise<Signing>;
}
