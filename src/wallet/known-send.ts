import type { TxHash } from '../protocol/model.ts';
import type { Destination } from './model.ts';
import type { WalletState } from './state/state.ts';

/** What a wallet knows of a transaction that the chain does not show: whom it paid, and what of it came back. */
export interface KnownSend {
  readonly destinations: readonly Destination[];
  /** Atomic units; undefined where only the chain says it. */
  readonly change: bigint | undefined;
  readonly paymentId: string | undefined;
}

/** Of a transaction that this wallet made, or that another program of the same keys told of. */
export function knownSend({ sent, told }: Pick<WalletState, 'sent' | 'told'>, txHash: TxHash): KnownSend | undefined {
  return sent.get(txHash)?.tx ?? told.get(txHash);
}
