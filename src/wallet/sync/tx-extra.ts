import { bytesToHex, equalBytes } from '../../base/index.ts';
import { IDENTITY } from '../../crypto/index.ts';
import { type Era, parseExtra, paymentIdOf, type Transaction, txPublicKeys } from '../../protocol/index.ts';

const DUMMY = '0000000000000000';

/**
 * The payment id of a transaction to us: 16 hex digits, decrypted, or 64 of the old clear kind. Undefined if there is none or it is the
 * dummy.
 * @param era of the block, or of the outputs' form for the pool
 * @param known the secret shared with the sender by the transaction's key, if it has only one and that was computed before: 32 bytes,
 *   secret
 */
export function paymentIdToUs(
  { clearPaymentIds, outputs }: Era,
  tx: Transaction,
  viewKey: Uint8Array,
  known?: Uint8Array,
): string | undefined {
  const { fields } = parseExtra(tx.extra);
  const id = paymentIdOf(fields);
  if (id === undefined) return undefined;
  if (id.kind === 'clear') return clearPaymentIds ? bytesToHex(id.bytes) : undefined;
  const publicKeys = txPublicKeys(fields);
  const last = publicKeys.at(-1);
  // The scan gives the neutral element for a key that is not a point; no payment id was encrypted with that.
  const isKnown = publicKeys.length === 1 && known !== undefined && !equalBytes(known, IDENTITY);
  const shared = isKnown ? known : last && outputs.exchange(last, viewKey);
  if (shared === undefined) return undefined;
  const text = bytesToHex(outputs.cryptPaymentId(id.bytes, shared));
  return text === DUMMY ? undefined : text;
}
