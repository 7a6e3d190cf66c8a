import { asciiToBytes, concatBytes } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import { key, list, mapped, readAll, struct, type ValueOf, writeAll } from './archive.ts';
import { decryptWithKey, encryptWithKey, type SealingKey } from './cipher.ts';
import { multisigPendingTx } from './pending-tx.ts';
import { contentsAfterMagic } from './sealed-file.ts';

/** Files that members of a multisig group exchange to spend (wallet2.cpp), encrypted with the view key that all of them have. */

/** Public halves of a nonce, 32 bytes each (`multisig_info::LR`). */
export type PublicNonce = ValueOf<typeof publicNonce>;

const publicNonce = struct({
  /** k·G. */
  left: key,
  /** k·Hp of the output's key. */
  right: key,
});

/** One signer's export for one output of the group (`multisig_info`). */
export const outputInfo = struct({
  /** The signer's base key. */
  signer: key,
  nonces: list(publicNonce),
  /** One per key share: share·Hp of the output's key. */
  partialKeyImages: list(key),
});

/** Contents of `export_multisig_info`. */
export type MultisigExport = ValueOf<typeof multisigExport>;

const multisigExport = mapped(
  struct({
    /** Public keys of the group's address. */
    spendKey: key,
    viewKey: key,
    /** The exporting signer's base key. */
    signer: key,
    /** One entry for each output of the wallet, in the wallet's order. */
    outputs: list(outputInfo),
  }),
  ({ spendKey, viewKey, ...rest }) => ({ account: { spendKey, viewKey }, ...rest }),
  ({ account: { spendKey, viewKey }, ...rest }) => ({ spendKey, viewKey, ...rest }),
);

/** Transactions that signers pass to each other (`multisig_tx_set`, wallet2.h). */
export type MultisigTxSet = ValueOf<typeof multisigTxSet>;

const multisigTxSet = struct({
  transactions: list(multisigPendingTx),
  /** Base keys of the signers so far. */
  signers: list(key),
});

/** The unencrypted message. @throws ProtocolError */
export const decodeMultisigExport = (bytes: Uint8Array): MultisigExport => readAll(multisigExport, bytes, 'the multisig info');
/** Inverse of {@link decodeMultisigExport}. */
export const encodeMultisigExport = (info: MultisigExport): Uint8Array<ArrayBuffer> => writeAll(multisigExport, info);
/** The unencrypted set. @throws ProtocolError; Wallet2Error `unsupported-kind`, `unsupported-version` */
export const decodeMultisigTxSet = (bytes: Uint8Array): MultisigTxSet => readAll(multisigTxSet, bytes, 'the multisig set');
/** Inverse of {@link decodeMultisigTxSet}. */
export const encodeMultisigTxSet = (set: MultisigTxSet): Uint8Array<ArrayBuffer> => writeAll(multisigTxSet, set);

const EXPORT_MAGIC = 'Monero multisig export\x01';
const SET_MAGIC = 'Monero multisig unsigned tx set\x01';

/** @param key of the group's secret view key */
export const sealMultisigExport = (info: MultisigExport, key: SealingKey, random: Random): Uint8Array =>
  concatBytes(asciiToBytes(EXPORT_MAGIC), encryptWithKey(encodeMultisigExport(info), key, random));

/** @throws Wallet2Error `bad-magic`, `not-authentic`; ProtocolError */
export const openMultisigExport = (message: Uint8Array, key: SealingKey): MultisigExport =>
  decodeMultisigExport(decryptWithKey(contentsAfterMagic(message, EXPORT_MAGIC), key));

/** @param key of the group's secret view key */
export const sealMultisigTxSet = (set: MultisigTxSet, key: SealingKey, random: Random): Uint8Array =>
  concatBytes(asciiToBytes(SET_MAGIC), encryptWithKey(encodeMultisigTxSet(set), key, random));

/** @throws Wallet2Error `bad-magic`, `not-authentic`, `unsupported-kind`, `unsupported-version`; ProtocolError */
export const openMultisigTxSet = (message: Uint8Array, key: SealingKey): MultisigTxSet =>
  decodeMultisigTxSet(decryptWithKey(contentsAfterMagic(message, SET_MAGIC), key));
