import { readTransaction, type Transaction, writeTransaction } from '../protocol/index.ts';
import { bool, key, type Layout, list, mapped, position, struct, text, u64, type ValueOf, versioned } from './archive.ts';
import { txConstruction, txDestination } from './construction.ts';
import { Wallet2Error } from './errors.ts';
import { multisigAttempt } from './multisig-attempt.ts';

const transaction: Layout<Transaction> = {
  minSize: 5,
  read: (reader) => readTransaction(reader, {}),
  write: writeTransaction,
};

const NO_ENTROPY = new Uint8Array(32);

/** Absent before version 1. */
const entropy = (version: number): Layout<Uint8Array> => ({
  minSize: 1,
  read: (reader) => (version > 0 ? reader.bytes(32) : NO_ENTROPY.slice()),
  write: (writer, value) => void writer.fixed(value, 32),
});

/** {@link PendingTx} of a multisig wallet, whose signers sign it one after the other. */
export type MultisigPendingTx = ValueOf<typeof multisigPendingTx>;

/** `pending_tx` (wallet2.h), with the multisig fields. */
export const multisigPendingTx = versioned(1, (version) =>
  struct({
    transaction,
    dust: u64,
    fee: u64,
    dustAddedToFee: bool,
    change: txDestination,
    selectedTransfers: list(position),
    /** As the reference prints them: hex in angle brackets, each followed by a space. */
    keyImages: text,
    /** The number 1 if it is not disclosed. */
    txKey: key,
    additionalTxKeys: list(key),
    destinations: list(txDestination),
    construction: txConstruction,
    /** One for every possible set of signers. */
    attempts: list(multisigAttempt),
    /** Entropy from which the transaction keys are derived, together with the spent key images: 32 bytes. Zeros before version 1. */
    keyEntropy: entropy(version),
  }),
);

/** A transaction ready to send, with the data behind it (`pending_tx`, wallet2.h). */
export type PendingTx = ValueOf<typeof pendingTx>;

/** One of a wallet with one signer. Reading refuses others: Wallet2Error `unsupported-kind`. */
export const pendingTx = mapped(
  multisigPendingTx,
  ({ attempts, keyEntropy: _, ...pending }) => {
    if (attempts.length > 0) throw new Wallet2Error('unsupported-kind', 'expected no multisig signatures', { kind: 'multisig' });
    return pending;
  },
  (pending) => ({ ...pending, attempts: [], keyEntropy: NO_ENTROPY }),
);
