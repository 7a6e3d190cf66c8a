import { ProtocolError } from '../protocol/errors.ts';
import { key, type Layout, list, mapped, readAll, struct, tuple, type ValueOf, versioned, writeAll } from './archive.ts';
import { type TxConstruction, txConstruction } from './construction.ts';
import { type PendingTx, pendingTx } from './pending-tx.ts';
import { sealedFile } from './sealed-file.ts';
import { simplify } from './simplify.ts';
import { type Compat, detailedTransfers, exportedTransfers, type TransfersExport } from './transfers.ts';

/** Transactions for a cold wallet to sign, with the outputs it may not know yet (`unsigned_tx_set`, wallet2.h). */
export type UnsignedTxSet = TransfersExport & { readonly transactions: readonly TxConstruction[] };

/** Version 2 has the current form of outputs, 1 that of 0.18.0, 0 whole prefixes. */
const unsignedTxSet = (compat?: Compat): Layout<UnsignedTxSet> =>
  versioned(compat === undefined ? 2 : 1, (version) => {
    const transfers = version === 0 ? mapped(detailedTransfers, simplify, refuse) : exportedTransfers(compat);
    return mapped(
      struct({ transactions: list(txConstruction), transfers }),
      ({ transactions, transfers }): UnsignedTxSet => ({ transactions, ...transfers }),
      (set) => ({ transactions: set.transactions, transfers: set }),
    );
  });

function refuse(): never {
  throw new ProtocolError('bad-structure', 'expected to write the newer form');
}

/** A set signed by a cold wallet (`signed_tx_set`, wallet2.h). Keys have 32 bytes. */
export type SignedTxSet = ValueOf<typeof signedTxSet>;

const signedTxSet = versioned(0, () =>
  struct({
    transactions: list(pendingTx),
    /** Key images of the wallet's outputs by position. */
    keyImages: list(key),
    /** Outputs that the transactions make for the wallet itself: one-time key and key image. */
    ownOutputs: list(tuple(key, key)),
  }),
);

/** The unencrypted set. @throws ProtocolError; Wallet2Error `unsupported-kind` */
export const decodeUnsignedTxSet = (bytes: Uint8Array): UnsignedTxSet => readAll(unsignedTxSet(), bytes, 'the unsigned set');
/** Inverse of {@link decodeUnsignedTxSet}. */
export const encodeUnsignedTxSet = (set: UnsignedTxSet, compat?: Compat): Uint8Array<ArrayBuffer> =>
  writeAll(unsignedTxSet(compat), set);
/** The unencrypted set. @throws ProtocolError; Wallet2Error `unsupported-kind` */
export const decodeSignedTxSet = (bytes: Uint8Array): SignedTxSet => readAll(signedTxSet, bytes, 'the signed set');
/** Inverse of {@link decodeSignedTxSet}. */
export const encodeSignedTxSet = (set: SignedTxSet): Uint8Array<ArrayBuffer> => writeAll(signedTxSet, set);

/**
 * A transaction as returned by `get_tx_metadata` and accepted by `relay_tx`: unencrypted, without magic.
 * @throws ProtocolError; Wallet2Error `unsupported-kind`
 */
export const decodeTxMetadata = (bytes: Uint8Array): PendingTx => readAll(pendingTx, bytes, 'the transaction metadata');
/** Inverse of {@link decodeTxMetadata}. */
export const encodeTxMetadata = (pending: PendingTx): Uint8Array<ArrayBuffer> => writeAll(pendingTx, pending);

/** A file with an unsigned set, for the half that signs. */
export const unsignedSetFile = sealedFile(
  { words: 'Monero unsigned tx set', version: 5 },
  encodeUnsignedTxSet,
  decodeUnsignedTxSet,
);

/** A file with a signed set, for the half that sends. */
export const signedSetFile = sealedFile({ words: 'Monero signed tx set', version: 5 }, encodeSignedTxSet, decodeSignedTxSet);
