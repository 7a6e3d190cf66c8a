import type { TxHash } from '../protocol/index.ts';
import { WalletError } from './errors.ts';
import type { WalletEvent } from './state/events.ts';
import type { WalletState } from './state/state.ts';

/** The event of the person's word that a refused transaction is given up. @throws WalletError `not-found` where none was refused */
export function refusalSettled({ sent }: WalletState, txHash: string): WalletEvent {
  if (sent.get(txHash as TxHash)?.phase !== 'failed')
    throw new WalletError('not-found', 'expected a transaction of this wallet that was refused');
  return { type: 'RefusalSettled', txHash: txHash as TxHash };
}
