import type { TxHash } from '../../protocol/index.ts';

/** Mined transactions that concern the wallet, in order of arrival: a follower need not start over at each change. */
export interface TransactionLog {
  /** Increases when earlier entries have changed. */
  readonly rewrites: number;
  readonly hashes: readonly TxHash[];
}

/** The log as the fold writes it. */
export interface MutableTransactionLog {
  rewrites: number;
  hashes: TxHash[];
}

/** Log of a wallet that has scanned nothing yet. */
export const emptyTransactionLog = (): MutableTransactionLog => ({ rewrites: 0, hashes: [] });

/** Replaces the log after a reorganisation, a spend or key image learned late, or a second copy of an output key. Followers start over. */
export function rewrite(log: MutableTransactionLog, known: Iterable<TxHash>): void {
  log.rewrites += 1;
  log.hashes = [...known];
}
