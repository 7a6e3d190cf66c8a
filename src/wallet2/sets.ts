import { asciiToBytes, concatBytes, equalBytes } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import { ProtocolError } from '../protocol/errors.ts';
import { key, type Layout, list, mapped, pair, readAll, struct, versioned, writeAll } from './archive.ts';
import { decryptWithSecret, encryptWithSecret } from './cipher.ts';
import { type TxConstruction, txConstruction } from './construction.ts';
import { Wallet2Error } from './errors.ts';
import { type PendingTx, pendingTx } from './pending-tx.ts';
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
