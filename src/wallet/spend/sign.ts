import type { SpendContext } from './context.ts';
import { SpendError } from './errors.ts';
import { reportStage } from './progress.ts';
import type { Signer, Signing, UnsignedPayment } from './signer.ts';
import type { SignedTransaction } from './unsigned.ts';

/**
 * Has a payment signed by the holder of the key: the fourth of its five steps. The result is not trusted yet.
 * @throws SpendError `view-only` if the wallet has no signer; `signer-refused`; `check-failed` for another number of transactions; the
 *   signal's reason
 */
export async function sign(
  ctx: Pick<SpendContext, 'signer' | 'progress'>,
  payment: UnsignedPayment,
  signal?: AbortSignal,
): Promise<Signing> {
  const signer = requireSigner(ctx);
  const of = payment.transactions.length;
  const turn = (number: number) => reportStage(ctx, 'signing', signal, { number, of });
  const signing = await signer.sign(payment, { turn, signal });
  signal?.throwIfAborted();
  if (signing.kind === 'signed' && signing.transactions.length !== of) {
    throw new SpendError('check-failed', 'expected every transaction signed, and no other', {
      found: signing.transactions.length,
    });
  }
  return signing;
}

/** @throws SpendError `view-only` */
export function requireSigner({ signer }: Pick<SpendContext, 'signer'>): Signer {
  if (signer === undefined) throw new SpendError('view-only', 'expected a wallet that holds its spend key');
  return signer;
}

/** The signed transactions of a finished signing. @throws SpendError `unfinished` */
export function signedTransactions(signing: Signing): readonly SignedTransaction[] {
  if (signing.kind === 'signed') return signing.transactions;
  throw new SpendError('unfinished', 'expected a signer that signs alone', { format: signing.format });
}
