import type { TxHash } from '../protocol/index.ts';
import type { RecordedTransaction } from './model.ts';
import type { WalletState } from './state/state.ts';

/** The wallet's own record of a transaction, made here or told of by another program of the same keys: whom it paid, and its change. */
export function sentDetails(
  { sent, told }: Pick<WalletState, 'sent' | 'told'>,
  txHash: TxHash,
): Pick<RecordedTransaction, 'destinations' | 'change' | 'paymentId'> | undefined {
  return sent.get(txHash)?.tx ?? told.get(txHash);
}
