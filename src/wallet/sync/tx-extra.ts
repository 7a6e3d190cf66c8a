import { bytesToHex, equalBytes } from '../../base/index.ts';
import { generateKeyDerivation, IDENTITY } from '../../crypto/index.ts';
import { additionalPublicKeys, decryptPaymentId, parseExtra, paymentIdOf, txPublicKeys } from '../../protocol/extra.ts';
import type { Transaction } from '../../protocol/model.ts';

/** From this version on a payment id in the clear means nothing (IGNORE_LONG_PAYMENT_ID_FROM_BLOCK_VERSION). */
const CLEAR_IDS_IGNORED_FROM = 12;
const DUMMY = '0000000000000000';

/** The public keys that tx_extra names, in order, 32 bytes each. */
export interface TxPublicKeys {
  readonly main: readonly Uint8Array[];
  readonly additional: readonly Uint8Array[];
}

export function publicKeysOf(tx: Transaction): TxPublicKeys {
  const { fields } = parseExtra(tx.extra);
  return { main: txPublicKeys(fields), additional: additionalPublicKeys(fields) };
}

/**
 * The payment id that came with a transaction to us: 16 hex digits, decrypted, or 64 of the old clear kind. Undefined when
 * there is none or it is the dummy that hides whether there is one.
 * @param majorVersion of the block; of the newest era for the pool
 * @param known 8·a·R of the transaction's key where it has but one and that was derived before: 32 bytes, secret
 */
export function paymentIdToUs(
  tx: Transaction,
  viewKey: Uint8Array,
  majorVersion: number,
  known?: Uint8Array,
): string | undefined {
  const { fields } = parseExtra(tx.extra);
  const id = paymentIdOf(fields);
  if (id === undefined) return undefined;
  if (id.kind === 'clear') return majorVersion < CLEAR_IDS_IGNORED_FROM ? bytesToHex(id.bytes) : undefined;
  const publicKeys = txPublicKeys(fields);
  // The neutral element may stand for a key that is no point, with which nothing was encrypted.
  const isKnown = publicKeys.length === 1 && known !== undefined && !equalBytes(known, IDENTITY);
  const derivation = isKnown ? known : derived(publicKeys.at(-1), viewKey);
  if (derivation === undefined) return undefined;
  const text = bytesToHex(decryptPaymentId(id.bytes, derivation));
  return text === DUMMY ? undefined : text;
}

const derived = (publicKey: Uint8Array | undefined, viewKey: Uint8Array): Uint8Array | undefined =>
  publicKey === undefined ? undefined : generateKeyDerivation(publicKey, viewKey);
