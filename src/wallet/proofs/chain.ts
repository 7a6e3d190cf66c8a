import type { TransactionEntry, TransactionsAnswer } from '../../daemon/index.ts';
import { eraOfOutputs, isProtocolError, type Transaction, type TxHash } from '../../protocol/index.ts';
import { idOf, parseEntry } from '../sync/transaction-entry.ts';
import type { ProofDaemon } from './context.ts';
import { ProofError } from './errors.ts';

/** A transaction whose hash is the requested id. Its place on the chain is the daemon's word. */
export interface FoundTransaction {
  readonly transaction: Transaction;
  readonly inPool: boolean;
  /** undefined if it is in the pool. */
  readonly height: number | undefined;
}

/** @throws ProofError `transaction-unavailable`, `bad-daemon-answer`; DaemonError */
export async function findTransaction(daemon: ProofDaemon, txHash: TxHash): Promise<FoundTransaction> {
  return (await findTransactions(daemon, [txHash])).get(txHash)!;
}

/** All of them or none. @throws ProofError `transaction-unavailable`, `bad-daemon-answer`; DaemonError */
export async function findTransactions(
  daemon: ProofDaemon,
  txHashes: readonly TxHash[],
): Promise<ReadonlyMap<TxHash, FoundTransaction>> {
  const unique = [...new Set(txHashes)];
  const answer = await daemon.getTransactions(unique, { prune: false });
  return answer.check((value) => checkFound(unique, value));
}

function checkFound(txHashes: readonly TxHash[], { transactions }: TransactionsAnswer): ReadonlyMap<TxHash, FoundTransaction> {
  const found = new Map(transactions.map((entry) => [entry.hash, entry]));
  return new Map(
    txHashes.map((txHash) => {
      const entry = found.get(txHash);
      if (entry === undefined) {
        throw new ProofError('transaction-unavailable', 'expected a daemon that knows the transaction');
      }
      const { inPool, height } = entry;
      return [txHash, { transaction: checkHash(entry, txHash), inPool, height }];
    }),
  );
}

function checkHash(entry: TransactionEntry, txHash: TxHash): Transaction {
  try {
    const transaction = parseEntry(entry);
    if (transaction === undefined) throw new ProofError('bad-daemon-answer', 'expected the bytes of the transaction');
    if (idOf(transaction, entry) === txHash) return transaction;
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    throw new ProofError('bad-daemon-answer', 'expected a transaction that can be read', {}, error);
  }
  throw new ProofError('bad-daemon-answer', 'expected the transaction that was asked for');
}

/** The key that may belong to all outputs, and those of single outputs. 32 bytes each. @throws ProofError `no-tx-public-key` */
export function proofKeysOf(transaction: Transaction): { readonly main: Uint8Array; readonly additional: readonly Uint8Array[] } {
  const { main, additional } = eraOfOutputs(transaction).outputs.publicKeys(transaction);
  if (main[0] === undefined) throw new ProofError('no-tx-public-key', 'expected a transaction that names its public key');
  return { main: main[0], additional };
}

/** Blocks on top of a transaction, its own included; 0 in the pool. @throws DaemonError */
export async function confirmationsOf(daemon: ProofDaemon, { height }: Pick<FoundTransaction, 'height'>): Promise<number> {
  if (height === undefined) return 0;
  const answer = await daemon.getHeight();
  return Math.max(0, answer.acceptUnverified('claimed-tip').height - height);
}
