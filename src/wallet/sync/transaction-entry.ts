import type { TransactionEntry } from '../../daemon/index.ts';
import {
  parseTransaction,
  type Transaction,
  type TxHash,
  toTxHash,
  transactionHash,
  transactionHashFromPruned,
} from '../../protocol/index.ts';

/** The transaction that a daemon sent, pruned or whole; undefined when it sent no bytes. @throws ProtocolError */
export function parseEntry({ pruned, whole }: TransactionEntry): Transaction | undefined {
  const bytes = whole ?? pruned;
  return bytes === undefined ? undefined : parseTransaction(bytes, { pruned: whole === undefined });
}

/** The id of an entry's bytes; undefined for a pruned one of version 1, which cannot be hashed. */
export function idOf(tx: Transaction, { whole, prunableHash }: TransactionEntry): TxHash | undefined {
  if (whole !== undefined) return toTxHash(transactionHash(tx));
  if (tx.version === 1) return undefined;
  return toTxHash(transactionHashFromPruned(tx, prunableHash));
}

/**
 * The transaction of an entry; undefined if its bytes are missing or belong to another. A pruned one of version 1 cannot be hashed, and is
 * believed until it is mined. @throws ProtocolError
 */
export function transactionOfId(entry: TransactionEntry): Transaction | undefined {
  const tx = parseEntry(entry);
  return tx !== undefined && (idOf(tx, entry) ?? entry.hash) === entry.hash ? tx : undefined;
}
