import type { RingMember } from '../../crypto/index.ts';
import type { PaidAddress, PaidOutput, Transaction } from '../../protocol/index.ts';
import type { SpendableOutput } from './inputs.ts';

/** A ring member with its place on the chain. */
export interface RingOutput extends RingMember {
  /** Absolute index among RingCT outputs, or among outputs of the same clear amount. */
  readonly globalIndex: bigint;
}

/** An output to spend, hidden in its ring. */
export interface UnsignedInput {
  readonly output: SpendableOutput;
  /** Ascending by global index, all different. */
  readonly ring: readonly RingOutput[];
  /** Index in `ring` of the output that is spent. */
  readonly real: number;
}

/** Everything that is signed, decided; without secrets. This is what a cold wallet or a device is shown. */
export interface UnsignedTransaction {
  /** The protocol version of the block that it is made for, whose era makes and checks it. */
  readonly majorVersion: number;
  /** Version 1, as before RingCT: clear amounts, plain ring signatures, any number of outputs. Absent: version 2, with RingCT. */
  readonly version?: 1 | undefined;
  readonly inputs: readonly UnsignedInput[];
  /** Every output to make, change or dummy last; the signer shuffles. 2 … 16 with RingCT. */
  readonly outputs: readonly PaidOutput[];
  /** Our address, or the dummy's, whose output is derived with our own view key; undefined if there is none. */
  readonly changeAddress: PaidAddress | undefined;
  /** Atomic units. */
  readonly fee: bigint;
  /** Raw; 0 for none. */
  readonly unlockTime: bigint;
  /** 8 bytes in clear: the signer encrypts it. */
  readonly paymentId: Uint8Array | undefined;
}

/** The point that the sender of a transaction shares with a receiver, and its proof: 32 and 64 bytes. */
export interface ProvenPoint {
  /** r·A of the receiver's public view key A. */
  readonly point: Uint8Array;
  /** Over the transaction's hash (crypto/tx-proof.ts, second form). */
  readonly proof: Uint8Array;
}

/** How a signer that keeps its transaction keys shows whom it paid. */
export interface ShownRecipients {
  /** For each output of the transaction; undefined for change, which our view key opens. */
  readonly outputs: readonly (ProvenPoint | undefined)[];
  /** Shared point with the view key that the payment id is encrypted to; undefined without a payment id. */
  readonly paymentId: ProvenPoint | undefined;
}

/** A transaction ready to be sent, with what later proves its payments. */
export interface SignedTransaction {
  readonly transaction: Transaction;
  /** As it goes over the wire. */
  readonly bytes: Uint8Array;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /**
   * Transaction secret key, then one additional key for each output; 32 bytes each. Secret. With `shown` they are the device's: sealed, and
   * useless to anybody else.
   */
  readonly txKeys: readonly Uint8Array[];
  /** Shared points in place of clear keys. */
  readonly shown?: ShownRecipients | undefined;
  /** For each output of the transaction its position in `UnsignedTransaction.outputs`. */
  readonly outputOrder: readonly number[];
  /** For each input of the transaction its position in `UnsignedTransaction.inputs`. */
  readonly inputOrder: readonly number[];
}
