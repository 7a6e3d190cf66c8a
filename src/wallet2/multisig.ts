import { asciiToBytes, concatBytes } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import type { AddressKeys } from '../protocol/address.ts';
import { key, type Layout, list, mapped, readAll, struct, writeAll } from './archive.ts';
import { decryptWithKey, encryptWithKey, type SealingKey } from './cipher.ts';
import { type MultisigPendingTx, multisigPendingTx } from './pending-tx.ts';
import { behindWords } from './sealed-file.ts';

/** Files that members of a multisig group pass to each other to spend (wallet2.cpp), sealed with the view key that all of them hold. */

/** Public halves of a nonce, 32 bytes each (`multisig_info::LR`). */
export interface PublicNonce {
  /** k·G. */
  readonly left: Uint8Array;
  /** k·Hp of the output's key. */
  readonly right: Uint8Array;
}

/** One signer's export for one output of the group (`multisig_info`). */
export interface OutputInfo {
  /** The signer's base key, 32 bytes. */
  readonly signer: Uint8Array;
  readonly nonces: readonly PublicNonce[];
  /** One a key share: share·Hp of the output's key, 32 bytes. */
  readonly partialKeyImages: readonly Uint8Array[];
}

/** Contents of `export_multisig_info`. */
export interface MultisigExport {
  /** Public keys of the group's address, 32 bytes each. */
  readonly account: AddressKeys;
  /** The base key of who exported it, 32 bytes. */
  readonly signer: Uint8Array;
  /** By position among the outputs of the wallet. */
  readonly outputs: readonly OutputInfo[];
}

/** Transactions on their way from signer to signer (`multisig_tx_set`, wallet2.h). */
export interface MultisigTxSet {
  readonly transactions: readonly MultisigPendingTx[];
  /** Base keys of those who have signed, 32 bytes each. */
  readonly signers: readonly Uint8Array[];
}

const publicNonce: Layout<PublicNonce> = struct<PublicNonce>({ left: key, right: key });

export const outputInfo = struct<OutputInfo>({ signer: key, nonces: list(publicNonce), partialKeyImages: list(key) });

const multisigExport: Layout<MultisigExport> = mapped(
  struct<AddressKeys & Omit<MultisigExport, 'account'>>({
    spendKey: key,
    viewKey: key,
    signer: key,
    outputs: list(outputInfo),
  }),
  ({ spendKey, viewKey, signer, outputs }) => ({ account: { spendKey, viewKey }, signer, outputs }),
  ({ account: { spendKey, viewKey }, signer, outputs }) => ({ spendKey, viewKey, signer, outputs }),
);

const multisigTxSet = struct<MultisigTxSet>({ transactions: list(multisigPendingTx), signers: list(key) });

/** The message in clear. @throws ProtocolError */
export const decodeMultisigExport = (bytes: Uint8Array): MultisigExport => readAll(multisigExport, bytes, 'the multisig info');
/** Inverse of {@link decodeMultisigExport}. */
export const encodeMultisigExport = (info: MultisigExport): Uint8Array<ArrayBuffer> => writeAll(multisigExport, info);
/** The set in clear. @throws ProtocolError; Wallet2Error `unsupported-kind`, `unsupported-version` */
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
  decodeMultisigExport(decryptWithKey(behindWords(message, EXPORT_MAGIC), key));

/** @param key of the group's secret view key */
export const sealMultisigTxSet = (set: MultisigTxSet, key: SealingKey, random: Random): Uint8Array =>
  concatBytes(asciiToBytes(SET_MAGIC), encryptWithKey(encodeMultisigTxSet(set), key, random));

/** @throws Wallet2Error `bad-magic`, `not-authentic`, `unsupported-kind`, `unsupported-version`; ProtocolError */
export const openMultisigTxSet = (message: Uint8Array, key: SealingKey): MultisigTxSet =>
  decodeMultisigTxSet(decryptWithKey(behindWords(message, SET_MAGIC), key));
