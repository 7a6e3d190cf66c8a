import { asciiToBytes, concatBytes, equalBytes } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import { ProtocolError } from '../protocol/errors.ts';
import type { Transaction } from '../protocol/model.ts';
import { readTransaction, writeTransaction } from '../protocol/transaction.ts';
import {
  bool,
  key,
  type Layout,
  list,
  mapped,
  pair,
  position,
  readAll,
  struct,
  text,
  u64,
  versioned,
  writeAll,
} from './archive.ts';
import { decryptWithSecret, encryptWithSecret } from './cipher.ts';
import { type TxConstruction, type TxDestination, txConstruction, txDestination } from './construction.ts';
import { Wallet2Error } from './errors.ts';
import { simplify } from './simplify.ts';
import { type Compat, detailedTransfers, type ExportedTransfer, exportedTransfers, type ToldTransfers } from './transfers.ts';

/** Transactions for a cold wallet to sign, with the outputs it may not know yet (`unsigned_tx_set`, wallet2.h). */
export interface UnsignedTxSet {
  readonly transactions: readonly TxConstruction[];
  /** Position of the first of `outputs` among the wallet's outputs. */
  readonly offset: number;
  readonly outputs: readonly ExportedTransfer[];
  /** How many outputs the wallet has in all, where the file says it. */
  readonly total?: number | undefined;
}

/** Version 2 goes with today's form of outputs, 1 with that of 0.18.0, 0 with whole prefixes. */
const unsignedTxSet = (compat?: Compat): Layout<UnsignedTxSet> =>
  versioned(compat === undefined ? 2 : 1, (version) => {
    const transfers = version === 0 ? mapped(detailedTransfers, simplify, refuse) : exportedTransfers(compat);
    return mapped(
      struct<{ transactions: readonly TxConstruction[]; transfers: ToldTransfers }>({
        transactions: list(txConstruction),
        transfers,
      }),
      ({ transactions, transfers: [offset, outputs, total] }) => ({ transactions, offset, outputs, total }),
      ({ transactions, offset, outputs, total }) => ({ transactions, transfers: [offset, outputs, total] as const }),
    );
  });

function refuse(): never {
  throw new ProtocolError('bad-structure', 'expected to write the newer form');
}

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
  read: (reader) => readTransaction(reader, false),
  write: writeTransaction,
};

/** The count 0: signatures in the making belong to multisig. */
const noMultisig: Layout<undefined> = {
  minSize: 1,
  read(reader) {
    if (reader.varint() !== 0n)
      throw new Wallet2Error('unsupported-kind', 'expected no multisig signatures', { kind: 'multisig' });
    return undefined;
  },
  write: (writer) => void writer.varint(0),
};

/** Entropy of multisig transaction keys: 32 bytes, none before version 1. */
const entropy = (version: number): Layout<undefined> => ({
  minSize: 1,
  read(reader) {
    if (version > 0) reader.skip(32);
    return undefined;
  },
  write: (writer) => void writer.bytes(new Uint8Array(32)),
});

type PendingOnWire = PendingTx & { readonly multisig: undefined; readonly entropy: undefined };

const pendingTx: Layout<PendingTx> = versioned(1, (version) =>
  mapped(
    struct<PendingOnWire>({
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
      multisig: noMultisig,
      entropy: entropy(version),
    }),
    ({ multisig: _, entropy: __, ...pending }): PendingTx => pending,
    (pending) => ({ ...pending, multisig: undefined, entropy: undefined }),
  ),
);

/** What a cold wallet gives back (`signed_tx_set`, wallet2.h). */
export interface SignedTxSet {
  readonly transactions: readonly PendingTx[];
  /** Key images of the wallet's outputs by position, 32 bytes each. */
  readonly keyImages: readonly Uint8Array[];
  /** Outputs that the transactions make for the wallet itself: one-time key and key image, 32 bytes each. */
  readonly ownOutputs: readonly (readonly [Uint8Array, Uint8Array])[];
}

