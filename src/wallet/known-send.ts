import type { TxHash } from '../protocol/index.ts';
import type { ToldTransaction } from './model.ts';
import type { WalletState } from './state/state.ts';

/** The wallet's own record of a transaction, made here or told of by another program of the same keys: whom it paid, and its change. */
export function knownSend(
  { sent, told }: Pick<WalletState, 'sent' | 'told'>,
  txHash: TxHash,
): Pick<ToldTransaction, 'destinations' | 'change' | 'paymentId'> | undefined {
  return sent.get(txHash)?.tx ?? told.get(txHash);
}
