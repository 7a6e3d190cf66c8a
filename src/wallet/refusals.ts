import type { TxHash } from '../protocol/index.ts';
import { WalletError } from './errors.ts';
import type { WalletEvent } from './state/events.ts';
import type { WalletState } from './state/state.ts';

/** The event by which the person gives up a refused transaction. @throws WalletError `not-found` when it was not refused */
export function refusalSettled({ sent, refused }: WalletState, txHash: string): WalletEvent {
  // A transaction that was refused may have been accepted since, and payments still share an input with it.
  if (sent.get(txHash as TxHash)?.phase !== 'failed' && !refused.has(txHash as TxHash))
    throw new WalletError('not-found', 'expected a transaction of this wallet that was refused');
  return { type: 'RefusalSettled', txHash: txHash as TxHash };
}
