import type { KeysNeeded, PaidOutput } from '../../protocol/index.ts';
import type { ProvenPoint, ShownRecipients, UnsignedTransaction } from '../../wallet/spend/unsigned.ts';
import { getTxProof } from '../commands/get-tx-proof.ts';
import { secretScalMulKey } from '../commands/secrets.ts';
import type { DeviceSession } from '../session.ts';
import { isChange, type TxSecrets } from './outputs.ts';

/** One key of a transaction: sealed, and public as its tx_extra has it. */
interface TxKey {
  readonly secret: Uint8Array;
  readonly R: Uint8Array;
  /** The spend key of the subaddress that it was made for. */
  readonly B: Uint8Array | undefined;
}

/**
 * Has the device prove whom a signed transaction pays, which nobody can see without its keys: two requests for each recipient. The check
 * after the signature verifies the proofs.
 * @param hash of the transaction, which each proof covers
 */
export async function showRecipientsOnDevice(
  session: DeviceSession,
  unsigned: UnsignedTransaction,
  paid: readonly PaidOutput[],
  needed: KeysNeeded,
  keys: { readonly secrets: TxSecrets; readonly publicKey: Uint8Array; readonly additional: readonly Uint8Array[] },
  hash: Uint8Array,
): Promise<ShownRecipients> {
  const main: TxKey = { secret: keys.secrets.main, R: keys.publicKey, B: needed.onlySubaddress?.spendKey };
  const known = new Map<string, ProvenPoint>();
  const show = async (viewKey: Uint8Array, key: TxKey): Promise<ProvenPoint> => {
    const id = `${viewKey.join()} ${key.R.join()}`;
    const before = known.get(id);
    if (before !== undefined) return before;
    const point = await secretScalMulKey(session, viewKey, key.secret);
    const proof = await getTxProof(session, { hash, R: key.R, A: viewKey, B: key.B, D: point }, key.secret);
    known.set(id, { point, proof });
    return { point, proof };
  };
  const outputs: (ProvenPoint | undefined)[] = [];
  for (const [i, output] of paid.entries()) {
    const { address } = output;
    const secret = keys.secrets.additional[i];
    const own = secret !== undefined && address.isSubaddress;
    const key = own ? { secret, R: keys.additional[i]!, B: address.spendKey } : main;
    outputs.push(isChange(unsigned, output) ? undefined : await show(address.viewKey, key));
  }
  return { outputs, paymentId: needed.paymentIdViewKey && (await show(needed.paymentIdViewKey, main)) };
}