const signedTxSet: Layout<SignedTxSet> = versioned(0, () =>
  struct<SignedTxSet>({ transactions: list(pendingTx), keyImages: list(key), ownOutputs: list(pair(key, key)) }),
);

const UNSIGNED_MAGIC = 'Monero unsigned tx set';
const SIGNED_MAGIC = 'Monero signed tx set';
const SET_VERSION = 5;

/** The set in clear. @throws ProtocolError; Wallet2Error `unsupported-kind` */
export const decodeUnsignedTxSet = (bytes: Uint8Array): UnsignedTxSet => readAll(unsignedTxSet(), bytes, 'the unsigned set');
/** What {@link decodeUnsignedTxSet} reads. */
export const encodeUnsignedTxSet = (set: UnsignedTxSet, compat?: Compat): Uint8Array<ArrayBuffer> =>
  writeAll(unsignedTxSet(compat), set);
/** The set in clear. @throws ProtocolError; Wallet2Error `unsupported-kind` */
export const decodeSignedTxSet = (bytes: Uint8Array): SignedTxSet => readAll(signedTxSet, bytes, 'the signed set');
/** What {@link decodeSignedTxSet} reads. */
export const encodeSignedTxSet = (set: SignedTxSet): Uint8Array<ArrayBuffer> => writeAll(signedTxSet, set);

/**
 * One transaction as `get_tx_metadata` gives it and `relay_tx` takes it: in clear, without magic.
 * @throws ProtocolError; Wallet2Error `unsupported-kind`
 */
export const decodeTxMetadata = (bytes: Uint8Array): PendingTx => readAll(pendingTx, bytes, 'the transaction metadata');
/** What {@link decodeTxMetadata} reads. */
export const encodeTxMetadata = (pending: PendingTx): Uint8Array<ArrayBuffer> => writeAll(pendingTx, pending);

/** @param viewKey secret view key, 32 bytes */
export function sealUnsignedTxSet(set: UnsignedTxSet, viewKey: Uint8Array, random: Random, compat?: Compat): Promise<Uint8Array> {
  return seal(UNSIGNED_MAGIC, encodeUnsignedTxSet(set, compat), viewKey, random);
}

/** @throws Wallet2Error `bad-magic`, `unsupported-version`, `not-authentic`; ProtocolError */
export async function openUnsignedTxSet(file: Uint8Array, viewKey: Uint8Array): Promise<UnsignedTxSet> {
  return decodeUnsignedTxSet(await open(UNSIGNED_MAGIC, file, viewKey));
}

/** @param viewKey secret view key, 32 bytes */
export function sealSignedTxSet(set: SignedTxSet, viewKey: Uint8Array, random: Random): Promise<Uint8Array> {
  return seal(SIGNED_MAGIC, encodeSignedTxSet(set), viewKey, random);
}

/** @throws Wallet2Error `bad-magic`, `unsupported-version`, `not-authentic`; ProtocolError */
export async function openSignedTxSet(file: Uint8Array, viewKey: Uint8Array): Promise<SignedTxSet> {
  return decodeSignedTxSet(await open(SIGNED_MAGIC, file, viewKey));
}

async function seal(magic: string, plain: Uint8Array, viewKey: Uint8Array, random: Random): Promise<Uint8Array> {
  const sealed = await encryptWithSecret(plain, viewKey, random);
  return concatBytes(asciiToBytes(magic), Uint8Array.of(SET_VERSION), sealed);
}

async function open(magic: string, file: Uint8Array, viewKey: Uint8Array): Promise<Uint8Array> {
  const expected = asciiToBytes(magic);
  if (!equalBytes(file.subarray(0, expected.length), expected)) {
    throw new Wallet2Error('bad-magic', `expected a file that begins with "${magic}"`, { expected: magic });
  }
  const version = file[expected.length];
  if (version !== SET_VERSION) {
    throw new Wallet2Error('unsupported-version', `expected version ${SET_VERSION} of the set`, { version: version ?? 0 });
  }
  return decryptWithSecret(file.subarray(expected.length + 1), viewKey);
}
