import type { TxHash } from '../../protocol/index.ts';

/** Transactions of the chain that touch the wallet, as they came: whoever follows them need not start over at each change. */
export interface TransactionLog {
  /** Moves when what came before is not what it was. */
  readonly rewrites: number;
  readonly hashes: readonly TxHash[];
}

/** The log as the fold writes it. */
export interface MutableTransactionLog {
  rewrites: number;
  hashes: TxHash[];
}

/** Of a wallet that has seen nothing of the chain. */
export const emptyTransactionLog = (): MutableTransactionLog => ({ rewrites: 0, hashes: [] });

/** After a reorganisation, a spend or a key image learned late, or a second copy of an output key: those who follow start over. */
export function rewrite(log: MutableTransactionLog, known: Iterable<TxHash>): void {
  log.rewrites += 1;
  log.hashes = [...known];
}
