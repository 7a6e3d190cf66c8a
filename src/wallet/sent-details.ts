import type { TxHash } from '../protocol/index.ts';
import type { RecordedTransaction } from './model.ts';
import type { WalletState } from './state/state.ts';

/** Destinations and change of a transaction that this wallet, or another program with the same keys, recorded. */
export function sentDetails(
  { sent, recorded }: Pick<WalletState, 'sent' | 'recorded'>,
  txHash: TxHash,
): Pick<RecordedTransaction, 'destinations' | 'change' | 'paymentId'> | undefined {
  return sent.get(txHash)?.tx ?? recorded.get(txHash);
}
