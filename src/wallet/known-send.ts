import type { TxHash } from '../protocol/model.ts';
import type { Destination } from './model.ts';
import type { WalletState } from './state/state.ts';

/** The wallet's own record of a transaction: whom it paid, and its change. The chain shows neither. */
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
