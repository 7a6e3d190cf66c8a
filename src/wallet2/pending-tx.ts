import type { Transaction } from '../protocol/model.ts';
import { readTransaction, writeTransaction } from '../protocol/transaction.ts';
import { bool, key, type Layout, list, mapped, position, struct, text, u64, versioned } from './archive.ts';
import { type TxConstruction, type TxDestination, txConstruction, txDestination } from './construction.ts';
import { Wallet2Error } from './errors.ts';
import { type MultisigAttempt, multisigAttempt } from './multisig-attempt.ts';

/** A transaction ready to leave, with its history (`pending_tx`, wallet2.h). */
export interface PendingTx {
  readonly transaction: Transaction;
  readonly dust: bigint;
  readonly fee: bigint;
  readonly dustAddedToFee: boolean;
  readonly change: TxDestination;
  readonly selectedTransfers: readonly number[];
  /** As the reference prints them: hex in angle brackets, a space behind each. */
  readonly keyImages: string;
  /** 32 bytes; the number 1 where it was not to be told. */
  readonly txKey: Uint8Array;
  /** 32 bytes each. */
  readonly additionalTxKeys: readonly Uint8Array[];
  readonly destinations: readonly TxDestination[];
  readonly construction: TxConstruction;
}

const transaction: Layout<Transaction> = {
  minSize: 5,
  read: (reader) => readTransaction(reader, {}),
  write: writeTransaction,
};

/** The same of a wallet of several signers, who sign it one after the other. */
export interface MultisigPendingTx extends PendingTx {
  /** One for every set of signers that may come to sign it. */
  readonly attempts: readonly MultisigAttempt[];
  /** Entropy that the transaction keys follow from, together with the spent key images: 32 bytes. Zeros before version 1. */
  readonly keyEntropy: Uint8Array;
}

const NO_ENTROPY = new Uint8Array(32);

/** Absent before version 1. */
const entropy = (version: number): Layout<Uint8Array> => ({
  minSize: 1,
  read: (reader) => (version > 0 ? reader.bytes(32) : NO_ENTROPY.slice()),
  write: (writer, value) => void writer.fixed(value, 32),
});

/** A pending transaction with what a wallet of several signers adds to it. */
export const multisigPendingTx: Layout<MultisigPendingTx> = versioned(1, (version) =>
  struct<MultisigPendingTx>({
    transaction,
    dust: u64,
    fee: u64,
    dustAddedToFee: bool,
    change: txDestination,
    selectedTransfers: list(position),
    keyImages: text,
    txKey: key,
    additionalTxKeys: list(key),
    destinations: list(txDestination),
    construction: txConstruction,
    attempts: list(multisigAttempt),
    keyEntropy: entropy(version),
  }),
);

/** One of a wallet with one signer. Reading refuses others: Wallet2Error `unsupported-kind`. */
export const pendingTx: Layout<PendingTx> = mapped(
  multisigPendingTx,
  ({ attempts, keyEntropy: _, ...pending }): PendingTx => {
    if (attempts.length > 0) throw new Wallet2Error('unsupported-kind', 'expected no multisig signatures', { kind: 'multisig' });
    return pending;
  },
  (pending) => ({ ...pending, attempts: [], keyEntropy: NO_ENTROPY }),
);
