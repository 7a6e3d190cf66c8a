import { checkTxProof, pointMul8 } from '../../crypto/index.ts';
import type { Era, OutputsAsked, OutputsFlaw, SharedOutputs, Transaction } from '../../protocol/index.ts';
import type { ProvenPoint, ShownRecipients, SignedTransaction, UnsignedTransaction } from './unsigned.ts';

/**
 * The outputs that a transaction must have, from the shared points that a signer shows instead of its keys. Each comes with a proof that it
 * belongs to the transaction's public key and the requested address.
 */
export function remadeFromShown(
  era: Era,
  tx: Transaction,
  unsigned: UnsignedTransaction,
  { outputOrder, hash, shown }: SignedTransaction & { readonly shown: ShownRecipients },
  request: OutputsAsked,
): SharedOutputs | OutputsFlaw {
  const paid = outputOrder.map((i) => unsigned.outputs[i]!);
  const keys = era.outputs.publicKeys(tx);
  const [publicKey] = keys.main;
  if (publicKey === undefined || keys.main.length !== 1) return 'wrong-count';
  const { onlySubaddress, needsAdditionalKeys, paymentIdViewKey } = era.outputs.keysNeeded(
    paid,
    unsigned.changeAddress,
    unsigned.paymentId !== undefined,
  );
  if (keys.additional.length !== (needsAdditionalKeys ? paid.length : 0)) return 'wrong-count';
  const main = { R: publicKey, B: onlySubaddress?.spendKey };
  const shared = paid.map(({ address }, i) => {
    const own = needsAdditionalKeys && address.isSubaddress ? { R: keys.additional[i]!, B: address.spendKey } : main;
    return opened(shown.outputs[i], hash, address.viewKey, own);
  });
  const paymentIdShared = paymentIdViewKey && opened(shown.paymentId, hash, paymentIdViewKey, main);
  return era.outputs.remakeShared(request, { outputOrder, publicKey, additional: keys.additional, shared, paymentIdShared });
}

/** The derivation 8·r·A, if its proof is valid. */
function opened(
  shown: ProvenPoint | undefined,
  hash: Uint8Array,
  A: Uint8Array,
  { R, B }: { readonly R: Uint8Array; readonly B: Uint8Array | undefined },
): Uint8Array | undefined {
  if (shown === undefined) return undefined;
  const { point, proof } = shown;
  return checkTxProof({ hash, R, A, B, D: point }, proof, 2) ? pointMul8(point) : undefined;
}
